package peek

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"time"
	"unicode/utf8"

	"multitext/txlog"
)

// A Hit is a line that contains what is searched for.
type Hit struct {
	Batch               txlog.Name
	Line                int // counted from 1
	Before, Text, After string
	CutBefore, CutAfter bool // the line has more on this side
}

// A Tally says how many lines of how many files of a queue were found, those that are not shown
// too.
type Tally struct {
	Queue        string
	Files, Lines int
}

// A Search is how much is searched.
type Search struct {
	Bytes int64 // of all files, after decompression
	Each  int64 // of one file
	Hits  int
	Per   int // hits of one file that are shown
	Until time.Time
}

// Found is what a search came to.
type Found struct {
	Hits    []Hit
	Tallies []Tally      // of the queues in which something was found
	Lines   int          // that were found
	Files   int          // how many were searched, at least in part
	Bytes   int64        // of them, after decompression
	Next    int          // the index of the file where the search goes on; -1 if all were searched
	Partial []txlog.Name // not searched to the end
	Damaged []txlog.Name // cannot be read
}

// Find searches files of a crawl, in their order, for lines that contain all texts of a query.
// Files that do not exist any more are left out. The search ends between two files. If the time
// ends within a file, this file is searched next, unless it was the first.
func Find(ctx context.Context, root string, files []txlog.Name, q Query, s Search) (*Found, error) {
	out := &Found{Next: -1}
	buffer := bufio.NewReaderSize(nil, pieceSize)
	for i, name := range files {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i > 0 && (out.Bytes >= s.Bytes || len(out.Hits) >= s.Hits || !time.Now().Before(s.Until)) {
			out.Next = i
			return out, nil
		}
		f, err := Open(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		found := &fileFound{}
		if err == nil {
			err = found.search(f, buffer, name, q, s)
			f.Close()
		}
		if out.Bytes += found.bytes; i > 0 && errors.Is(err, errLate) {
			out.Next = i
			return out, nil
		}
		out.add(name, found)
		switch {
		case errors.Is(err, errEnough):
			out.Partial = append(out.Partial, name)
		case err != nil:
			out.Damaged = append(out.Damaged, name)
		}
	}
	return out, nil
}

func (out *Found) add(name txlog.Name, found *fileFound) {
	out.Files++
	out.Lines += found.lines
	out.Hits = append(out.Hits, found.hits...)
	if found.lines == 0 {
		return
	}
	i := slices.IndexFunc(out.Tallies, func(t Tally) bool { return t.Queue == name.Queue() })
	if i < 0 {
		i, out.Tallies = len(out.Tallies), append(out.Tallies, Tally{Queue: name.Queue()})
	}
	out.Tallies[i].Files++
	out.Tallies[i].Lines += found.lines
}

// A fileFound is what was found in one file.
type fileFound struct {
	hits  []Hit
	lines int
	bytes int64 // decompressed
}

func (out *fileFound) search(f io.Reader, buffer *bufio.Reader, name txlog.Name, q Query, s Search) error {
	b, err := newBounded(f, Limits{s.Each, s.Until})
	if err != nil {
		return err
	}
	defer b.done()
	p, m := newPieces(buffer, b), newMatch(q)
	for p.next() {
		at, all := m.in(p)
		if !all {
			continue
		}
		if out.lines++; out.lines <= s.Per {
			out.hits = append(out.hits, hit(name, p, at, len(q[0])))
		}
	}
	out.bytes = b.read
	return p.err
}

// The bytes of a line that are shown before and after a text, at most.
const (
	shownBefore = 300
	shownAfter  = 600
)

// hit describes a place in a piece of a line, at which a text of some size begins; -1 stands for
// the beginning of the piece, without a text.
func hit(name txlog.Name, p *pieces, at, size int) Hit {
	if at < 0 {
		at, size = 0, 0
	}
	end := min(at+size, len(p.piece))
	from, to := max(at-shownBefore, 0), min(end+shownAfter, len(p.piece))
	for n := 0; from > 0 && n < utf8.UTFMax && from < at && !utf8.RuneStart(p.piece[from]); n++ {
		from++
	}
	after := whole(p.piece[end:to], to < len(p.piece))
	return Hit{name, p.line, string(p.piece[from:at]), string(p.piece[at:end]), after,
		from > 0 || !p.begins, to < len(p.piece) || !p.ends}
}

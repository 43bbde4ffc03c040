package peek

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"time"
	"unicode/utf8"

	"multitext/txlog"
)

// A Hit is a line that contains a text.
type Hit struct {
	Batch               txlog.Name
	Line                int // counted from 1
	Before, Text, After string
}

// A Search is how much is searched.
type Search struct {
	Bytes int64 // of all files, after decompression
	Each  int64 // of one file
	Hits  int
	Per   int // hits of one file
	Until time.Time
}

// Found is what a search came to.
type Found struct {
	Hits    []Hit
	Files   int          // how many were searched, at least in part
	Bytes   int64        // of them, after decompression
	Next    int          // the index of the file where the search goes on; -1 if all were searched
	Partial []txlog.Name // not searched to the end
	Damaged []txlog.Name // cannot be read
}

// Find searches files of a crawl, in their order, for an exact text. Files that do not exist any
// more are left out. A file is searched up to s.Each bytes and s.Per hits.
func Find(ctx context.Context, root string, files []txlog.Name, text string, s Search) (*Found, error) {
	out := &Found{Next: -1}
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
		out.Files++
		if err != nil {
			out.Damaged = append(out.Damaged, name)
			continue
		}
		err = out.file(f, name, text, s)
		f.Close()
		switch {
		case errors.Is(err, errEnough):
			out.Partial = append(out.Partial, name)
		case err != nil:
			out.Damaged = append(out.Damaged, name)
		}
	}
	return out, nil
}

// The bytes of a line that are shown before and after a text, at most.
const (
	shownBefore = 300
	shownAfter  = 600
)

// file searches one file. It reads pieces, and keeps so much of each that no hit, and nothing that
// is shown beside it, is cut at the end of a piece.
func (out *Found) file(f io.Reader, name txlog.Name, text string, s Search) error {
	b, err := newBounded(f, Limits{s.Each, s.Until})
	if err != nil {
		return err
	}
	defer b.done()
	defer func() { out.Bytes += b.read }()
	q := &scan{out: out, name: name, text: []byte(text), line: 1, left: s.Per}
	piece := make([]byte, 0, 256<<10)
	for {
		n, err := b.Read(piece[len(piece):cap(piece)])
		piece = piece[:len(piece)+n]
		if err == nil && len(piece) < cap(piece) {
			continue
		}
		rest := q.piece(piece, err != nil)
		if q.left == 0 {
			return errEnough
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		piece = piece[:copy(piece[:cap(piece)], rest)]
	}
}

// A scan is a search in one file.
type scan struct {
	out  *Found
	name txlog.Name
	text []byte
	line int  // the number of the line up to which was searched
	told bool // this line is in the hits
	left int  // hits
	seen int  // bytes at the beginning of the piece that were searched
}

// piece searches a piece of a file. It returns the end of it, which belongs to the next one.
func (q *scan) piece(piece []byte, last bool) (rest []byte) {
	sure := len(piece) // a text that begins before it is here with all that is shown
	if !last {
		sure = max(len(piece)-len(q.text)-shownAfter, 0)
	}
	at := q.seen
	for q.left > 0 {
		n := bytes.Index(piece[at:], q.text)
		if n < 0 || at+n >= sure {
			break
		}
		q.pass(piece[at : at+n])
		if at += n; !q.told {
			q.tell(piece, at)
		}
		q.pass(piece[at : at+len(q.text)])
		at += len(q.text)
	}
	if at < sure {
		q.pass(piece[at:sure])
		at = sure
	}
	keep := max(at-shownBefore, 0)
	q.seen = at - keep
	return piece[keep:]
}

// pass counts the lines of a part that was searched.
func (q *scan) pass(part []byte) {
	if n := bytes.Count(part, []byte("\n")); n > 0 {
		q.line, q.told = q.line+n, false
	}
}

// tell adds the hit at an offset of a piece.
func (q *scan) tell(piece []byte, at int) {
	end := at + len(q.text)
	before, after := piece[max(at-shownBefore, 0):at], piece[end:min(end+shownAfter, len(piece))]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	if n := bytes.IndexByte(after, '\n'); n >= 0 {
		after = bytes.TrimSuffix(after[:n], []byte("\r"))
	}
	for n := 0; n < utf8.UTFMax && len(before) > 0 && !utf8.RuneStart(before[0]); n++ {
		before = before[1:]
	}
	q.out.Hits = append(q.out.Hits, Hit{q.name, q.line, string(before), string(q.text), whole(after, true)})
	q.told, q.left = true, q.left-1
}

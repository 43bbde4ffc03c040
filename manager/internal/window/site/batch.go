package site

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/kind"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
	"multitext/manager/internal/window/peek"
	"multitext/txlog"
)

// How much of a file a page shows, and how much is read for it.
const (
	linesShown  = 100
	columnsMost = 30
	peekBytes   = 256 << 20
	peekWithin  = time.Second
)

// batchPage shows a file of a queue: what the log says of it, where it came from and went, and its
// first lines, or a page or picture in a frame. For a batch that is gone it shows the history only.
func batchPage(l *look) (string, []page.Part, error) {
	name := txlog.Name(l.PathValue("queue") + "/" + l.PathValue("file"))
	if !l.known(name) {
		return "", nil, notFound("The crawl has no queue with a file of this name.")
	}
	made, err := l.madeBy(name)
	if err != nil {
		return "", nil, err
	}
	row := l.batchRow(name)
	if made == nil && !row.Live {
		if _, err := os.Lstat(l.path(name)); err != nil {
			return "", nil, notFound("There is no such batch, and the history, as far as it is kept, does not tell of one.")
		}
	}
	readers, all := l.readers(name, row)
	l.sent.Still = true
	from, _ := strconv.Atoi(l.URL.Query().Get("line"))
	data := map[string]any{"Row": row, "Name": name, "Base": l.Base, "Now": l.Now, "Made": made, "Readers": readers,
		"Incomplete": !all}
	if q := l.Script.Queue(name.Queue()); q != nil && len(q.Readers) == 0 {
		data["Product"] = true
	}
	var parts []page.Part
	if err := l.part(&parts, "batch", "batch", data); err != nil {
		return "", nil, err
	}
	l.rest = func(parts *[]page.Part) error {
		return l.part(parts, "content", "content", contentOf(l.Base, l.Root, name, max(from, 1)))
	}
	return name.File(), parts, nil
}

// madeBy returns the output of the transaction that made a batch, with the transaction; nil if the
// history does not have it.
func (l *look) madeBy(name txlog.Name) (map[string]any, error) {
	t, err := l.Find(name.Tx())
	switch {
	case errors.Is(err, view.ErrNoTransaction):
		return nil, nil
	case err != nil:
		return nil, err
	}
	for _, o := range t.Outputs {
		if o.Name == string(name) {
			return map[string]any{"Tx": t, "Output": o}, nil
		}
	}
	return nil, nil
}

// readers returns the transactions that have read a batch. all is false if there may be others.
func (l *look) readers(name txlog.Name, row batchRow) (txs []uint64, all bool) {
	want := -1
	if q := l.Script.Queue(name.Queue()); row.Live {
		want = len(row.Batch.Read)
	} else if q != nil && q.Export {
		want = 0
	}
	if !l.Begun {
		return nil, true
	}
	found, all := l.Past.Readers(name.Tx(), map[txlog.Name]int{name: want})
	return found[name], all
}

func (l *look) path(name txlog.Name) string { return l.Root + "/" + string(name) }

// A content is what a page shows of a file.
type content struct {
	Gone     bool
	Error    string
	Frame    string // the address of the frame's document
	Download string
	Size     string
	Table    [][]string
	Wider    bool // the table has more columns
	*peek.Excerpt
	From int
	Here string // the address of the page
}

// contentOf reads what is shown of a file, from a line on.
func contentOf(base, root string, name txlog.Name, from int) *content {
	at := page.Path(string(name))
	c := &content{Download: base + "download/" + at, Here: base + "batch/" + at, From: from}
	f, err := peek.Open(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		c.Gone = true
		return c
	}
	if err != nil {
		c.Error = err.Error()
		return c
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		c.Size = figure.Bytes(info.Size())
	}
	if shownAs(ext(name)) != "" {
		c.Frame = base + "raw/" + at
		return c
	}
	c.Excerpt, err = peek.Lines(f, from, linesShown, peek.Limits{Bytes: peekBytes, Until: time.Now().Add(peekWithin)})
	if err != nil {
		c.Error = err.Error()
		return c
	}
	if is, _ := kind.Of(ext(name)); is == "tsv" && c.Dump == "" {
		for _, line := range c.Lines {
			cells := strings.Split(line.Text, "\t")
			c.Wider = c.Wider || len(cells) > columnsMost
			c.Table = append(c.Table, cells[:min(len(cells), columnsMost)])
		}
	}
	return c
}

package site

import (
	"errors"
	"strconv"
	"time"

	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
	"multitext/txlog"
)

// A cell is a part of a table, with the address that it leads to; "" for none.
type cell struct{ Text, Link string }

// A table is a section of a transaction, with links.
type table struct {
	Head   string
	Rows   [][]cell
	Others int // rows that are left out
}

// mostRows is the maximum number of rows of a section.
const mostRows = 200

// txPage shows one transaction, with links to where its inputs came from and where its outputs
// went.
func txPage(l *look) (string, []page.Part, error) {
	tx, err := strconv.ParseUint(l.PathValue("tx"), 10, 64)
	if err != nil {
		return "", nil, notFound("A transaction is named by its number.")
	}
	t, err := l.Find(tx)
	switch {
	case errors.Is(err, view.ErrNoTransaction):
		return "", nil, notFound(err.Error())
	case err != nil:
		return "", nil, err
	}
	l.sent.Still = !t.End.IsZero()
	data := map[string]any{"T": t, "Tables": l.tables(t), "Base": l.Base, "Now": l.Now}
	var parts []page.Part
	if err := l.part(&parts, "tx", "tx", data); err != nil {
		return "", nil, err
	}
	if t.Result == "commit" {
		origin := l.Past.Origin // only reads the history
		l.rest = func(parts *[]page.Part) error {
			way := origin(tx, mostSteps, time.Now().Add(wayWithin))
			on := ""
			if last := way[len(way)-1]; last.Oldest != "" {
				on = l.txLink(last.Oldest.Tx())
			}
			return l.part(parts, "origin", "origin", map[string]any{"Way": way, "Base": l.Base, "On": on})
		}
	}
	return "Transaction " + l.PathValue("tx"), parts, nil
}

// The bounds of the way back to a seed that a page shows.
const (
	mostSteps = 60
	wayWithin = 500 * time.Millisecond
)

// tables returns the sections of a transaction. Each name of a batch leads to its page. Inputs lead
// to the transactions that made them, and outputs to those that have read them.
func (l *look) tables(t *view.Transaction) (all []table) {
	want := map[txlog.Name]int{}
	for _, o := range t.Outputs {
		if name := txlog.Name(o.Name); t.Result == "commit" && !o.Export {
			want[name] = -1
			if b := l.State.Batch(name); b != nil {
				want[name] = len(b.Read)
			} else if q := l.Script.Queue(name.Queue()); q != nil && len(q.Readers) == 0 {
				want[name] = 0
			}
		}
	}
	readers, _ := l.Past.Readers(t.Tx, want)
	for _, s := range t.Sections() {
		out := table{Head: s.Head, Others: max(len(s.Rows)-mostRows, 0)}
		for _, row := range s.Rows[:len(s.Rows)-out.Others] {
			name := txlog.Name(row[0])
			var cells []cell
			for _, text := range row {
				cells = append(cells, cell{Text: text})
			}
			if l.known(name) {
				cells[0].Link = l.batchLink(name)
				switch s.Head {
				case view.Inputs:
					cells = append(cells, cell{"made by " + strconv.FormatUint(name.Tx(), 10), l.txLink(name.Tx())})
				case view.Outputs:
					for _, tx := range readers[name] {
						cells = append(cells, cell{"read by " + strconv.FormatUint(tx, 10), l.txLink(tx)})
					}
				}
			}
			out.Rows = append(out.Rows, cells)
		}
		all = append(all, out)
	}
	return all
}

func (l *look) txLink(tx uint64) string { return l.Base + "tx/" + strconv.FormatUint(tx, 10) }

func (l *look) batchLink(name txlog.Name) string { return l.Base + "batch/" + page.Path(string(name)) }

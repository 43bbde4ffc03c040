package view

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"time"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// An Aside is a batch that one of its readers has set aside.
type Aside struct {
	Batch    string    `json:"batch"`
	Stage    string    `json:"stage"`
	Failures int       `json:"failures"`
	Tx       uint64    `json:"tx,omitempty"`     // the last failed run; 0 if its part of the history is gone
	When     time.Time `json:"when,omitzero"`    // the end of that run
	Why      string    `json:"why,omitempty"`    //
	Stderr   string    `json:"stderr,omitempty"` // the file with the last part of its stderr
}

// AsideRuns remembers the runs that set batches aside, so that a program which looks at a crawl
// again and again reads the history only once. It may be given records in any order. The zero value
// knows no run.
type AsideRuns struct {
	pos     txlog.Position
	last    map[reading]asideRun
	renamed []rename // in the order of their transactions
}

// A reading is a batch and one of its readers.
type reading struct {
	batch txlog.Name
	stage string
}

// An asideRun is a failed run.
type asideRun struct {
	tx  uint64
	end time.Time
	why string
}

// A rename is a transaction after which a stage has another name.
type rename struct {
	tx uint64
	txlog.Renamed
}

// Add takes in a record of the history.
func (f *AsideRuns) Add(r txlog.Record) {
	switch r := r.(type) {
	case *txlog.Commit:
		if r.Was.From == "" {
			return
		}
		f.renamed = append(f.renamed, rename{r.Tx, r.Was})
		slices.SortFunc(f.renamed, func(a, b rename) int { return cmp.Compare(a.tx, b.tx) })
		for k, run := range maps.Clone(f.last) {
			f.put(k, run)
		}
	case *txlog.Abort:
		for _, m := range r.Marks {
			if m.Aside {
				f.put(reading{m.Name, m.Stage}, asideRun{r.Tx, r.Run.End, r.Why})
			}
		}
	}
}

// put remembers a run unless a later one is known, also under the names that its stage had later.
func (f *AsideRuns) put(k reading, run asideRun) {
	if f.last == nil {
		f.last = map[reading]asideRun{}
	}
	keep := func() {
		if f.last[k].tx <= run.tx {
			f.last[k] = run
		}
	}
	keep()
	for _, r := range f.renamed {
		if r.tx > run.tx && r.From == k.stage {
			k.stage = r.To
			keep()
		}
	}
}

// Explain reads what was added to the history of a crawl since the last call, if a batch of it is
// set aside.
func (f *AsideRuns) Explain(c *Crawl) error {
	if len(c.asides(nil)) == 0 {
		return nil
	}
	pos, err := txlog.History(c.Root, f.pos, func(r txlog.Record) error { f.Add(r); return nil }, nil)
	if err == nil {
		f.pos = pos
	}
	return err
}

// asides lists the batches that are set aside now. The marks contain the batches, and the history
// contains the reasons, so far as f has them; f may be nil.
func (c *Crawl) asides(f *AsideRuns) []Aside {
	out := []Aside{}
	for _, b := range c.State.Batches() {
		for _, m := range b.Marks {
			if m.Aside {
				out = append(out, Aside{Batch: string(b.Name), Stage: m.Stage, Failures: m.Fails})
			}
		}
	}
	slices.SortFunc(out, func(a, b Aside) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Batch, b.Batch))
	})
	if f != nil {
		for i := range out {
			out[i].explain(c.Root, f)
		}
	}
	return out
}

func (a *Aside) explain(root string, f *AsideRuns) {
	run, ok := f.last[reading{txlog.Name(a.Batch), a.Stage}]
	if !ok {
		return
	}
	a.Tx, a.When, a.Why = run.tx, run.end, run.why
	path := (&workdir.Dir{Root: root}).FailedPath(run.tx)
	if info, err := os.Stat(path); err == nil && info.Size() > 1 { // longer than one newline
		a.Stderr = path
	}
}

package view

import (
	"cmp"
	"math"
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
	runs    map[reading][]asideRun
	renamed []rename
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
		if r.Was.From != "" {
			f.renamed = append(f.renamed, rename{r.Tx, r.Was})
		}
	case *txlog.Abort:
		for _, m := range r.Marks {
			if !m.Aside {
				continue
			}
			if f.runs == nil {
				f.runs = map[reading][]asideRun{}
			}
			k := reading{m.Name, m.Stage}
			f.runs[k] = append(f.runs[k], asideRun{r.Tx, r.Run.End, r.Why})
		}
	}
}

// last returns the last run of a stage that has set a batch aside, also under earlier names of the
// stage. Its tx is 0 if there is none.
func (f *AsideRuns) last(batch txlog.Name, stage string) (run asideRun) {
	for before := uint64(math.MaxUint64); ; {
		var named rename // the one that gave the stage this name
		for _, r := range f.renamed {
			if r.To == stage && r.tx < before && r.tx > named.tx {
				named = r
			}
		}
		for _, r := range f.runs[reading{batch, stage}] {
			if r.tx < before && r.tx > max(named.tx, run.tx) {
				run = r
			}
		}
		if run.tx > 0 || named.tx == 0 {
			return run
		}
		stage, before = named.From, named.tx
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
	run := f.last(txlog.Name(a.Batch), a.Stage)
	if run.tx == 0 {
		return
	}
	a.Tx, a.When, a.Why = run.tx, run.end, run.why
	path := (&workdir.Dir{Root: root}).FailedPath(run.tx)
	if info, err := os.Stat(path); err == nil && info.Size() > 1 { // longer than one newline
		a.Stderr = path
	}
}

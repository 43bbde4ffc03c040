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

// AsideRuns remembers the runs that set batches aside, so that status -watch reads the history only
// once. The zero value has read nothing.
type AsideRuns struct {
	pos  txlog.Position
	last map[reading]*txlog.Abort
}

// A reading is a batch and one of its readers.
type reading struct {
	batch txlog.Name
	stage string
}

// Read reads the part of the history that was added since the last call.
func (f *AsideRuns) Read(root string) error {
	if f.last == nil {
		f.last = map[reading]*txlog.Abort{}
	}
	pos, err := txlog.History(root, f.pos, func(r txlog.Record) error {
		if c, ok := r.(*txlog.Commit); ok && c.Was.From != "" {
			for k, a := range maps.Clone(f.last) {
				if k.stage == c.Was.From {
					f.last[reading{k.batch, c.Was.To}] = a
				}
			}
		}
		a, ok := r.(*txlog.Abort)
		if !ok {
			return nil
		}
		for _, m := range a.Marks {
			if m.Aside {
				f.last[reading{m.Name, m.Stage}] = a
			}
		}
		return nil
	}, nil)
	if err == nil {
		f.pos = pos
	}
	return err
}

// asides lists the batches that are set aside now. The marks contain the batches, and the history
// contains the reasons. asides reads the history only if there is a mark, and f is not nil.
func (c *Crawl) asides(f *AsideRuns) ([]Aside, error) {
	out := []Aside{}
	for _, b := range c.State.Batches() {
		for _, m := range b.Marks {
			if m.Aside {
				out = append(out, Aside{Batch: string(b.Name), Stage: m.Stage, Failures: m.Fails})
			}
		}
	}
	if len(out) == 0 {
		return out, nil
	}
	slices.SortFunc(out, func(a, b Aside) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Batch, b.Batch))
	})
	if f == nil {
		return out, nil
	}
	if err := f.Read(c.Root); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].explain(c.Root, f)
	}
	return out, nil
}

func (a *Aside) explain(root string, f *AsideRuns) {
	abort := f.last[reading{txlog.Name(a.Batch), a.Stage}]
	if abort == nil {
		return
	}
	a.Tx, a.When, a.Why = abort.Tx, abort.Run.End, abort.Why
	path := (&workdir.Dir{Root: root}).FailedPath(abort.Tx)
	if info, err := os.Stat(path); err == nil && info.Size() > 1 { // longer than one newline
		a.Stderr = path
	}
}

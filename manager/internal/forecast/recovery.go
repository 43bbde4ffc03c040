// Package forecast tells what the next start of a crawl would do, and does nothing.
package forecast

import (
	"io"
	"slices"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// Examine finds out what a start would do. A manager at work moves files while
// they are looked for, so what is missed then must be missed twice.
func Examine(root string) (*workdir.Recovery, *workdir.Held, error) {
	first, err := workdir.Examine(root)
	holder := workdir.Holder(root)
	if err != nil || len(first.Lost) == 0 || holder == nil {
		return first, holder, err
	}
	second, err := workdir.Examine(root)
	if err != nil {
		return nil, holder, err
	}
	second.Lost = slices.DeleteFunc(second.Lost, func(l workdir.Lost) bool { return !slices.Contains(first.Lost, l) })
	return second, holder, nil
}

// A Recovery is what the next start would roll back and finish.
type Recovery struct {
	Manager  *workdir.Held `json:"manager"` // null where none runs
	Begun    bool          `json:"begun"`
	Torn     int           `json:"torn_bytes"` // of the log's last line, to be dropped
	Missing  []string      `json:"missing"`    // live files that are not as the log says
	RollBack []RollBack    `json:"roll_back"`
	Place    []txlog.Name  `json:"place"`    // committed files to be put in their place
	Remove   []txlog.Name  `json:"remove"`   // files that left the live set
	Requests []string      `json:"requests"` // answered ones to be removed
	Halves   []string      `json:"halves"`   // requests that were cut off, in inbox/
	Clear    []uint64      `json:"clear"`    // transactions that ended, whose work/ is still there

	plan []string
}

// A RollBack is a run that was cut off.
type RollBack struct {
	Tx     uint64       `json:"tx"`
	Stage  string       `json:"stage"`
	Inputs []txlog.Name `json:"inputs"` // that wait again
}

// RecoveryOf tells of what Examine has found.
func RecoveryOf(rec *workdir.Recovery, holder *workdir.Held) *Recovery {
	r := &Recovery{Manager: holder, Begun: !rec.Born, Torn: len(rec.Torn), Missing: []string{},
		RollBack: []RollBack{}, Place: some(rec.Place), Remove: some(rec.Remove), Requests: some(rec.Requests),
		Halves: some(rec.Halves), Clear: some(rec.Leftover), plan: crawl.Plan(rec)}
	for _, lost := range rec.Lost {
		r.Missing = append(r.Missing, lost.String())
	}
	for _, u := range rec.RollBack {
		r.RollBack = append(r.RollBack, RollBack{u.Tx, u.Run.Stage, some(u.Run.Inputs)})
	}
	return r
}

// some is a list that JSON shows as [] where it is empty.
func some[T any](list []T) []T { return append([]T{}, list...) }

// Print writes it for people.
func (r *Recovery) Print(w io.Writer) {
	switch {
	case !r.Begun:
		terminal.Line(w, "nothing to recover: the crawl has not begun")
		return
	case r.Manager != nil:
		terminal.Line(w, "manager %d runs the crawl, so there is nothing to recover. "+
			"If it died now, the next start would:", r.Manager.Pid)
	case len(r.plan) == 0 && len(r.Missing) > 0:
		terminal.Line(w, "nothing to recover, and there are files that are not as the log says")
	case len(r.plan) == 0:
		terminal.Line(w, "nothing to recover")
	default:
		terminal.Line(w, "the next start will:")
	}
	for _, l := range append(r.plan, r.Missing...) {
		terminal.Line(w, "  %s", l)
	}
}

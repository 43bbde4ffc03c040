// Package forecast predicts what the next start of a crawl would do. It changes nothing.
package forecast

import (
	"io"
	"slices"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// Examine determines what a start would do. A running manager moves files during the search. So a
// file counts as missing only if it is missing twice.
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

// A Recovery is what the next start would roll back and complete.
type Recovery struct {
	Manager  *workdir.Held `json:"manager"` // null if no manager runs
	Begun    bool          `json:"begun"`
	Torn     int           `json:"torn_bytes"` // of the log's last line, which will be dropped
	Missing  []string      `json:"missing"`    // live files that differ from the log
	RollBack []RollBack    `json:"roll_back"`
	Place    []txlog.Name  `json:"place"`    // committed files to be moved to their queues
	Remove   []txlog.Name  `json:"remove"`   // files that are no longer live
	Requests []string      `json:"requests"` // answered requests to be removed
	Halves   []string      `json:"halves"`   // requests in inbox/ that were cut off
	Clear    []uint64      `json:"clear"`    // transactions that ended, with folders that still exist under work/

	plan []string
}

// A RollBack is a run that was cut off.
type RollBack struct {
	Tx     uint64       `json:"tx"`
	Stage  string       `json:"stage"`
	Inputs []txlog.Name `json:"inputs"` // batches that wait again
}

// RecoveryOf describes what Examine has found.
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

// some returns list, or an empty list instead of nil, which JSON would show as null.
func some[T any](list []T) []T { return append([]T{}, list...) }

// Print writes the recovery for people.
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

package main

import (
	"flag"
	"fmt"
	"slices"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const recoverHelp = `Says what the next start would roll back and finish after a crash, and does
nothing. manager run does it; there is nothing else to be done by hand. Live files
that are not there as the log says are listed, with exit code 5.`

func recoverVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	dry := fs.Bool("n", false, "say it and do nothing; required")
	asJSON := fs.Bool("json", false, "print JSON")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		if !*dry {
			return crawl.ExitBad, fmt.Errorf("%w: recovery is part of every start: %s does it; manager recover -n says what it will be", errUsage, m.call("run", path))
		}
		s, err := view.Script(path, m.vars.list)
		if err != nil {
			return codeOf(err), err
		}
		rec, holder, err := examine(s.Dir)
		if err != nil {
			return codeOf(err), err
		}
		if *asJSON {
			err = printJSON(m.out, recoveryOf(rec, holder))
		} else {
			m.printRecovery(rec, holder)
		}
		if bad := crawl.Wanted(s, rec, nil); err == nil && bad != nil {
			err = &crawl.Damaged{Root: s.Dir, Files: bad}
		}
		return codeOf(err), err
	}
}

// examine finds out what a start would do. A manager at work moves files while
// they are looked for, so what is missed then must be missed twice.
func examine(root string) (*workdir.Recovery, *workdir.Held, error) {
	first, err := workdir.Examine(root)
	holder := workdir.Holder(root)
	if err != nil || len(first.Missing) == 0 || holder == nil {
		return first, holder, err
	}
	second, err := workdir.Examine(root)
	if err != nil {
		return nil, holder, err
	}
	twice := *second
	twice.Missing, twice.Lost = nil, nil
	for i, what := range second.Missing {
		if slices.Contains(first.Missing, what) {
			twice.Missing, twice.Lost = append(twice.Missing, what), append(twice.Lost, second.Lost[i])
		}
	}
	return &twice, holder, nil
}

func (m *invocation) printRecovery(rec *workdir.Recovery, holder *workdir.Held) {
	plan := crawl.Plan(rec)
	switch {
	case rec.Born:
		terminal.Line(m.out, "nothing to recover: the crawl has not begun")
		return
	case holder != nil:
		terminal.Line(m.out, "manager %d runs the crawl, so there is nothing to recover. If it died now, the next start would:", holder.Pid)
	case len(plan) == 0 && len(rec.Missing) > 0:
		terminal.Line(m.out, "nothing to recover, and there are files that are not as the log says")
	case len(plan) == 0:
		terminal.Line(m.out, "nothing to recover")
	default:
		terminal.Line(m.out, "the next start will:")
	}
	for _, l := range append(plan, rec.Missing...) {
		terminal.Line(m.out, "  %s", l)
	}
}

// A recovery is what recover -n prints as JSON.
type recovery struct {
	Manager  *view.Manager `json:"manager"` // null where none runs
	Begun    bool          `json:"begun"`
	Torn     int           `json:"torn_bytes"` // of the log's last line, to be dropped
	Missing  []string      `json:"missing"`    // live files that are not as the log says
	RollBack []rollBack    `json:"roll_back"`
	Place    []txlog.Name  `json:"place"`    // committed files to be put in their place
	Remove   []txlog.Name  `json:"remove"`   // files that left the live set
	Requests []string      `json:"requests"` // answered ones to be removed
	Halves   []string      `json:"halves"`   // requests that were cut off, in inbox/
	Clear    []uint64      `json:"clear"`    // transactions that ended, whose work/ is still there
}

type rollBack struct {
	Tx     uint64       `json:"tx"`
	Stage  string       `json:"stage"`
	Inputs []txlog.Name `json:"inputs"` // that wait again
}

func recoveryOf(rec *workdir.Recovery, holder *workdir.Held) *recovery {
	r := &recovery{Begun: !rec.Born, Torn: len(rec.Torn), Missing: some(rec.Missing), Place: some(rec.Place),
		Remove: some(rec.Remove), Requests: some(rec.Requests), Halves: some(rec.Halves), Clear: some(rec.Leftover), RollBack: []rollBack{}}
	if holder != nil {
		r.Manager = &view.Manager{Pid: holder.Pid, Since: holder.Since}
	}
	for _, u := range rec.RollBack {
		r.RollBack = append(r.RollBack, rollBack{u.Tx, u.Run.Stage, some(u.Run.Inputs)})
	}
	return r
}

// some is a list that JSON shows as [] where it is empty.
func some[T any](list []T) []T { return append([]T{}, list...) }

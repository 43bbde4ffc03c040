package report

import (
	"context"
	"math"
	"slices"
	"time"

	"multitext/manager/internal/sched"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/chart"
	"multitext/script"
	"multitext/txlog"
)

// instants is at how many moments the crawl is looked at.
const instants = 240

// What a stage does at an instant, beside the names of conditions that are not met.
const (
	runs_     = "runs"
	notDue    = "inputs are due" // they wait, but none is due
	ready     = "its turn has come"
	noManager = "a manager runs"
)

// kinds are what a stage does at an instant, in the order of pictures: what a reader is told, and a
// colour. Work stands out, and what a stage cannot help is pale.
var kinds = []struct {
	name  string
	shown chart.Kind
}{
	{runs_, chart.Kind{Name: "runs", Color: 0x0072b2}},
	{sched.SlotFree, chart.Kind{Name: "all process slots in use", Color: 0xd55e00}},
	{sched.OutputsHaveRoom, chart.Kind{Name: "an output queue is full", Color: 0xe69f00}},
	{notDue, chart.Kind{Name: "inputs not due yet", Color: 0xcc79a7}},
	{sched.EnoughWaits, chart.Kind{Name: "fewer inputs than min", Color: 0xc9c38e}},
	{sched.EveryPassed, chart.Kind{Name: "waits for its clock", Color: 0xb9a9d6}},
	{sched.NotIdle, chart.Kind{Name: "idle window", Color: 0x7a6f93}},
	{sched.Rested, chart.Kind{Name: "rests after failures", Color: 0xb2182b}},
	{ready, chart.Kind{Name: "starts next", Color: 0x009e73}},
	{sched.InputsWait, chart.Kind{Name: "no input", Color: 0xdfe5ea}},
	{noManager, chart.Kind{Name: "no manager runs", Color: 0x4a4a4a}},
}

// kindOf is the index of a kind, or -1.
func kindOf(name string) int {
	for i, k := range kinds {
		if k.name == name {
			return i
		}
	}
	return -1
}

// waits are what the stages did at the instants.
type waits struct {
	stages []string
	kind   map[string][]int  // of each stage at each instant: an index of kinds
	full   map[string][]bool // whether the stage ran as often as its jobs allow
	slots  []bool            // whether all process slots were in use and a stage waited for one
	awake  []bool            // whether a manager ran, or may have
}

// readWaits looks at the crawl at each moment.
func readWaits(ctx context.Context, s *script.Script, m *moments, from, to time.Time) (*waits, error) {
	w := &waits{stages: s.StageNames(), kind: map[string][]int{}, full: map[string][]bool{}}
	next, last := 0, from // last is the end of the last run
	look := func(state *txlog.State, start, end time.Time) {
		for ; next < len(m.at) && m.at[next].Before(end); next++ {
			w.look(s, state, m.running[next], m.at[next], start.Sub(last))
		}
	}
	state, err := walk(ctx, s.Dir, func(before *txlog.State, r txlog.Record) error {
		run := runOf(r)
		look(before, run.Start, run.End)
		last = run.End
		return nil
	})
	if err != nil {
		return nil, err
	}
	if state == nil {
		state = txlog.NewState("")
	}
	look(state, to, to.Add(time.Hour))
	return w, nil
}

// moments are the instants, and what ran at each.
type moments struct {
	at      []time.Time // the middles of equal intervals
	running [][]sched.Running
}

// newMoments returns the moments of a crawl with the runs that are going on.
func newMoments(from, to time.Time, going []view.Run) *moments {
	m := &moments{running: make([][]sched.Running, instants)}
	for i := range instants {
		m.at = append(m.at, from.Add(time.Duration(float64(to.Sub(from))*(float64(i)+0.5)/instants)))
	}
	for _, g := range going {
		m.put(g.Start, to, sched.Running{Stage: g.Stage, Inputs: g.Inputs, Start: g.Start})
	}
	return m
}

// add adds a run that has ended.
func (m *moments) add(record txlog.Record) {
	run := runOf(record)
	if run.Start.IsZero() {
		return // a request, which ran nothing
	}
	switch r := record.(type) {
	case *txlog.Commit:
		m.put(run.Start, run.End, sched.Running{Stage: r.Stage, Inputs: names(r.Inputs), Start: run.Start})
	case *txlog.Abort:
		m.put(run.Start, run.End, sched.Running{Stage: r.Stage, Inputs: names(r.Inputs), Start: run.Start})
	}
}

func (m *moments) put(from, to time.Time, r sched.Running) {
	first, _ := slices.BinarySearchFunc(m.at, from, time.Time.Compare)
	for i := first; i < len(m.at) && m.at[i].Before(to); i++ {
		m.running[i] = append(m.running[i], r)
	}
}

func names(inputs []txlog.Input) (names []txlog.Name) {
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	return names
}

func runOf(r txlog.Record) *txlog.Run {
	if a, ok := r.(*txlog.Abort); ok {
		return &a.Run
	}
	return &r.(*txlog.Commit).Run
}

// longGap is how long nothing must have run for there to have been no manager, if something could
// have run. A manager needs less between two runs.
const longGap = 10 * time.Second

// look records what each stage does at a moment in a time of idle in which nothing runs.
func (w *waits) look(s *script.Script, state *txlog.State, running []sched.Running, now time.Time,
	idle time.Duration) {
	table := sched.New(s, state, running, now)
	env := sched.Environment{Now: now, Free: math.MaxInt64}
	could, slots := false, false
	count := map[string]int{}
	for _, r := range running {
		count[r.Stage]++
	}
	for _, name := range w.stages {
		kind, full := doing(table, name, env)
		could = could || kind == ready
		slots = slots || kind == sched.SlotFree
		if count[name] > 0 {
			kind = runs_
		}
		w.kind[name] = append(w.kind[name], kindOf(kind))
		w.full[name] = append(w.full[name], full)
	}
	asleep := could && len(running) == 0 && idle >= longGap
	if asleep {
		for _, name := range w.stages {
			w.kind[name][len(w.kind[name])-1] = len(kinds) - 1
		}
	}
	w.slots, w.awake = append(w.slots, slots), append(w.awake, !asleep)
}

// doing tells what keeps one more run of a stage from starting, and whether as many run as its jobs
// allow.
func doing(table *sched.Table, stage string, env sched.Environment) (kind string, full bool) {
	for _, c := range table.Conditions(stage, env) {
		switch {
		case c.OK:
		case c.Name == sched.JobsFree:
			full = true
		case c.Name == sched.InputsWait && table.Waiting(stage).Held > 0 && kind == "":
			kind = notDue
		case kind == "":
			kind = c.Name
		}
	}
	if kind == "" && !full {
		kind = ready
	}
	return kind, full
}

// shares are those of each kind at each instant, for one stage: 0 or 1.
func (w *waits) shares(stage string) [][]float64 {
	shares := make([][]float64, len(kinds))
	for k := range kinds {
		shares[k] = make([]float64, len(w.kind[stage]))
		for i, kind := range w.kind[stage] {
			if kind == k {
				shares[k][i] = 1
			}
		}
	}
	return shares
}

// of is the share of the instants at which a manager ran that have something.
func (w *waits) of(has func(i int) bool) float64 {
	n, awake := 0, 0
	for i, ran := range w.awake {
		if !ran {
			continue
		}
		awake++
		if has(i) {
			n++
		}
	}
	return float64(n) / float64(max(awake, 1))
}

// share is that of the instants at which a stage did something.
func (w *waits) share(stage, kind string) float64 {
	return w.of(func(i int) bool { k := w.kind[stage][i]; return k >= 0 && kinds[k].name == kind })
}

// asleep is the share of the instants at which no manager ran.
func (w *waits) asleep() float64 {
	n := 0
	for _, ran := range w.awake {
		if !ran {
			n++
		}
	}
	return float64(n) / float64(max(len(w.awake), 1))
}

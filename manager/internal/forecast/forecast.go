package forecast

import (
	"io"
	"slices"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/fault"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A Forecast describes what a start would do, in order.
type Forecast struct {
	Recovery []string `json:"recovery"` // in words
	Seeds    []Seed   `json:"seeds"`
	Requests []string `json:"requests"` // in the inbox
	Services []string `json:"services"`
	Starts   []Start  `json:"starts"`
	Done     bool     `json:"done"` // nothing is left to do
	Waits    []Wait   `json:"waits"`
}

// A Seed is a file of seeds that would be added.
type Seed struct {
	Queue string `json:"queue"`
	File  string `json:"file"`
}

// A Start is a stage that would start at once.
type Start struct {
	Stage  string       `json:"stage"`
	Inputs []txlog.Name `json:"inputs"`
}

// A Wait is a stage that has work but would not start at once.
type Wait struct {
	Stage string `json:"stage"`
	Why   string `json:"why"`
}

// Of predicts what a start of a script would do after a recovery.
func Of(s *script.Script, rec *workdir.Recovery) (*Forecast, error) {
	f := &Forecast{Recovery: some(crawl.Plan(rec)), Seeds: []Seed{}, Requests: []string{},
		Services: []string{}, Starts: []Start{}, Waits: []Wait{}}
	requests, _, err := crawl.Requests(&workdir.Dir{Root: s.Dir}, rec.State)
	if err != nil && !fault.Absent(err) {
		return nil, err
	}
	f.Requests = append(f.Requests, requests...)
	edits, seeds, err := crawl.Foretell(s, rec.State)
	if err != nil {
		return nil, err
	}
	f.Recovery = append(f.Recovery, edits...)
	for _, seed := range seeds {
		f.Seeds = append(f.Seeds, Seed{seed.Queue, seed.File})
	}
	for _, sv := range s.Services {
		f.Services = append(f.Services, sv.Name)
	}
	now := time.Now()
	env := sched.Environment{Now: now, Free: workdir.Free(s.Dir)}
	table := sched.New(s, rec.State, nil, now)
	f.Done, _ = table.Done()
	for k := table.Next(env); k != nil; k = table.Next(env) {
		start := Start{Stage: k.Stage.Name, Inputs: []txlog.Name{}}
		for _, b := range k.Batches() {
			start.Inputs = append(start.Inputs, b.Name)
		}
		f.Starts = append(f.Starts, start)
	}
	f.listWaiting(s, table, env)
	return f, nil
}

// listWaiting lists the stages that have work and do not start, each with the reason.
func (f *Forecast) listWaiting(s *script.Script, table *sched.Table, env sched.Environment) {
	for _, st := range s.Stages {
		w := table.Waiting(st.Name)
		starts := slices.ContainsFunc(f.Starts, func(t Start) bool { return t.Stage == st.Name })
		if starts || w.Ready+w.Held == 0 && len(st.In) > 0 {
			continue
		}
		if why, _ := table.Hindrance(st.Name, env); why != "" {
			f.Waits = append(f.Waits, Wait{st.Name, why})
		}
	}
}

// Print writes the forecast for people.
func (f *Forecast) Print(w io.Writer) {
	for _, l := range f.Recovery {
		terminal.Line(w, "%s", l)
	}
	for _, seed := range f.Seeds {
		terminal.Line(w, "add seeds %s → %s", terminal.Near(seed.File), seed.Queue)
	}
	for _, id := range f.Requests {
		terminal.Line(w, "take request %s", id)
	}
	for _, name := range f.Services {
		terminal.Line(w, "start service %s", name)
	}
	for _, s := range f.Starts {
		terminal.Line(w, "start %s with %s", s.Stage, figure.Count(len(s.Inputs), "batch"))
		for _, name := range s.Inputs {
			terminal.Line(w, "  %s", name)
		}
	}
	for _, k := range f.Waits {
		terminal.Line(w, "%s waits: %s", k.Stage, k.Why)
	}
	if f.Done {
		terminal.Line(w, "nothing is left to do")
	}
}

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A forecast is what a start would do, in the order in which it would.
type forecast struct {
	Recovery []string     `json:"recovery"` // in words
	Seeds    []seedToTake `json:"seeds"`
	Requests []string     `json:"requests"` // that wait in the inbox
	Services []string     `json:"services"`
	Starts   []toStart    `json:"starts"`
	Done     bool         `json:"done"` // nothing is left to do
	Waits    []waits      `json:"waits"`
}

type seedToTake struct {
	Queue string `json:"queue"`
	File  string `json:"file"`
}

// toStart is a stage that would start at once.
type toStart struct {
	Stage  string       `json:"stage"`
	Inputs []txlog.Name `json:"inputs"`
}

// waits is a stage that has work and would not start at once.
type waits struct {
	Stage string `json:"stage"`
	Why   string `json:"why"`
}

// foretell carries out "run -n".
func (m *invocation) foretell(s *script.Script, path string, asJSON bool) (int, error) {
	rec, holder, err := examine(s.Dir)
	switch {
	case err != nil:
		return codeOf(err), err
	case holder != nil:
		return crawl.ExitHeld, holder
	case crawl.Wanted(s, rec, nil) != nil:
		return crawl.ExitDamaged, &crawl.Damaged{Root: s.Dir, Files: crawl.Wanted(s, rec, nil)}
	}
	if err := crawl.FitsScript(s, rec.State, m.call("forget", path)); err != nil {
		return codeOf(err), err
	}
	f, err := newForecast(s, rec)
	if err != nil {
		return codeOf(err), err
	}
	if asJSON {
		return crawl.ExitDone, printJSON(m.out, f)
	}
	m.printForecast(f)
	return crawl.ExitDone, nil
}

func newForecast(s *script.Script, rec *workdir.Recovery) (*forecast, error) {
	f := &forecast{Recovery: some(append(crawl.Plan(rec), crawl.PlanExport(s, rec.State)...)), Seeds: []seedToTake{}, Requests: some(waitingRequests(s.Dir, rec)),
		Services: []string{}, Starts: []toStart{}, Waits: []waits{}}
	for _, r := range crawl.Renamed(s, rec.State) {
		f.Recovery = append(f.Recovery, crawl.SayRenamed(r))
		if err := rec.State.Apply(&txlog.Commit{Tx: rec.State.Next, Read: -1, Was: r}); err != nil {
			return nil, err
		}
	}
	for _, sv := range s.Services {
		f.Services = append(f.Services, sv.Name)
	}
	if err := f.takeSeeds(s, rec.State); err != nil {
		return nil, err
	}
	now := time.Now()
	env := sched.Environment{Now: now, Free: view.Free(s.Dir)}
	table := sched.New(s, rec.State, nil, now)
	f.Done, _ = table.Done()
	for k := table.Next(env); k != nil; k = table.Next(env) {
		start := toStart{Stage: k.Stage.Name, Inputs: []txlog.Name{}}
		for _, b := range k.Batches() {
			start.Inputs = append(start.Inputs, b.Name)
		}
		f.Starts = append(f.Starts, start)
	}
	f.listWaiting(s, table, env)
	return f, nil
}

// takeSeeds lets the seeds that a start would take join the state, under the
// names that they would have.
func (f *forecast) takeSeeds(s *script.Script, state *txlog.State) error {
	for _, seed := range s.Seeds {
		text, err := os.ReadFile(seed.File)
		if err != nil {
			return fmt.Errorf("seeds of %s: %w", seed.Queue, err)
		}
		if key := crawl.SeedKey(seed.Queue, text); state.Seeds[key] || len(text) == 0 {
			continue
		}
		f.Seeds = append(f.Seeds, seedToTake{seed.Queue, seed.File})
		name := txlog.Name(seed.Queue + "/" + txlog.FileName("m", state.Next, 1, crawl.Extension(seed.File)))
		state.Next++
		state.Batches[name] = &txlog.Batch{Output: txlog.Output{Name: name, Size: int64(len(text)), Records: -1}, Since: time.Now()}
	}
	return nil
}

// listWaiting says of each stage that has work and does not start what is in
// its way.
func (f *forecast) listWaiting(s *script.Script, table *sched.Table, env sched.Environment) {
	for _, st := range s.Stages {
		ready, held, _ := table.Waiting(st.Name)
		starts := slices.ContainsFunc(f.Starts, func(t toStart) bool { return t.Stage == st.Name })
		if starts || ready+held == 0 && len(st.In) > 0 {
			continue
		}
		for _, c := range table.Conditions(st.Name, env) {
			if !c.OK {
				f.Waits = append(f.Waits, waits{st.Name, fmt.Sprintf("%s: NO, %s", c.Name, c.Figure)})
				break
			}
		}
	}
}

// waitingRequests are those that no line of the log has answered.
func waitingRequests(root string, rec *workdir.Recovery) (ids []string) {
	entries, err := os.ReadDir((&workdir.Dir{Root: root}).InboxPath())
	if err != nil {
		return nil
	}
	for _, e := range entries {
		_, answered := rec.State.Requests[e.Name()]
		if !answered && e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			ids = append(ids, e.Name())
		}
	}
	return ids
}

func (m *invocation) printForecast(f *forecast) {
	for _, l := range f.Recovery {
		terminal.Line(m.out, "%s", l)
	}
	for _, seed := range f.Seeds {
		terminal.Line(m.out, "bring in seeds %s → %s", terminal.Near(seed.File), seed.Queue)
	}
	for _, id := range f.Requests {
		terminal.Line(m.out, "take request %s", id)
	}
	for _, name := range f.Services {
		terminal.Line(m.out, "start service %s", name)
	}
	for _, s := range f.Starts {
		terminal.Line(m.out, "start %s with %s", s.Stage, figure.Count(len(s.Inputs), "batch"))
		for _, name := range s.Inputs {
			terminal.Line(m.out, "  %s", name)
		}
	}
	for _, w := range f.Waits {
		terminal.Line(m.out, "%s waits: %s", w.Stage, w.Why)
	}
	if f.Done {
		terminal.Line(m.out, "nothing is left to do")
	}
}

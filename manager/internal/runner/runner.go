// Package runner runs a script: it starts stages when the scheduler says so, judges what they
// leave, and makes each run a transaction.
//
// One goroutine, in the loop of Run, owns the log, the table of what waits and the list of what
// runs (loop.go). It starts a run (start.go, with what fill.go puts into its command) and hands it
// to a goroutine of its own, which waits for its end, judges its files and makes them durable.
// Then the loop commits the run (finish.go) or aborts it and says what waits how long for it
// (failure.go). So many runs sync side by side, and commits are one after the other.
package runner

import (
	"io"
	"os"
	"slices"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/pace"
	"multitext/manager/internal/proc"
	"multitext/manager/internal/progress"
	"multitext/manager/internal/sched"
	"multitext/script"
	"multitext/txlog"
)

// A Config says what to run.
type Config struct {
	Script  *script.Script
	Disk    txlog.Disk
	Out     *progress.Printer
	Signals <-chan os.Signal // the first: let the running stages finish; the second: end them

	// Call is how the user would call the manager with a verb, for the hints it gives.
	Call func(verb string) string
}

// A runner runs a crawl.
type runner struct {
	*crawl.Store
	state    *txlog.State
	table    *sched.Table
	out      *progress.Printer
	call     func(verb string) string
	events   chan event
	ending   chan struct{} // closed when services are no longer wanted
	runs     map[uint64]*run
	services []*service
	halted   chan struct{}      // closed when what runs is ended
	replaced []txlog.Name       // segments to be removed once no run is reading them
	streaks  map[string]*streak // by stage
	misnamed map[string]bool    // queues whose batches are not what their names say, and that was said
	pace     *pace.Pace
	started  time.Time
	looked   time.Time // when tick last looked
	stopping string    // why nothing new starts; "" otherwise
	stopCode int       // exit code when stopped
	killed   bool      // running stages were ended
	saidDisk bool      // that it waits for room on the disk
	left     left
}

// A streak is what the last runs of a stage have in common.
type streak struct {
	last    txlog.Name // the batch whose run failed last
	refused int        // runs in a row that failed by no fault of their inputs
	laters  int        // runs in a row that said "try later", of a stage without inputs
}

// streak returns that of a stage; a commit ends it.
func (c *runner) streak(stage string) *streak {
	if c.streaks[stage] == nil {
		c.streaks[stage] = &streak{}
	}
	return c.streaks[stage]
}

// An event is handed to the loop by the goroutine that waits for a process.
type event interface{ handle(*runner) error }

// Run runs the script until nothing is left to do or it is stopped, and returns
// the exit code. The caller's goroutine is locked to its thread, which all
// processes are started from and die with.
func Run(cfg Config) (int, error) {
	defer cfg.Out.Clear()
	if err := proc.Adopt(); err != nil {
		return crawl.ExitBroken, err
	}
	check := func(state *txlog.State) error { return crawl.FitsScript(cfg.Script, state, cfg.Call("forget")) }
	store, err := crawl.Open(cfg.Script, cfg.Disk, crawl.Opening{Check: check, Say: cfg.Out.Line, Run: true})
	if err != nil {
		return crawl.ExitCode(err), err
	}
	defer store.Close()
	c := newRunner(store, cfg)
	if err = c.begin(cfg.Signals); err == nil {
		err = c.loop(cfg.Signals)
	}
	c.endRuns()
	c.endServices()
	return c.outcome(err)
}

func newRunner(store *crawl.Store, cfg Config) *runner {
	c := &runner{
		Store: store, state: store.Log.State, out: cfg.Out, call: cfg.Call,
		events: make(chan event), ending: make(chan struct{}), halted: make(chan struct{}),
		runs: map[uint64]*run{}, streaks: map[string]*streak{}, misnamed: map[string]bool{},
		pace: pace.New(time.Now()), started: time.Now(),
	}
	store.Reading = c.readerOf
	return c
}

// readerOf is the run that is reading a batch or segment, 0 if none is.
func (c *runner) readerOf(name txlog.Name) uint64 {
	for number, r := range c.runs {
		if slices.Contains(r.names(), name) || slices.Contains(r.segments, name) {
			return number
		}
	}
	return 0
}

// begin does what comes before the first stage.
func (c *runner) begin(signals <-chan os.Signal) error {
	if err := c.Begin(c.out.Line); err != nil {
		return err
	}
	c.rebuild()
	if _, err := c.takeRequests(); err != nil {
		return err
	}
	return c.startServices(signals)
}

// rebuild computes again what waits for whom, after requests. Streaks end: somebody has looked
// after the crawl.
func (c *runner) rebuild() {
	for _, s := range c.streaks {
		s.refused, s.laters = 0, 0
	}
	var running []sched.Running
	for _, r := range c.runs {
		running = append(running,
			sched.Running{Stage: r.take.Stage.Name, Inputs: r.names(), Start: r.record.Start, Take: r.take})
	}
	c.table = sched.New(c.Script, c.state, running, time.Now())
}

// outcome turns the way the loop ended into an exit code and says it.
func (c *runner) outcome(err error) (int, error) {
	if err != nil {
		return crawl.ExitCode(err), err
	}
	asked, err := c.Waiting()
	if err != nil {
		return crawl.ExitCode(err), err
	}
	done, failed := c.table.Done()
	code := crawl.ExitDone
	switch {
	case (!done || len(asked) > 0) && c.stopping != "":
		code = c.stopCode
	case failed, c.Lost:
		code = crawl.ExitFailed
	}
	c.out.Summary(func(w io.Writer) { c.summary(w, code) })
	return code, nil
}

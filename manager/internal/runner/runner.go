// Package runner runs a script. It starts stages when the scheduler allows it, judges their
// outputs, and makes each run a transaction.
//
// One goroutine, in the loop of Run, owns the log, the table of waiting batches and the list of
// runs in progress (loop.go). It starts a run (start.go; fill.go fills in its command). Another
// goroutine then waits for the end of the run, judges its files and makes them durable. After that
// the loop commits the run (finish.go), or aborts it and decides what waits how long (failure.go).
// So many runs sync at the same time, but commits happen one after the other.
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

// A Config contains the parameters of Run.
type Config struct {
	Script  *script.Script
	Disk    txlog.Disk
	Out     *progress.Printer
	Signals <-chan os.Signal // the first: let the running stages finish; the second: end them

	// Call returns the command line with which the user would call a verb, for hints.
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
	ending   chan struct{} // closed when services must end
	runs     map[uint64]*run
	services []*service
	halted   chan struct{}      // closed when the runs in progress are killed
	replaced []txlog.Name       // segments to be removed when no run is reading them
	streaks  map[string]*streak // by stage name
	misnamed map[string]bool    // queues for which a mismatch of name and content was reported
	pace     *pace.Pace
	started  time.Time
	before   map[string]txlog.Total // of each queue, when this run of the manager started
	looked   time.Time              // the time of the last tick
	stopping string                 // why no stage starts; "" if stages may start
	stopCode int                    // exit code when stopped
	killed   bool                   // running stages were killed
	saidDisk bool                   // the wait for free disk space was reported
	left     left
}

// A streak describes the last runs of a stage.
type streak struct {
	last    txlog.Name // the batch of the last failed run
	refused int        // runs in a row that failed through no fault of their inputs
	laters  int        // runs in a row that said "try later", for a stage without inputs
}

// streak returns the streak of a stage. A commit ends it.
func (c *runner) streak(stage string) *streak {
	if c.streaks[stage] == nil {
		c.streaks[stage] = &streak{}
	}
	return c.streaks[stage]
}

// An event comes from the goroutine that waits for a process, and is handled by the loop.
type event interface{ handle(*runner) error }

// Run runs the script until nothing is left to do or it is stopped, and returns the exit code. It
// locks the caller's goroutine to its thread. All processes are started from this thread, and die
// with it.
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
		pace: pace.New(time.Now()), started: time.Now(), before: map[string]txlog.Total{},
	}
	for _, name := range c.Script.QueueNames() {
		c.before[name] = c.state.Queue(name)
	}
	store.Reading = c.readerOf
	return c
}

// readerOf returns the run that is reading a batch or segment, or 0 if there is none.
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

// rebuild computes the table of waiting batches again, after requests. It ends all streaks, because
// somebody has looked after the crawl.
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

// outcome prints how the loop ended and returns the exit code.
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

// Package crawl runs a script: it starts stages when the scheduler says so,
// judges what they leave, and makes each run a transaction.
//
// One goroutine, in Run's loop, owns the log, the table of what waits and the
// list of what runs. A goroutine per process waits for its end, judges its files
// and makes them durable; only then does it hand the run back, and the loop
// appends the line that makes it count. Thus many runs sync side by side, and
// commits are one after the other.
package crawl

import (
	"fmt"
	"io"
	"os"
	"time"

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
}

// A Crawl is under way.
type Crawl struct {
	*Store
	state    *txlog.State
	table    *sched.Table
	out      *progress.Printer
	events   chan event
	ending   chan struct{} // closed when services are no longer wanted
	runs     map[uint64]*run
	services []*service
	inUse    map[txlog.Name]int    // segments handed to runs under way
	replaced []txlog.Name          // segments to be removed once no run is handed them
	last     map[string]txlog.Name // by stage: the batch whose run failed last
	refused  map[string]int        // by stage: runs in a row that failed by no fault of theirs
	laters   map[string]int        // by stage without inputs: times in a row it said "try later"
	started  time.Time
	looked   time.Time // when tick last looked
	stopping string    // why nothing new starts; "" otherwise
	stopCode int       // exit code when stopped
	killed   bool      // running stages were ended
	saidDisk bool      // that it waits for room on the disk
}

// An event is handed to the loop by the goroutine that waits for a process.
type event interface{ handle(*Crawl) error }

// poll is how often requests and the disk are looked at when nothing happens.
const poll = time.Second

// Run runs the script until nothing is left to do or it is stopped, and returns
// the exit code. The caller's goroutine is locked to its thread, which all
// processes are started from and die with.
func Run(cfg Config) (int, error) {
	if err := proc.Adopt(); err != nil {
		return ExitBroken, err
	}
	check := func(state *txlog.State) error {
		if err := FitsScript(cfg.Script, state); err != nil {
			return err
		}
		rememberReaders(cfg.Script, state)
		return nil
	}
	store, err := Open(cfg.Script, cfg.Disk, check, cfg.Out.Line)
	if err != nil {
		return ExitCode(err), err
	}
	defer store.Close()
	c := newCrawl(store, cfg)
	if err := c.begin(cfg.Signals); err != nil {
		c.endServices()
		return c.outcome(err)
	}
	err = c.loop(cfg.Signals)
	c.endRuns()
	c.endServices()
	return c.outcome(err)
}

func newCrawl(store *Store, cfg Config) *Crawl {
	return &Crawl{
		Store: store, state: store.Log.State, out: cfg.Out,
		events: make(chan event), ending: make(chan struct{}), runs: map[uint64]*run{},
		inUse: map[txlog.Name]int{}, last: map[string]txlog.Name{}, refused: map[string]int{}, laters: map[string]int{},
		started: time.Now(),
	}
}

// begin does what comes before the first stage: the script is kept for the
// reading verbs, seeds come in, services start.
func (c *Crawl) begin(signals <-chan os.Signal) error {
	if err := c.keepScript(); err != nil {
		return err
	}
	if err := c.takeSeeds(); err != nil {
		return err
	}
	if _, err := c.TakeInbox(c.out.Line); err != nil {
		return err
	}
	c.rebuild()
	return c.startServices(signals)
}

func (c *Crawl) rebuild() {
	var running []sched.Running
	for _, r := range c.runs {
		running = append(running, sched.Running{Stage: r.take.Stage.Name, Inputs: r.names(), Take: r.take})
	}
	c.table = sched.New(c.Script, c.state, running, time.Now())
}

func (c *Crawl) environment() sched.Environment {
	return sched.Environment{Now: time.Now(), Free: c.Dir.Free(), Stopping: c.stopping}
}

// loop runs until there is an end.
func (c *Crawl) loop(signals <-chan os.Signal) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		c.checkLimits()
		env, err := c.startAll()
		if err != nil {
			return err
		}
		if over, err := c.over(env); over || err != nil {
			return err
		}
		timer.Reset(c.pause(env))
		select {
		case ev := <-c.events:
			err = ev.handle(c)
		case <-signals:
			c.signalled()
		case <-timer.C:
		}
		if err == nil {
			err = c.tick()
		}
		if err != nil {
			return err
		}
	}
}

// startAll starts what may start, and returns the environment in which nothing
// more may. What follows must go by the same: a batch that became due between
// two looks at the clock would neither start nor be waited for.
func (c *Crawl) startAll() (sched.Environment, error) {
	for {
		env := c.environment()
		k := c.table.Next(env)
		if k == nil {
			c.out.Status(c.status)
			return env, nil
		}
		if err := c.start(k); err != nil {
			return env, err
		}
	}
}

// over reports whether the crawl has ended, and how.
func (c *Crawl) over(env sched.Environment) (bool, error) {
	if c.table.Running() > 0 || len(c.runs) > 0 {
		return false, nil
	}
	if c.stopping != "" {
		return true, nil
	}
	if done, _ := c.table.Done(); done {
		return c.end()
	}
	disk := c.waitsForDisk(env)
	if disk && !c.saidDisk {
		c.out.Line("nothing starts: " + c.table.Disk(env).Figure + "; the crawl goes on by itself when there is room")
	}
	if c.saidDisk = disk; !disk && c.table.Wake(env).IsZero() {
		return true, c.stuck(env)
	}
	return false, nil
}

// end looks once more for requests before a crawl that is done comes to its end.
func (c *Crawl) end() (over bool, err error) {
	taken, err := c.TakeInbox(c.out.Line)
	if taken > 0 {
		c.rebuild()
		return false, err
	}
	return !c.Script.Stop.Never, err
}

// waitsForDisk reports whether something would start if there were more room.
func (c *Crawl) waitsForDisk(env sched.Environment) bool {
	low := env
	env.Free = 1 << 62
	return c.table.Blocked(low, env)
}

func (c *Crawl) stuck(env sched.Environment) error {
	s := &Stuck{}
	for _, st := range c.Script.Stages {
		for _, cond := range c.table.Conditions(st.Name, env) {
			if !cond.OK {
				s.Why = append(s.Why, fmt.Sprintf("%s: not %q: %s", st.Name, cond.Name, cond.Figure))
			}
		}
	}
	return s
}

// pause is how long the loop may sleep.
func (c *Crawl) pause(env sched.Environment) time.Duration {
	wake := c.table.Wake(env)
	if wake.IsZero() {
		return poll
	}
	return min(max(time.Until(wake), 0)+time.Millisecond, poll)
}

// tick looks, every so often, at what no process tells of. It goes by the clock
// and not by the timer, which a crawl with many events a second never lets fire.
func (c *Crawl) tick() error {
	if time.Since(c.looked) < poll {
		return nil
	}
	c.looked = time.Now()
	taken, err := c.TakeInbox(c.out.Line)
	if taken > 0 {
		c.rebuild()
	}
	return err
}

// outcome turns the way the loop ended into an exit code and says it.
func (c *Crawl) outcome(err error) (int, error) {
	if err != nil {
		return ExitCode(err), err
	}
	done, failed := c.table.Done()
	code := ExitDone
	switch {
	case !done && c.stopping != "":
		code = c.stopCode
	case failed:
		code = ExitFailed
	}
	c.out.Summary(func(w io.Writer) { c.summary(w, code) })
	return code, nil
}

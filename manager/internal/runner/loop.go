package runner

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/workdir"
	"multitext/script"
)

// poll is the interval at which requests and the disk are checked if nothing else happens.
const poll = time.Second

func (c *runner) environment() sched.Environment {
	return sched.Environment{Now: time.Now(), Free: workdir.Free(c.Dir.Root), Stopping: c.stopping}
}

// loop runs until the crawl ends.
func (c *runner) loop(signals <-chan os.Signal) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		c.checkLimits()
		env, err := c.startAll()
		if err != nil {
			return err
		}
		if over, err := c.over(env); err != nil {
			return err
		} else if over {
			return nil
		}
		timer.Reset(c.pause(env))
		select {
		case ev := <-c.events:
			if len(signals) > 0 { // the signal may be the reason for this end
				<-signals
				c.signalled()
			}
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

// startAll starts every stage that may start. It returns the environment in which no further stage
// may start. The caller must use the same environment. Otherwise a batch that became due between
// two readings of the clock would neither start nor be waited for.
func (c *runner) startAll() (sched.Environment, error) {
	for {
		env := c.environment()
		var k *sched.Take
		if !c.enough(env) {
			k = c.table.Next(env)
		}
		if k == nil {
			c.out.Status(c.status)
			return env, nil
		}
		if err := c.start(k); err != nil {
			return env, err
		}
	}
}

// enough reports whether the crawl is done and may end. A stage that the clock starts may take
// longer than its period, and would always be due again; such a stage does not keep the crawl from
// its end. But if it is due and has not started in this run of the manager, it is started first.
func (c *runner) enough(env sched.Environment) bool {
	if done, _ := c.table.Done(); !done || c.Script.Stop.Never {
		return false
	}
	return !slices.ContainsFunc(c.Script.Stages, func(st *script.Stage) bool {
		why, _ := c.table.Hindrance(st.Name, env)
		return len(st.In) == 0 && why == "" && c.state.Stage(st.Name).Last.Before(c.started)
	})
}

// over reports whether the crawl has ended, and how.
func (c *runner) over(env sched.Environment) (bool, error) {
	if c.table.Running() > 0 || len(c.runs) > 0 {
		return false, nil
	}
	if c.stopping != "" {
		return true, nil
	}
	if done, _ := c.table.Done(); done {
		return c.end()
	}
	disk := c.table.WaitsForDisk(env)
	if disk && !c.saidDisk {
		c.out.Line("nothing starts: " + c.table.Disk(env).Figure + "; the crawl continues by itself when there is room")
	}
	if c.saidDisk = disk; !disk && len(c.left.why) == 0 && c.table.Wake(env).IsZero() {
		return true, c.stuck(env)
	}
	return false, nil
}

// end checks for requests a last time before a crawl that is done ends. If a request is put off,
// the crawl does not end.
func (c *runner) end() (over bool, err error) {
	some, err := c.takeRequests()
	return !some && len(c.left.why) == 0 && !c.Script.Stop.Never, err
}

// stuck returns an error if work waits that nothing will ever start.
func (c *runner) stuck(env sched.Environment) error {
	var why []string
	for _, st := range c.Script.Stages {
		for _, cond := range c.table.Conditions(st.Name, env) {
			if !cond.OK {
				why = append(why, fmt.Sprintf("%s: not %q: %s", st.Name, cond.Name, cond.Figure))
			}
		}
	}
	return &crawl.Exit{Code: crawl.ExitDamaged, Err: errors.New("the crawl is stuck: work waits, nothing runs " +
		"and nothing is due:\n  " + strings.Join(why, "\n  "))}
}

// pause returns how long the loop may sleep.
func (c *runner) pause(env sched.Environment) time.Duration {
	wake := c.table.Wake(env)
	if wake.IsZero() {
		return poll
	}
	return min(max(time.Until(wake), 0)+time.Millisecond, poll)
}

// tick periodically checks what no process reports. It uses the clock and not the timer, because in
// a crawl with many events a second the timer never fires.
func (c *runner) tick() error {
	if time.Since(c.looked) < poll {
		return nil
	}
	c.looked = time.Now()
	_, err := c.takeRequests()
	return err
}

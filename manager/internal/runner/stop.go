package runner

import (
	"fmt"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/view"
)

// grace is the time that a process gets to end after it was told to.
const grace = 10 * time.Second

// stop makes the manager start nothing new. Runs in progress may finish.
func (c *runner) stop(why string, code int) {
	if c.stopping != "" {
		return
	}
	c.stopping, c.stopCode = why, code
	text := "stopping: " + why
	n := len(c.runs)
	switch {
	case n == 1:
		text += "; the running stages may finish; the next Ctrl-C or SIGTERM kills them and rolls them back"
	case n > 1:
		text += fmt.Sprintf("; these %d may finish; the next Ctrl-C or SIGTERM kills them and rolls them back", n)
	}
	c.out.Line(text)
}

func (c *runner) signalled() {
	if c.stopping == "" {
		c.stop("told to", crawl.ExitStopped)
		return
	}
	if !c.killed {
		c.out.Line("stopping now: running stages are killed and rolled back")
	}
	c.kill()
}

// checkLimits stops the crawl when a limit of [stop] is reached.
func (c *runner) checkLimits() {
	if most := c.Script.Stop.Time; most > 0 && time.Since(c.started) >= most {
		c.stop(fmt.Sprintf("it has run for %s, as [stop] says", most), crawl.ExitLimit)
	}
	for _, l := range view.Limits(c.Script, c.state) {
		if l.Reached() {
			c.stop(fmt.Sprintf("%d %s were committed to %s, as [stop] says", l.Now, l.Unit, l.Queue), crawl.ExitLimit)
		}
	}
}

// kill kills the runs in progress.
func (c *runner) kill() {
	if !c.killed {
		close(c.halted)
	}
	c.killed = true
	for _, r := range c.runs {
		r.process.End(grace)
	}
}

// endRuns kills the runs in progress when the loop ended early, and waits until they end. None of
// them commits: the next start rolls them back.
func (c *runner) endRuns() {
	c.kill()
	for len(c.runs) > 0 {
		if ev, ok := (<-c.events).(*ended); ok {
			delete(c.runs, ev.run.number)
		}
	}
}

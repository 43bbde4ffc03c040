package runner

import (
	"fmt"
	"time"

	"multitext/manager/internal/crawl"
)

// grace is how long a process that is told to end may take.
const grace = 10 * time.Second

// stop lets nothing new start; what runs may finish.
func (c *runner) stop(why string, code int) {
	if c.stopping != "" {
		return
	}
	c.stopping, c.stopCode = why, code
	text := "stopping: " + why
	n := len(c.runs)
	switch {
	case n == 1:
		text += "; what runs may finish; the next Ctrl-C or SIGTERM ends it and rolls it back"
	case n > 1:
		text += fmt.Sprintf("; the %d that run may finish; the next Ctrl-C or SIGTERM ends them and rolls them back", n)
	}
	c.out.Line(text)
}

func (c *runner) signalled() {
	if c.stopping == "" {
		c.stop("told to", crawl.ExitStopped)
		return
	}
	if !c.killed {
		c.out.Line("stopping now: what runs is ended and rolled back")
	}
	c.kill()
}

// checkLimits stops the crawl when a limit of [stop] is reached.
func (c *runner) checkLimits() {
	limits := c.Script.Stop
	if limits.Time > 0 && time.Since(c.started) >= limits.Time {
		c.stop(fmt.Sprintf("it has run for %s, as [stop] says", limits.Time), crawl.ExitLimit)
	}
	for _, l := range limits.Records {
		if q := c.state.Queue(l.Queue); q.Records >= l.Limit {
			c.stop(fmt.Sprintf("%d records were committed to %s, as [stop] says", q.Records, l.Queue), crawl.ExitLimit)
		}
	}
	for _, l := range limits.Bytes {
		if q := c.state.Queue(l.Queue); q.Bytes >= l.Limit {
			c.stop(fmt.Sprintf("%d bytes were committed to %s, as [stop] says", q.Bytes, l.Queue), crawl.ExitLimit)
		}
	}
}

// kill ends what runs.
func (c *runner) kill() {
	if !c.killed {
		close(c.halted)
	}
	c.killed = true
	for _, r := range c.runs {
		r.process.End(grace)
	}
}

// endRuns ends what still runs when the loop was left early, and waits for it.
// Nothing of it is committed: the next start rolls it back.
func (c *runner) endRuns() {
	c.kill()
	for len(c.runs) > 0 {
		if ev, ok := (<-c.events).(*ended); ok {
			delete(c.runs, ev.run.number)
		}
	}
}

package exchange

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// An errand is an exchange under way, as CutSlow sees it.
type errand struct {
	mu    sync.Mutex
	since time.Time // the server has had the time from then on; zero: it is not the server that is waited for
	bytes int64     // that have come since
	end   func()    // breaks off what is under way
	cut   bool
}

// errSlow is a time-out.
var errSlow = fmt.Errorf("slower than the least rate: %w", os.ErrDeadlineExceeded)

// CutSlow breaks off the exchanges whose server has had at least so much time, and has sent less
// than least bytes a second in it: as if their time by the Limits were up. What Pace and Turn make
// them wait is not the server's.
func (c *Client) CutSlow(least float64, after time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for e := range c.errands {
		e.judge(now, least, after)
	}
}

// setOut gives an errand that CutSlow sees until forget.
func (c *Client) setOut() *errand {
	e := &errand{}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.errands == nil {
		c.errands = map[*errand]struct{}{}
	}
	c.errands[e] = struct{}{}
	return e
}

func (c *Client) forget(e *errand) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.errands, e)
}

func (e *errand) judge(now time.Time, least float64, after time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	had := now.Sub(e.since)
	if e.end == nil || e.cut || e.since.IsZero() || had < after || float64(e.bytes) >= least*had.Seconds() {
		return
	}
	e.cut = true
	e.end()
}

// begin says that the server's time runs from now on, and how to break off what is under way.
func (e *errand) begin(now time.Time, end func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.since, e.bytes, e.end = now, 0, end
}

// stop says that nothing is under way that could be broken off, and tells whether it was.
func (e *errand) stop() (cut bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end = nil
	return e.cut
}

// blame gives the error of what was under way: errSlow if that was broken off.
func (e *errand) blame(err error) error {
	if e.wasCut() {
		return errSlow
	}
	return err
}

// wasCut tells whether e was broken off.
func (e *errand) wasCut() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.cut
}

// pause says that so many bytes have come, and that the server is not waited for until resume.
func (e *errand) pause(n int) (began time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	began, e.since = e.since, time.Time{}
	e.bytes += int64(n)
	return began
}

// resume says that the server has the time since it began, but for what was waited.
func (e *errand) resume(began time.Time, waited time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.since = began.Add(waited)
}

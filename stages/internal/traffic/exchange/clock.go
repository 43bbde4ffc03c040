package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// An exchange is a running request with its answer. It is cut when its context is done, when its
// time by the Limits is over, by CutSlow, or by GiveBack. The Client checks the times of all
// exchanges together, so that no connection needs a deadline that moves with each read.
type exchange struct {
	client  *Client
	ctx     context.Context
	request Request
	text    []byte        // of the request
	link    *link         // the connection, once there is one
	inBody  bool          // each read is a step
	paused  time.Duration // by Pace and the disk

	mu     sync.Mutex
	cancel func()    // breaks off what is under way; nil: the server is not waited for
	cut    error     // why it was broken off; nil: it was not
	since  time.Time // the server has had the time from then on
	bytes  int64     // that have come since
	step   time.Time // the step that is under way ends then
	last   time.Time // all ends then
}

// Why an exchange was cut. Both are time-outs.
var (
	errLate = fmt.Errorf("longer than the limit: %w", os.ErrDeadlineExceeded)
	errSlow = fmt.Errorf("slower than the least rate: %w", os.ErrDeadlineExceeded)
)

// ErrGivenBack is the error of an exchange that GiveBack has cut.
var ErrGivenBack = errors.New("given back")

// CutSlow cuts the exchanges whose server has had at least the time after, and has sent less than
// least bytes a second in that time. They end as if their time by the Limits were over. Waits for
// Pace, Turn and the disk do not count as time of the server.
func (c *Client) CutSlow(least float64, after time.Duration) { c.cutSlow(least, after, errSlow) }

// GiveBack cuts the same exchanges as CutSlow, but they end with ErrGivenBack: their servers may be
// healthy. What they have sent is dropped.
func (c *Client) GiveBack(least float64, after time.Duration) { c.cutSlow(least, after, ErrGivenBack) }

func (c *Client) cutSlow(least float64, after time.Duration, why error) {
	c.judge(func(x *exchange, now time.Time) error {
		if had := now.Sub(x.since); had >= after && float64(x.bytes) < least*had.Seconds() {
			return why
		}
		return nil
	})
}

// judge cuts the exchanges for which verdict returns an error.
func (c *Client) judge(verdict func(x *exchange, now time.Time) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for x := range c.underWay {
		x.judge(now, verdict)
	}
}

func (x *exchange) judge(now time.Time, verdict func(*exchange, time.Time) error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.cancel == nil {
		return
	}
	if x.cut == nil {
		x.cut = verdict(x, now)
	}
	if x.cut != nil { // now or before
		x.cancel()
	}
}

// late returns an error if the time of x is over.
func (x *exchange) late(now time.Time) error {
	if now.Before(x.step) && now.Before(x.last) {
		return nil
	}
	return errLate
}

// lateness is the part of Limits.Timeout by which an exchange may end late: a sixteenth.
const lateness = 16

// tick returns the interval between checks of the clock.
func (c *Client) tick() time.Duration { return max(c.Limits.Timeout/lateness, time.Millisecond) }

// look cuts the exchanges whose time is over, and checks again later while there are exchanges.
func (c *Client) look() {
	c.judge((*exchange).late)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.underWay) > 0 {
		c.clock.Reset(c.tick())
	} else {
		c.clock = nil
	}
}

// begin lets the clock and the context of x cut it, until forget is called.
func (c *Client) begin(x *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.underWay == nil {
		c.underWay = map[*exchange]struct{}{}
	}
	c.underWay[x] = struct{}{}
	if c.clock == nil {
		c.clock = time.AfterFunc(c.tick(), c.look)
	}
	if done := x.ctx.Done(); done != c.done { // most exchanges have the context of the one before
		c.done = done
		context.AfterFunc(x.ctx, func() { c.judge((*exchange).ended) })
	}
}

// ended returns an error if the context of x is done.
func (x *exchange) ended(time.Time) error { return x.ctx.Err() }

func (c *Client) forget(x *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.underWay, x)
}

// start begins an operation for which the server's time counts, and returns the current time.
// cancel cuts the operation.
func (x *exchange) start(cancel func(), total time.Duration) (now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	now = time.Now()
	x.cancel, x.since, x.bytes = cancel, now, 0
	x.step, x.last = now.Add(x.client.Limits.Timeout), now.Add(total)
	if x.cut != nil || x.ctx.Err() != nil { // before there was this to break off
		cancel()
	}
	return now
}

// extend begins the next step.
func (x *exchange) extend() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.step = time.Now().Add(x.client.Limits.Timeout)
}

// stop ends the operation that start has begun. It returns why the operation was cut, or nil.
func (x *exchange) stop() (cut error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cancel = nil
	return x.cut
}

// errorOf ends the operation that start has begun, after it failed with err. It returns the error
// of withdrawn if there is one, else the result of name for the error.
func (x *exchange) errorOf(err error, name func(error) error) error {
	if cut := x.stop(); cut != nil {
		err = cut
	}
	if gone := x.withdrawn(); gone != nil {
		return gone
	}
	return name(err)
}

// withdrawn returns the error of the context if that is done, and ErrGivenBack if x was given back.
func (x *exchange) withdrawn() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ctx.Err() == nil && x.cut == ErrGivenBack {
		return x.cut
	}
	return x.ctx.Err()
}

// Read reads from the connection. A bufio.Reader uses it.
func (x *exchange) Read(p []byte) (int, error) {
	if piece := x.client.Piece; piece > 0 {
		p = p[:min(len(p), piece)]
	}
	if x.inBody {
		x.extend()
	}
	n, err := x.link.conn.Read(p)
	if n > 0 {
		if perr := x.came(n); err == nil {
			err = perr
		}
	}
	return n, err
}

// came counts n bytes and waits for Pace.
func (x *exchange) came(n int) error {
	x.mu.Lock()
	x.bytes += int64(n)
	x.mu.Unlock()
	if x.client.Pace == nil {
		return nil
	}
	return x.apart(func() error { return x.client.Pace(x.ctx, n) })
}

// apart calls do and does not count its time as time of the server, so it moves all limits by that
// time. Nothing is cut meanwhile. If the context is done, apart returns its error afterwards.
func (x *exchange) apart(do func() error) error {
	x.mu.Lock()
	cancel := x.cancel
	x.cancel = nil
	x.mu.Unlock()
	start := time.Now()
	err := do()
	took := time.Since(start)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cancel = cancel
	x.paused += took
	x.since, x.step, x.last = x.since.Add(took), x.step.Add(took), x.last.Add(took)
	return cmp.Or(err, x.ctx.Err())
}

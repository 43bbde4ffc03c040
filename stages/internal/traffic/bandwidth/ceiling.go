package bandwidth

import (
	"context"
	"sync"
	"time"
)

// Slack is the share by which a second may exceed the rate of a Ceiling. It is the sum of three
// parts, so that connections need not wait for every few bytes:
//
//	saved   unused bytes of the last 20 ms may be used later: a busy machine wakes sleepers late
//	nap     no connection sleeps for less than 10 ms
//	pieces  the bytes that all connections together may read before they ask
const Slack = 0.05

const (
	saved  = 20 * time.Millisecond
	nap    = 10 * time.Millisecond
	pieces = Slack - float64(saved+nap)/float64(time.Second)
)

// largest is the largest piece. A larger one would not be faster.
const largest = 16 << 10

// A Ceiling holds what is read by all connections together to a rate: each n bytes take their turn
// on a line that passes the rate, and who has read them waits until they have passed. A read that
// begins in a second has its turn after the second's beginning less saved; and if the connection
// reads again in that second, before its end and nap. So these turns pass in 1 s, saved and nap.
// What is left is the last read of each connection; so if no read is larger than Piece, no second,
// wherever it begins, exceeds the rate by more than Slack.
//
// What counts is when fetch reads. The systems on both sides have more under way: what comes
// before it is read waits in the receive buffer of its connection.
//
// Unlike a Control, a Ceiling is safe for concurrent use.
type Ceiling struct {
	rate  float64
	piece int

	mu   sync.Mutex
	free time.Time // when all bytes that were read have passed
}

// NewCeiling returns a ceiling of rate bytes a second, for so many connections.
func NewCeiling(rate float64, connections int) *Ceiling {
	piece := int(pieces * rate / float64(connections))
	return &Ceiling{rate: rate, piece: min(max(piece, 1), largest)}
}

// Piece returns the maximum number of bytes that a connection may read before it calls Pace.
func (c *Ceiling) Piece() int { return c.piece }

// Reserve returns how long to wait from now after n bytes were read.
func (c *Ceiling) Reserve(now time.Time, n int) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if earliest := now.Add(-saved); c.free.Before(earliest) {
		c.free = earliest
	}
	c.free = c.free.Add(time.Duration(float64(n) / c.rate * float64(time.Second)))
	if wait := c.free.Sub(now); wait >= nap {
		return wait
	}
	return 0
}

// Pace waits after n bytes were read, or until ctx is done.
func (c *Ceiling) Pace(ctx context.Context, n int) error {
	wait := c.Reserve(time.Now(), n)
	if wait == 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package bandwidth

import (
	"context"
	"sync"
	"time"
)

// Slack is by what share of the rate a Ceiling lets a second be above it.
const Slack = 0.05

// largest is the largest piece: more at once would save nothing.
const largest = 16 << 10

// A Ceiling holds what is read by all connections together to a rate: who has read n bytes waits until the
// bytes read before and these would have passed at the rate. Of each connection's reads in a
// second, all but the last have passed in it; so if no read is larger than Piece, no second,
// wherever it begins, exceeds the rate by more than Slack.
//
// What counts is when fetch reads. The systems on both sides have more under way: what comes
// before it is read waits in the receive buffer of its connection.
//
// Unlike a Control it may be used by many goroutines.
type Ceiling struct {
	rate  float64
	piece int

	mu   sync.Mutex
	free time.Time // when all that was read has passed
}

// NewCeiling returns a ceiling of rate bytes a second, for so many connections.
func NewCeiling(rate float64, connections int) *Ceiling {
	piece := int(Slack * rate / float64(connections))
	return &Ceiling{rate: rate, piece: min(max(piece, 1), largest)}
}

// Piece is the most that a connection may read before it calls Pace, in bytes.
func (c *Ceiling) Piece() int { return c.piece }

// Reserve tells how long from now on n bytes that have been read must be waited for.
func (c *Ceiling) Reserve(now time.Time, n int) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.free.Before(now) {
		c.free = now
	}
	c.free = c.free.Add(time.Duration(float64(n) / c.rate * float64(time.Second)))
	return c.free.Sub(now)
}

// Pace waits for n bytes that have been read, or until ctx ends.
func (c *Ceiling) Pace(ctx context.Context, n int) error {
	timer := time.NewTimer(c.Reserve(time.Now(), n))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

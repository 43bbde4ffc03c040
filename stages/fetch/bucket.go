package main

import (
	"context"
	"sync"
	"time"
)

// A bucket holds the sum of all connections to a rate: who has read n bytes waits until
// the bytes read before and these would have passed at the rate. So what is read in any
// span exceeds the rate by no more than one piece of each connection.
type bucket struct {
	rate int64 // bytes a second

	mu   sync.Mutex
	free time.Time // when all that was read has passed
}

// reserve tells how long from now on n bytes that have been read must be waited for.
func (b *bucket) reserve(now time.Time, n int) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.free.Before(now) {
		b.free = now
	}
	b.free = b.free.Add(time.Duration(float64(n) / float64(b.rate) * float64(time.Second)))
	return b.free.Sub(now)
}

// pace waits for n bytes that have been read, or until ctx ends.
func (b *bucket) pace(ctx context.Context, n int) error {
	timer := time.NewTimer(b.reserve(time.Now(), n))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

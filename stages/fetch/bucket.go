package main

import (
	"context"
	"sync"
	"sync/atomic"
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

// pauseKey is the context's key for the sum of what the requests of one context have waited.
type pauseKey struct{}

// withPause returns a context that keeps book of the time that counted waits in it.
func withPause(ctx context.Context) (context.Context, func() time.Duration) {
	sum := new(atomic.Int64)
	return context.WithValue(ctx, pauseKey{}, sum), func() time.Duration { return time.Duration(sum.Load()) }
}

// counted is pace with its waits added up: they are this crawler's, not the server's slowness.
func counted(pace func(context.Context, int) error) func(context.Context, int) error {
	return func(ctx context.Context, n int) error {
		start := time.Now()
		err := pace(ctx, n)
		if sum, ok := ctx.Value(pauseKey{}).(*atomic.Int64); ok {
			sum.Add(int64(time.Since(start)))
		}
		return err
	}
}

package main

import (
	"context"
	"sync/atomic"
	"time"
)

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
		paused(ctx, time.Since(start))
		return err
	}
}

// paused adds d to what the requests of ctx have waited.
func paused(ctx context.Context, d time.Duration) {
	if sum, ok := ctx.Value(pauseKey{}).(*atomic.Int64); ok {
		sum.Add(int64(d))
	}
}

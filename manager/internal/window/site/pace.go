package site

import (
	"context"
	"sync"
	"time"
)

// The least pause between two refreshes of a page, and the share of a processor that all refreshes
// together may take.
const (
	leastPause = time.Second
	costs      = 0.01
)

// A pace spaces the refreshes of all pages so that together they take no more than costs. The time
// of a refresh is at least the processor time that it takes.
type pace struct {
	mu   sync.Mutex
	next time.Time // no refresh begins before
}

func newPace() *pace { return &pace{} }

// do waits until a refresh may begin, and does it. It returns false if the context ended before.
func (p *pace) do(ctx context.Context, refresh func()) bool {
	for {
		p.mu.Lock()
		wait := time.Until(p.next)
		if wait <= 0 {
			break
		}
		p.mu.Unlock()
		select {
		case <-ctx.Done():
			return false
		case <-time.After(wait):
		}
	}
	defer p.mu.Unlock()
	begin := time.Now()
	refresh()
	took := time.Since(begin)
	p.next = begin.Add(time.Duration(float64(took) / costs))
	return ctx.Err() == nil
}

package site

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// The least pause between two refreshes of a page, and the share of a processor that all refreshes
// together may take.
const (
	leastPause = time.Second
	costs      = 0.01
)

// A spent is processor time: of this thread so far, and of all the program. A refresh also costs
// what other threads do to collect its garbage, so the program counts. But while a refresh waits
// for a crawl, the program may do other work, so not more counts than most times the thread.
type spent struct{ thread, program time.Duration }

const most = 3

// since returns what the work since earlier has cost.
func (s spent) since(earlier spent) time.Duration {
	return min(s.program-earlier.program, most*(s.thread-earlier.thread))
}

// A throttle spaces the refreshes of all pages so that together they take no more than costs.
type throttle struct {
	used func() spent

	mu   sync.Mutex
	next time.Time // no refresh begins before
}

func newThrottle(used func() spent) *throttle { return &throttle{used: used} }

// do waits until a refresh may begin, and does it. It returns false if the context ended before.
func (p *throttle) do(ctx context.Context, refresh func()) bool {
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
	if ctx.Err() != nil {
		return false
	}
	pause := p.pause(refresh)
	p.next = time.Now().Add(pause)
	return true
}

// charge does work at once that a refresh has caused, and so delays the next refresh.
func (p *throttle) charge(work func()) {
	pause := p.pause(work)
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); p.next.Before(now) {
		p.next = now
	}
	p.next = p.next.Add(pause)
}

// pause does work, and returns in what time it takes no more than its share of a processor.
func (p *throttle) pause(work func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := p.used()
	work()
	return time.Duration(float64(p.used().since(before)) / costs)
}

// processorTime returns what this thread and the program have used.
func processorTime() spent {
	return spent{rusage(unix.RUSAGE_THREAD), rusage(unix.RUSAGE_SELF)}
}

func rusage(who int) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

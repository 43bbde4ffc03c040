package main

import (
	"context"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// maxRenewed limits the compressed robots.txt files that one run fetches and keeps in memory until
// it writes its segment. Ordinary files take a hundredth of it.
const maxRenewed = 64 << 20

// memory is the memory use above which the garbage collector works harder. While the segment is
// written, the robots.txt files are in memory twice.
const memory = 4 * maxRenewed

// A renewal asks about the stale origins of a run in order. Only origins that wait for others with
// the same address come later.
type renewal struct {
	o       *options
	prober  *prober
	origins []string
	old     map[string]*entry
	done    []*entry // indexed as the origins; nil if an origin's turn did not come

	start      time.Time
	next, kept atomic.Int64
	came       atomic.Int64 // time of the last answer, since start

	shares *shares // bytes fetched by domain

	mu    sync.Mutex
	lanes map[netip.Addr]*lane
}

// A lane has the requests to one address, which many hosts may share.
type lane struct {
	busy    int    // number of workers that ask there
	waiting []task // tasks that wait for one of them
}

// A task is an origin whose server is known but has not been asked yet.
type task struct {
	origin int
	entry  *entry
}

// renew asks about the origins. Origins whose turn does not come have no entry afterwards.
func (o *options) renew(ctx context.Context, c *cache, p *prober, origins []string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &renewal{o: o, prober: p, origins: origins, old: c.entries, start: time.Now(),
		done: make([]*entry, len(origins)), shares: newShares(), lanes: map[netip.Addr]*lane{}}
	if o.tail > 0 {
		go r.hurry(ctx)
	}
	var wg sync.WaitGroup
	for range min(o.jobs, len(origins)) {
		wg.Go(func() {
			if err := r.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for i, origin := range origins {
		delete(c.entries, origin)
		if e := r.done[i]; e != nil {
			c.entries[origin] = e
		}
	}
	return nil
}

// slow is how long a server may take before it counts as slow.
func (o *options) slow() time.Duration { return o.timeout / 4 }

// goesOn reports whether another server may be asked.
func (r *renewal) goesOn() bool {
	return time.Since(r.start) < r.o.span && r.kept.Load() < r.o.room && !r.stuck()
}

// stuck reports whether all servers that are being asked are slow.
func (r *renewal) stuck() bool {
	return r.o.tail > 0 && time.Since(r.start)-time.Duration(r.came.Load()) >= r.o.tail
}

// asked notes that a server that was asked at began has answered or failed. Slow answers do not
// count.
func (r *renewal) asked(began time.Time) {
	if now := time.Now(); now.Sub(began) < r.o.slow() {
		r.came.Store(int64(now.Sub(r.start)))
	}
}

// leastRate is the lowest rate, in bytes a second, at which a robots.txt may arrive when only slow
// servers are left.
const leastRate = 1000

// hurry cuts answers that drip whenever only slow servers are left. It returns when ctx is done.
func (r *renewal) hurry(ctx context.Context) {
	for tick := time.Tick(max(r.o.tail/4, 10*time.Millisecond)); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			if r.stuck() {
				r.prober.client.CutSlow(leastRate, r.o.slow())
			}
		}
	}
}

// work looks up one origin after another and requests its robots.txt. It never waits for other
// workers: if enough of them ask at an address already, it leaves the origin to them.
func (r *renewal) work(ctx context.Context) error {
	for r.goesOn() {
		i := int(r.next.Add(1)) - 1
		if i >= len(r.origins) {
			return nil
		}
		if !r.shares.left(r.origins[i]) {
			continue
		}
		began := time.Now()
		e, err := r.prober.find(ctx, r.origins[i], r.old[r.origins[i]])
		if err != nil {
			return err
		}
		r.asked(began)
		if len(e.addrs) == 0 {
			r.done[i] = e
			continue
		}
		addr := e.addrs[0].Addr()
		for t, ok := r.enter(addr, task{i, e}); ok; t, ok = r.leave(addr) {
			if err := r.ask(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *renewal) ask(ctx context.Context, t task) error {
	if !r.shares.left(t.entry.origin) {
		return nil
	}
	defer r.asked(time.Now())
	if err := r.prober.ask(ctx, t.entry, r.old[r.origins[t.origin]]); err != nil {
		return err
	}
	r.shares.spend(t.entry.origin, t.entry.size)
	r.kept.Add(int64(len(t.entry.robots)))
	r.done[t.origin] = t.entry
	return nil
}

// enter returns t and true if the worker may ask at addr. If enough workers ask there already, it
// queues t for them and returns false.
func (r *renewal) enter(addr netip.Addr, t task) (task, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.lanes[addr]
	if l == nil {
		l = &lane{}
		r.lanes[addr] = l
	}
	if r.o.perAddress > 0 && l.busy == r.o.perAddress {
		l.waiting = append(l.waiting, t)
		return task{}, false
	}
	l.busy++
	return t, true
}

// leave returns the next task that waits at addr for the worker that has just asked there. Without
// one it returns false.
func (r *renewal) leave(addr netip.Addr) (task, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.lanes[addr]
	if len(l.waiting) == 0 || !r.goesOn() {
		l.busy--
		return task{}, false
	}
	t := l.waiting[0]
	l.waiting = l.waiting[1:]
	return t, true
}

package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"multitext/stages/internal/run/report"
	"multitext/stages/internal/traffic/bandwidth"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/traffic/polite"
)

// A round fetches the URLs of one run. It has lanes: goroutines that make one request after another
// and archive the answers. A lane that has finished a request settles it and takes the next itself,
// so that no other goroutine need be woken while there is work.
type round struct {
	o        *options
	client   *exchange.Client
	archive  *archive
	rep      *report.Report
	log      *slog.Logger
	tail     tail
	wasCut   bool      // it has URLs for which a short run was ended
	deadline time.Time // no turn is taken then or later
	end      time.Time // what is under way then is broken off

	tasks chan task // to lanes that wait
	lanes sync.WaitGroup

	mu       sync.Mutex // guards what follows
	schedule *polite.Schedule[*target]
	outlet   *outlet
	state    *state
	tally    *tally // nil: without -visits
	gate     *gate
	hosts    int         // with URLs, when the run began
	hurried  time.Time   // what drips was last looked for
	waiting  int         // lanes
	timer    *time.Timer // dispatches, at
	at       time.Time   // zero: never
	err      error       // the first that ends the run
	cancel   context.CancelFunc
	short    bool // the run was ended by endShort
	ended    bool
	over     chan struct{} // closed when ended is true
}

// A turn is a request that has been started.
type turn = polite.Request[*target]

// A task is what a lane needs to make it.
type task struct {
	*turn
	booked bandwidth.Download
	keep   bool // its connection
}

// run fetches until nothing is left that can be started. What is left of the schedule is
// not touched. When it returns, no request is under way.
func (r *round) run(ctx context.Context) error {
	asks, cancel := context.WithDeadline(ctx, r.end)
	defer cancel()
	r.cancel = cancel
	r.tasks, r.over = make(chan task, r.o.connections), make(chan struct{})
	r.timer = time.AfterFunc(time.Hour, func() { r.wake(asks) })
	defer r.timer.Stop()
	defer context.AfterFunc(ctx, func() { r.fail(asks, ctx.Err()) })()
	r.hosts, _ = r.schedule.Left()
	r.wake(asks)
	<-r.over
	close(r.tasks)
	r.lanes.Wait()
	return r.err
}

// wake dispatches when it is time, not because a request has ended.
func (r *round) wake(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = time.Time{}
	r.dispatch(ctx, nil)
}

// fail ends the run because of err.
func (r *round) fail(ctx context.Context, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stop(err)
	r.dispatch(ctx, nil)
}

// stop lets nothing more start because of err, and breaks off what is under way, with r.mu held.
func (r *round) stop(err error) {
	if r.err == nil {
		r.err = err
	}
	r.cancel()
}

// dispatch starts what may be started, with r.mu held: the first request goes to own, if there is
// one, whose lane makes it; others to lanes that wait, or to new ones. It tells whether own was
// given one.
func (r *round) dispatch(ctx context.Context, own *task) (given bool) {
	var again time.Time
	for r.err == nil && !r.ended && r.schedule.Active() < r.o.connections {
		now := time.Now()
		var next *turn
		if next, again = r.gate.next(r.schedule, now); next == nil {
			again = r.lookAgain(now, again)
			break
		}
		j := task{next, r.gate.control.Start(now, next.Item.address()), next.MayKeep(sameServer)}
		switch {
		case own != nil && !given:
			*own, given = j, true
		case r.waiting > 0:
			r.waiting--
			r.tasks <- j // has room: it is as large as there may be lanes
		default:
			r.lanes.Go(func() { r.newLane().run(ctx, j) })
		}
	}
	if r.err == nil && !r.ended && r.schedule.Active() >= r.o.connections {
		again = r.hurry(time.Now())
	}
	r.dispatchAt(again)
	if r.schedule.Active() == 0 && again.IsZero() && !r.ended {
		r.ended = true
		close(r.over)
	}
	return given
}

// lookAgain gives when to look for a request to start, where none may at now, and the next one's
// turn comes at again. It ends the schedule where that turn is not worth waiting for; if it has
// come, and waits for the rate, it is.
func (r *round) lookAgain(now, again time.Time) time.Time {
	if again.IsZero() && r.schedule.Active() == 0 {
		return again // the run is over
	}
	left, unasked := r.schedule.Left()
	if !r.schedule.Due(now) && r.tail.endsShort(now, left+r.schedule.Active(), r.hosts) {
		return r.endShort()
	}
	if r.schedule.Due(now) || !r.tail.cuts(now, left, r.hosts) {
		return r.tail.look(now, again)
	}
	if unasked == 0 {
		r.schedule.End()
		again = time.Time{}
	}
	if r.schedule.Active() == 0 {
		return again
	}
	if next := r.hurry(now); again.IsZero() || next.Before(again) {
		return next
	}
	return again
}

// endShort ends the run at once: what is under way is broken off, and all that is left goes to again.
func (r *round) endShort() (never time.Time) {
	r.short = true
	r.schedule.End()
	r.cancel()
	return never
}

// hurry cuts what drips, for others wait for it: for a lane, or for the end of the run. It gives
// when to do so again.
func (r *round) hurry(now time.Time) time.Time {
	if now.Sub(r.hurried) >= lookEach {
		r.hurried = now
		r.client.CutSlow(float64(*r.o.leastRate), grace(r.o.timeout, r.hosts))
	}
	return r.hurried.Add(lookEach)
}

// dispatchAt sets the time of the next dispatch that no end of a request makes.
func (r *round) dispatchAt(at time.Time) {
	if at.Equal(r.at) {
		return
	}
	if r.at = at; at.IsZero() {
		r.timer.Stop()
	} else {
		r.timer.Reset(time.Until(at))
	}
}

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

// A round fetches the URLs of one run. It has lanes, which are goroutines that make one request
// after another and archive the answers. A lane that has finished a request settles it and takes
// the next one itself, so that no other goroutine has to wake up while there is work.
type round struct {
	o        *options
	client   *exchange.Client
	archive  *archive
	rep      *report.Report
	log      *slog.Logger
	tail     tail
	wasCut   bool      // some URLs were put off once by the end of a short run
	deadline time.Time // from then on no request starts
	end      time.Time // requests that are still running then are cut

	tasks chan task // for waiting lanes
	lanes sync.WaitGroup

	mu       sync.Mutex // guards the fields below
	schedule *polite.Schedule[*target]
	outlet   *outlet
	state    *state
	tally    *tally // nil without -visits
	gate     *gate
	hosts    int         // number of hosts with URLs at the start of the run
	hurried  time.Time   // when answers that drip were last searched
	last     time.Time   // when a request last ended, or the run began
	waiting  int         // number of waiting lanes
	timer    *time.Timer // calls dispatch
	at       time.Time   // time of timer; zero: never
	err      error       // the first error that ended the run
	cancel   context.CancelFunc
	short    bool // endShort ended the run
	// The tail ended the run, with -visits, and hosts without a first request did not hold it.
	leavesUnasked bool
	ended         bool
	over          chan struct{} // closed when ended is true
}

// A turn is a request that has been started.
type turn = polite.Request[*target]

// A task has what a lane needs to make a request.
type task struct {
	*turn
	booked bandwidth.Download
	keep   bool // keep its connection
}

// run fetches until no request can start any more. The remaining URLs stay in the schedule. When
// run returns, no request is running.
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

// wake calls dispatch when the timer fires.
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

// stop ends the run because of err: no more requests start, and running requests are cut. r.mu must
// be held.
func (r *round) stop(err error) {
	if r.err == nil {
		r.err = err
	}
	r.cancel()
}

// dispatch starts all requests that may start. r.mu must be held. The first request goes to own, if
// it is not nil; the caller's lane makes it. Other requests go to waiting lanes or to new ones.
// dispatch reports whether own was set.
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
			r.tasks <- j // does not block: its capacity is the maximum number of lanes
		default:
			r.lanes.Go(func() { r.newLane().run(ctx, j) })
		}
	}
	if r.err == nil && !r.ended && r.schedule.Active() >= r.o.connections {
		now := time.Now()
		again = r.hurry(now)
		if least, ok := r.tail.stuck(now, r.last); ok {
			r.client.GiveBack(float64(*r.o.leastRate), least)
		}
	}
	r.dispatchAt(again)
	if r.schedule.Active() == 0 && again.IsZero() && !r.ended {
		r.ended = true
		close(r.over)
	}
	return given
}

// lookAgain returns when to look again for a request to start, if none may start at now. again is
// when the next request is due. If it is not worth waiting for that request, lookAgain ends the
// schedule. A request that is due and waits only for the rate is always worth waiting for.
func (r *round) lookAgain(now, again time.Time) time.Time {
	if again.IsZero() && r.schedule.Active() == 0 {
		return again // the run is over
	}
	left, unasked := r.schedule.Left()
	if !r.schedule.Due(now) && r.tail.endsShort(now, r.last, left+r.schedule.Active(), r.hosts) {
		return r.endShort()
	}
	if r.schedule.Due(now) || !r.tail.cuts(now, left, r.hosts) {
		return r.tail.look(now, r.last, again)
	}
	if r.leavesUnasked = r.tally != nil && !r.wasCut; unasked == 0 || r.leavesUnasked {
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

// endShort ends the run at once: running requests are cut, and all remaining URLs go to again.
func (r *round) endShort() (never time.Time) {
	r.short = true
	r.schedule.End()
	r.cancel()
	return never
}

// hurry cuts answers that drip, because other requests wait for a lane or the run waits for its
// end. It returns when to do this again.
func (r *round) hurry(now time.Time) time.Time {
	if now.Sub(r.hurried) >= lookEach {
		r.hurried = now
		r.client.CutSlow(float64(*r.o.leastRate), grace(r.o.timeout, r.hosts))
	}
	return r.hurried.Add(lookEach)
}

// dispatchAt sets the timer for the next dispatch.
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

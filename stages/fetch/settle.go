package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"multitext/stages/internal/traffic/again"
	"multitext/stages/internal/traffic/exchange"
)

// settle sends a result where it belongs, and takes the next request into next if there is one that
// may start.
func (r *round) settle(ctx context.Context, res result, next *task) (more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.settled(ctx, res); err != nil {
		r.stop(err)
	}
	if more = r.dispatch(ctx, next); !more {
		r.waiting++
	}
	return more
}

func (r *round) settled(ctx context.Context, res result) error {
	host := res.Item.host
	if slow := r.schedule.Done(res.turn, res.ended, res.took); slow > 0 {
		r.state.load.Hold(host, res.ended.Add(slow)) // for the next run
	}
	r.gate.control.End(res.ended, res.booked, res.bytes)
	if !errors.Is(res.err, errNoTurn) {
		r.state.load.Count(host, res.ended)
	}
	switch {
	case r.err != nil || res.broken != nil:
		return res.broken
	case res.err == nil:
		return r.settleAnswer(res, host)
	case r.short && errors.Is(res.err, context.Canceled):
		r.tally.failed(res.Item, cutShort, true)
		return r.outlet.cutShort(res.Item.rec, res.ended)
	case errors.Is(ctx.Err(), context.Canceled): // which r.end is not
		return ctx.Err()
	case errors.Is(res.err, errExpired):
		return r.outlet.putOff(res.Item.rec, pinExpired, res.ended, 0)
	case errors.Is(res.err, errNoTurn):
		return r.outlet.putOff(res.Item.rec, notStarted, res.ended, 0)
	}
	return r.settleFailure(res)
}

// settleFailure is for requests that have no answer.
func (r *round) settleFailure(res result) error {
	v := res.Item
	reason, reached, ok := reasonOf(res.err)
	if !ok {
		return fmt.Errorf("fetch %s: %w", v.url, res.err)
	}
	r.log.Debug("no answer", "url", v.url, "reason", reason, "err", res.err)
	r.tally.failed(v, reason, reached)
	if !reached {
		r.schedule.Unreached(v.host)
		if r.nextAddress(v) {
			return nil
		}
		if err := r.giveUpServer(v, reason, res.ended); err != nil {
			return err
		}
	}
	return r.outlet.fail(v.rec, reason, res.ended, 0)
}

func (r *round) settleAnswer(res result, host string) error {
	r.rep.Count("bytes", res.bytes)
	r.tally.answered(host, &res)
	why, wait := busy(res.answer), time.Duration(0)
	if why == "" {
		r.schedule.Ease(host)
	} else {
		var err error
		if wait, err = r.leaveAlone(host, why, res); err != nil {
			return err
		}
	}
	switch res.reason {
	case "":
	case why:
		return r.outlet.fail(res.Item.rec, why, res.ended, wait)
	default:
		return r.outlet.fail(res.Item.rec, res.reason, res.ended, 0)
	}
	if cut := res.answer.Truncated; cut != exchange.Whole {
		r.rep.Count("truncated-"+cut, 1)
	}
	r.rep.Count(statusClass(res.answer), 1)
	return nil
}

// leaveAlone slows a host that is asked too much (429, 503): its delay doubles, up to -max-delay,
// and each other answer halves it again, since a few pages may answer 503 for ever. It holds the
// host for as long as Retry-After says, at most an hour, and returns that time, 0 if there is none.
// A host that is busy even at -max-delay is held for as long as the policy says.
func (r *round) leaveAlone(host, reason string, res result) (asked time.Duration, err error) {
	delay, slowest := r.schedule.Slow(host, res.ended)
	asked = again.RetryAfter(res.answer.Header.Get("Retry-After"), res.ended)
	hold := asked
	if hold == 0 && slowest {
		hold = r.outlet.policy.of(reason).wait
	}
	if hold == 0 {
		r.state.load.Hold(host, res.ended.Add(delay))
		return 0, nil
	}
	r.state.load.Hold(host, res.ended.Add(hold))
	return asked, r.hold(host, res.ended, hold)
}

// hold leaves a host alone for some time. If that is longer than -max-delay, its other URLs go to
// again and lose no try. A host that answers so for ever would let one URL after the other use up
// its tries, and hold a crawl for years: so outlet.hold gives up a URL after -patience, which is
// long, for a host may answer some requests each hour and be well.
func (r *round) hold(host string, now time.Time, wait time.Duration) error {
	r.schedule.Hold(host, now.Add(wait))
	if wait <= r.o.maxDelay {
		return nil
	}
	for _, v := range r.schedule.Cut(host, 0) {
		if err := r.outlet.hold(v.rec, now, wait); err != nil {
			return err
		}
	}
	return nil
}

// nextAddress lets v and the other URLs of its server be asked for at the next address of their
// pin, for the first could not be reached. It returns false if there is none. No try is lost: to
// ask there is a request like any other, which waits for its turn.
func (r *round) nextAddress(v *target) bool {
	was := *v
	if !v.dropAddress() {
		return false
	}
	r.rep.Count("next-address", 1)
	others := r.schedule.Cut(v.host, 0)
	r.schedule.Add(v.host, v.address(), 0, v)
	for _, other := range others {
		if sameServer(other, &was) {
			other.dropAddress()
		}
		r.schedule.Add(v.host, other.address(), 0, other)
	}
	return true
}

// giveUpServer lets the other URLs of v's server fail with it: it could not be reached,
// and a dead server is not asked once for each of its URLs. URLs of the same host under
// another scheme or port stay.
func (r *round) giveUpServer(v *target, reason string, now time.Time) error {
	for _, other := range r.schedule.Cut(v.host, 0) {
		if !sameServer(other, v) {
			r.schedule.Add(v.host, other.address(), 0, other)
			continue
		}
		if err := r.outlet.fail(other.rec, reason, now, 0); err != nil {
			return err
		}
	}
	return nil
}

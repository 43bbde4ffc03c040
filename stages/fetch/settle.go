package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"multitext/stages/internal/traffic/again"
	"multitext/stages/internal/traffic/exchange"
)

// settle writes a result to the right output. If another request may start, settle stores it in
// next and returns true.
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
	r.last = res.ended
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
		return r.cutShort(res)
	case errors.Is(res.err, exchange.ErrGivenBack):
		return errors.Join(r.cutShort(res), r.giveBack(host, res.ended))
	case errors.Is(ctx.Err(), context.Canceled): // not the end of the run at r.end
		return ctx.Err()
	case errors.Is(res.err, errExpired):
		return r.outlet.putOff(res.Item.rec, pinExpired, res.ended, 0)
	case errors.Is(res.err, errNoTurn):
		return r.outlet.putOff(res.Item.rec, notStarted, res.ended, 0)
	}
	return r.settleFailure(res)
}

// cutShort settles a request for which the run did not wait any longer.
func (r *round) cutShort(res result) error {
	r.tally.failed(res.Item, cutShort, true)
	return r.outlet.cutShort(res.Item.rec, res.ended)
}

// giveBack puts off the other URLs of a host that did not answer as soon as the others.
func (r *round) giveBack(host string, now time.Time) error {
	for _, v := range r.schedule.Cut(host, 0) {
		if err := r.outlet.putOff(v.rec, notStarted, now, 0); err != nil {
			return err
		}
	}
	return nil
}

// settleFailure settles a request that has no answer.
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

// leaveAlone slows down a host after 429 or 503. The delay of the host doubles, up to -max-delay.
// Each other answer halves it again, because a few pages may answer 503 for ever. leaveAlone holds
// the host for as long as Retry-After says, at most an hour, and returns that time, or 0. A host
// that is busy even at -max-delay is held for as long as the policy says.
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

// hold stops requests to a host for some time. If that is longer than -max-delay, the other URLs of
// the host go to again and lose no try. If a host answered like this for ever, one URL after
// another would use up its tries, which could delay the end of a crawl for years. So outlet.hold
// gives up a URL after -patience. -patience is long, because a healthy host may answer only some
// requests each hour.
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

// nextAddress moves v and the other URLs of its server to the next address of their pin, because
// the first address could not be reached. It returns false if there is no other address. The URLs
// lose no try, and their requests wait for the delays as usual.
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

// giveUpServer lets the other URLs of v's server fail together with v. The server could not be
// reached, and a dead server should not get a request for each of its URLs. URLs of the same host
// with another scheme or port stay.
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

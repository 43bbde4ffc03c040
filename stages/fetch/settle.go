package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"multitext/stages/internal/again"
	"multitext/stages/internal/exchange"
	"multitext/stages/internal/urlbatch"
)

// settle sends a result where it belongs. An error ends the run.
func (r *round) settle(ctx context.Context, res result) error {
	host := hostOf(res.rec)
	if slow := r.schedule.Done(res.request, res.ended, res.took); slow > 0 {
		r.state.load.Hold(host, res.ended.Add(slow)) // for the next run
	}
	r.gate.end(res)
	if !errors.Is(res.err, errNoTurn) {
		r.state.load.Count(host, res.ended)
	}
	if res.err == nil {
		return r.settleAnswer(res, host)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch {
	case errors.Is(res.err, errExpired):
		return r.outlet.putOff(res.rec, pinExpired, res.ended, 0)
	case errors.Is(res.err, errNoTurn):
		return r.outlet.putOff(res.rec, notStarted, res.ended, 0)
	}
	reason, reached, ok := reasonOf(res.err)
	if !ok {
		return fmt.Errorf("fetch %s: %w", res.rec.URL(), res.err)
	}
	r.log.Debug("no answer", "url", res.rec.URL(), "reason", reason, "err", res.err)
	if !reached {
		if r.nextAddress(res.rec) {
			return nil
		}
		if err := r.giveUpServer(res.rec, reason, res.ended); err != nil {
			return err
		}
	}
	return r.outlet.fail(res.rec, reason, res.ended, 0)
}

func (r *round) settleAnswer(res result, host string) error {
	r.rep.Count("bytes", int64(len(res.answer.Head))+res.answer.Body.Len())
	if reason := busy(res.answer); reason != "" {
		wait, err := r.leaveAlone(host, reason, res)
		if err != nil {
			return err
		}
		if !r.outlet.last(res.rec, reason) {
			res.answer.Close()
			return r.outlet.fail(res.rec, reason, res.ended, wait)
		}
	} else {
		r.schedule.Ease(host)
	}
	cut := res.answer.Truncated
	if cut != exchange.Whole && cut != exchange.CutLength && !r.outlet.last(res.rec, brokenOff) {
		res.answer.Close()
		return r.outlet.fail(res.rec, brokenOff, res.ended, 0)
	}
	if cut != exchange.Whole {
		r.rep.Count("truncated-"+cut, 1)
	}
	r.rep.Count(statusClass(res.answer), 1)
	r.unwritten++
	r.archive.pages <- page{res.rec, res.answer} // has room: unwritten is bounded by it
	return nil
}

// leaveAlone slows a host that is asked too much, holds it for as long as it wants, and returns
// that time, 0 if it named none. A host that is as slow as can be and is busy all the same is held
// for as long as the policy says.
func (r *round) leaveAlone(host, reason string, res result) (asked time.Duration, err error) {
	delay, slowest := r.schedule.Slow(host, res.ended)
	asked = again.RetryAfter(res.answer.Header.Get("Retry-After"), res.ended)
	hold := asked
	if hold == 0 && slowest {
		hold = r.outlet.policy.of(reason).hold
	}
	if hold == 0 {
		r.state.load.Hold(host, res.ended.Add(delay))
		return 0, nil
	}
	r.state.load.Hold(host, res.ended.Add(hold))
	return asked, r.hold(host, res.ended, hold)
}

// hold leaves a host alone for some time. If that is too long to be waited for, its URLs go to
// again.
func (r *round) hold(host string, now time.Time, wait time.Duration) error {
	r.schedule.Hold(host, now.Add(wait))
	if wait <= r.longest {
		return nil
	}
	for _, rec := range r.schedule.Cut(host, 0) {
		if err := r.outlet.hold(rec, now, wait); err != nil {
			return err
		}
	}
	return nil
}

// nextAddress lets rec and the other URLs of its server be asked for at the next address of their
// pin, for the first could not be reached. It returns false if there is none. No try is lost: to
// ask there is a request like any other, which waits for its turn.
func (r *round) nextAddress(rec *urlbatch.Record) bool {
	host, server := hostOf(rec), serverOf(rec)
	if !dropAddress(rec) {
		return false
	}
	r.rep.Count("next-address", 1)
	others := r.schedule.Cut(host, 0)
	r.schedule.Add(host, addressOf(rec), 0, rec)
	for _, other := range others {
		if serverOf(other) == server {
			dropAddress(other)
		}
		r.schedule.Add(host, addressOf(other), 0, other)
	}
	return true
}

// giveUpServer lets the other URLs of rec's server fail with it: it could not be reached,
// and a dead server is not asked once for each of its URLs. URLs of the same host under
// another scheme or port stay.
func (r *round) giveUpServer(rec *urlbatch.Record, reason string, now time.Time) error {
	host, server := hostOf(rec), serverOf(rec)
	for _, other := range r.schedule.Cut(host, 0) {
		if serverOf(other) != server {
			r.schedule.Add(host, addressOf(other), 0, other)
			continue
		}
		if err := r.outlet.fail(other, reason, now, 0); err != nil {
			return err
		}
	}
	return nil
}

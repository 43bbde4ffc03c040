package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/dial"
	"multitext/stages/internal/exchange"
	"multitext/stages/internal/polite"
	"multitext/stages/internal/report"
	"multitext/stages/internal/urlbatch"
)

// A round fetches the URLs of one run. Its methods belong to one goroutine but for ask,
// which runs in one for each request.
type round struct {
	schedule *polite.Schedule[*urlbatch.Record]
	client   *exchange.Client
	finder   *dial.Finder
	archive  *archive
	outlet   *outlet
	state    *state
	rep      *report.Report
	log      *slog.Logger
	room     int           // requests under way and answers not yet written, together
	patience time.Duration // with a host that wants to be left alone
	end      time.Time     // what is under way then is broken off

	results   chan result
	unwritten int
}

// A result is what came of one request.
type result struct {
	request *turn
	rec     *urlbatch.Record
	answer  *exchange.Answer // nil if err is not
	err     error
	ended   time.Time
	took    time.Duration // the server, over it
}

// A turn is a request that has been started.
type turn = polite.Request[*urlbatch.Record]

// run fetches until nothing is left that can be started. What is left of the schedule is
// not touched. When it returns, no request is under way.
func (r *round) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	err := r.loop(ctx)
	cancel()
	for r.schedule.Active() > 0 {
		res := <-r.results
		r.schedule.Done(res.request, res.ended, res.took)
		if res.answer != nil {
			res.answer.Close()
		}
	}
	return err
}

func (r *round) loop(ctx context.Context) error {
	asks, cancel := context.WithDeadline(ctx, r.end)
	defer cancel()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		at := r.start(asks)
		if r.schedule.Active() == 0 && r.unwritten == 0 && at.IsZero() {
			return nil
		}
		var turn <-chan time.Time
		if !at.IsZero() {
			timer.Reset(time.Until(at))
			turn = timer.C
		}
		var err error
		select {
		case <-turn:
		case res := <-r.results:
			err = r.settle(ctx, res)
		case err = <-r.archive.written:
			r.unwritten--
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// start starts requests as long as there is room and a host's turn has come. It returns
// when to look again, zero if only the end of a request or a page written can help.
func (r *round) start(ctx context.Context) time.Time {
	for r.schedule.Active()+r.unwritten < r.room {
		now := time.Now()
		next, again := r.schedule.Next(now)
		if next == nil {
			return again
		}
		r.state.load.Count(hostOf(next.Item), now)
		keep := next.MayKeep()
		go func() { r.results <- r.ask(ctx, next, keep) }()
	}
	return time.Time{}
}

// errExpired says that a pin is no longer valid.
var errExpired = errors.New("the pinned addresses have expired")

// errBadAddr says that addr= is none.
var errBadAddr = errors.New("addr= is no list of addresses")

// ask makes one request.
func (r *round) ask(ctx context.Context, t *turn, keep bool) result {
	res := result{request: t, rec: t.Item}
	addrs, err := r.addrs(ctx, res.rec)
	began := time.Now()
	ctx, waited := withPause(ctx)
	if err == nil {
		etag, modified := validators(res.rec)
		res.answer, err = r.client.Get(ctx, exchange.Request{URL: res.rec.URL(), Addrs: addrs, Keep: keep, ETag: etag, Modified: modified})
	}
	res.err, res.ended = err, time.Now()
	res.took = res.ended.Sub(began) - waited()
	return res
}

// addrs are the addresses pinned to rec; without a pin the name is looked up.
func (r *round) addrs(ctx context.Context, rec *urlbatch.Record) ([]netip.AddrPort, error) {
	pin, ok := rec.Get(urlbatch.Addr)
	if !ok {
		return r.finder.Find(ctx, rec.URL())
	}
	if expired(rec, time.Now()) {
		return nil, errExpired
	}
	var addrs []netip.AddrPort
	for word := range strings.SplitSeq(pin, ",") {
		addr, err := netip.ParseAddrPort(word)
		if err != nil {
			return nil, fmt.Errorf("%w: %.100q", errBadAddr, pin)
		}
		addrs = append(addrs, addr)
	}
	return addrs, nil
}

// expired tells whether rec's pin is no longer valid.
func expired(rec *urlbatch.Record, now time.Time) bool {
	until := rec.Int(urlbatch.Until)
	return until > 0 && now.Unix() >= until
}

// settle sends a result where it belongs. An error ends the run.
func (r *round) settle(ctx context.Context, res result) error {
	host := hostOf(res.rec)
	r.schedule.Done(res.request, res.ended, res.took)
	if res.err == nil {
		return r.settleAnswer(res, host)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(res.err, errExpired) {
		return r.outlet.putOff(res.rec, pinExpired, res.ended, 0)
	}
	reason, reached, ok := reasonOf(res.err)
	if !ok {
		return fmt.Errorf("fetch %s: %w", res.rec.URL(), res.err)
	}
	r.log.Debug("no answer", "url", res.rec.URL(), "reason", reason, "err", res.err)
	if !reached {
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
	delay := r.schedule.Slow(host, res.ended)
	asked = retryAfter(res.answer, res.ended)
	hold := asked
	if hold == 0 && delay >= r.patience {
		hold = r.outlet.policy.of(reason).hold
	}
	if hold == 0 {
		return 0, nil
	}
	r.state.load.Hold(host, res.ended.Add(hold))
	return asked, r.hold(host, res.ended, hold)
}

// hold leaves a host alone for some time. If that is too long to be waited for, its URLs go to
// again.
func (r *round) hold(host string, now time.Time, wait time.Duration) error {
	r.schedule.Hold(host, now.Add(wait))
	if wait <= r.patience {
		return nil
	}
	for _, rec := range r.schedule.Cut(host, 0) {
		if err := r.outlet.putOff(rec, hostHeld, now, wait); err != nil {
			return err
		}
	}
	return nil
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

// serverOf names the server that a request of rec goes to.
func serverOf(rec *urlbatch.Record) string {
	pin, _ := rec.Get(urlbatch.Addr)
	return canon.Scheme(rec.URL()) + "://" + canon.Host(rec.URL()) + " " + pin
}

// addressOf is the server's address, by which its hosts share their turns: the first that is
// pinned to rec; zero if none is.
func addressOf(rec *urlbatch.Record) netip.Addr {
	pin, _ := rec.Get(urlbatch.Addr)
	first, _, _ := strings.Cut(pin, ",")
	at, _ := netip.ParseAddrPort(first)
	return at.Addr().Unmap()
}

// hostOf is whose turn rec takes.
func hostOf(rec *urlbatch.Record) string { return canon.Hostname(rec.URL()) }

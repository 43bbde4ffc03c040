package main

import (
	"context"
	"log/slog"
	"time"

	"multitext/stages/internal/bandwidth"
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
	gate     *gate
	rep      *report.Report
	log      *slog.Logger
	room     int           // requests under way and answers not yet written, together
	longest  time.Duration // that a held host is waited for
	deadline time.Time     // no turn that begins then or later is waited for
	end      time.Time     // what is under way then is broken off

	results   chan result
	unwritten int
}

// A result is what came of one request.
type result struct {
	request *turn
	booked  bandwidth.Download
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

// start starts requests as long as there is room, by -rate too, and a host's turn has come. It returns
// when to look again, zero if only the end of a request or a page written can help.
func (r *round) start(ctx context.Context) time.Time {
	for r.schedule.Active()+r.unwritten < r.room {
		now := time.Now()
		next, again := r.gate.next(r.schedule, now)
		if next == nil {
			return again
		}
		booked := r.gate.start(next, now)
		keep := next.MayKeep(sameServer)
		go func() { r.results <- r.ask(ctx, next, booked, keep) }()
	}
	return time.Time{}
}

// ask makes one request.
func (r *round) ask(ctx context.Context, t *turn, booked bandwidth.Download, keep bool) result {
	res := result{request: t, booked: booked, rec: t.Item}
	addrs, err := r.addresses(ctx, res.rec)
	began := time.Now()
	ctx, waited := withPause(ctx)
	if err == nil {
		etag, modified := validators(res.rec)
		res.answer, err = r.client.Get(ctx, exchange.Request{URL: res.rec.URL(), Addrs: addrs, Keep: keep, ETag: etag, Modified: modified, Turn: r.turnOf(t)})
	}
	res.err, res.ended = err, time.Now()
	res.took = res.ended.Sub(began) - waited()
	return res
}

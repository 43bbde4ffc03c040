package main

import (
	"context"
	"net/netip"
	"time"

	"multitext/stages/internal/traffic/exchange"
)

// A lane makes requests, one after the other. What it needs for each is used again.
type lane struct {
	*round
	address [1]netip.AddrPort
	paused  time.Duration // by which the request under way has waited for -rate, its turn and the disk
}

// A result is what came of one request.
type result struct {
	task
	answer *exchange.Answer // nil if err is not; its body is gone where the page is archived
	bytes  int64            // of it
	reason string           // for which the answer does not count; "" of a page
	err    error            // of the request
	broken error            // of this machine: it ends the run
	ended  time.Time
	took   time.Duration // the server, over it
}

func (r *round) newLane() *lane { return &lane{round: r} }

// run makes the request j and those that follow, until the run is over.
func (l *lane) run(ctx context.Context, j task) {
	for ok := true; ok; {
		res := l.ask(ctx, j)
		if res.answer != nil {
			l.keep(&res)
		}
		if !l.settle(ctx, res, &j) {
			j, ok = <-l.tasks
		}
	}
}

// ask makes one request.
func (l *lane) ask(ctx context.Context, j task) result {
	res, v := result{task: j}, j.Item
	addrs, err := l.addresses(ctx, v)
	began := time.Now()
	l.paused = 0
	if err == nil {
		etag, modified := validators(v.rec)
		res.answer, err = l.client.Get(ctx, exchange.Request{URL: v.url, Addrs: addrs, Keep: j.keep,
			ETag: etag, Modified: modified, Turn: l.turnOf(j.turn), Paused: &l.paused})
	}
	res.err, res.ended = err, time.Now()
	res.took = res.ended.Sub(began) - l.paused
	return res
}

// keep archives the answer of res if it is a page, and lets go of its body.
func (l *lane) keep(res *result) {
	res.bytes = int64(len(res.answer.Head)) + res.answer.Body.Len()
	if res.reason = l.outlet.policy.refuses(res.Item.rec, res.answer); res.reason == "" {
		res.broken = l.archive.write(res.Item, res.answer)
	}
	res.answer.Close()
}

package main

import (
	"context"
	"net/netip"
	"time"

	"multitext/stages/internal/traffic/exchange"
)

// A lane makes requests, one after another. It reuses its buffers.
type lane struct {
	*round
	address [1]netip.AddrPort
	paused  time.Duration // time that the current request has waited for -rate, its turn and the disk
}

// A result is the outcome of one request.
type result struct {
	task
	answer *exchange.Answer // nil if err is not nil; without body after the page is archived
	bytes  int64            // size of the answer
	reason string           // why the answer is a failure; "" for a page
	err    error            // error of the request
	broken error            // error of this machine, which ends the run
	ended  time.Time
	took   time.Duration // time that the server took
}

func (r *round) newLane() *lane { return &lane{round: r} }

// run makes the request j and the following requests, until the run is over.
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

// keep archives the answer of res if it is a page, and releases its body.
func (l *lane) keep(res *result) {
	res.bytes = int64(len(res.answer.Head)) + res.answer.Body.Len()
	if res.reason = l.outlet.policy.refuses(res.Item.rec, res.answer); res.reason == "" {
		res.broken = l.archive.write(res.Item, res.answer)
	}
	res.answer.Close()
}

package bandwidth

import (
	"net/netip"
	"time"
)

// Predictor starts a download if the limit has room for its predicted rate beside those of the
// running downloads. The package comment describes the method.
//
// A server that is faster than the limit would never fit, and a server that needs a large part of
// it would rarely fit, because smaller requests use the room first. So the first request of the
// queue starts on credit after it was skipped for a second, whatever its rate. Its bytes are a
// debt. Until the debt is paid, an eighth of the limit (or the server's rate, if that is less) is
// kept free, the free part of the limit pays the debt, and no other download gets credit. So the
// mean rate stays the same, but the rate exceeds the limit during such a download, unless there is
// a Ceiling. No request waits for ever, because a skipped request becomes the first when those
// before it have started. If no download is running, the first request need not wait for a second:
// a crawl with a small limit makes one download after another, with pauses.
type Predictor struct {
	limit float64
	table *Table

	sum    float64 // of the predicted rates under way, but for one on credit: CB
	active int
	first  waiting
	debt   debt
}

// waiting is the first of the queue that was skipped, by its server.
type waiting struct {
	server netip.Addr
	since  time.Time // zero: none was
}

// NewPredictor returns a control for the table's limit.
func NewPredictor(t *Table) *Predictor {
	p := &Predictor{limit: t.limit, table: t}
	p.debt.most = t.limit * Tick.Seconds() // a debt is seen to be paid up to a Tick late
	return p
}

// Search reports for each server whether its predicted rate fits, or, for the first request,
// whether it gets credit.
func (p *Predictor) Search(now time.Time) func(netip.Addr) bool {
	p.debt.pay(now, p.limit-p.sum)
	rate, head := p.table.at(now), true
	return func(server netip.Addr) bool {
		fits := p.hasRoom(rate(server)) || head && p.lends(server, now)
		if head {
			p.remember(server, now, fits)
		}
		head = false
		return fits
	}
}

// hasRoom reports whether the limit has room for rate beside what is under way.
func (p *Predictor) hasRoom(rate float64) bool {
	return p.sum+rate <= p.limit-p.debt.reserve
}

// lends reports whether the first request of the queue, for which there is no room, starts on
// credit.
func (p *Predictor) lends(server netip.Addr, now time.Time) bool {
	if p.debt.open() {
		return false
	}
	passed := !p.first.since.IsZero() && p.first.server == server && now.Sub(p.first.since) >= check
	return passed || p.active == 0
}

// remember notes who is the first of the queue, and since when it has been skipped.
func (p *Predictor) remember(server netip.Addr, now time.Time, fits bool) {
	switch {
	case fits:
		p.first = waiting{}
	case p.first.since.IsZero() || p.first.server != server:
		p.first = waiting{server, now}
	}
}

// Start adds the rate of the download, on credit if there is no room for it.
func (p *Predictor) Start(now time.Time, server netip.Addr) Download {
	d := Download{Rate: p.table.Rate(server, now), server: server, began: now}
	d.credit = !p.hasRoom(d.Rate)
	p.active++
	if d.credit {
		p.debt.begin(now, d.Rate, min(d.Rate, share*p.limit))
	} else {
		p.sum += d.Rate
	}
	return d
}

// Received does nothing, because a Predictor does not measure.
func (p *Predictor) Received(time.Time, int) {}

// End subtracts the rate of the download and learns from it.
func (p *Predictor) End(now time.Time, d Download, n int64) {
	p.debt.pay(now, p.limit-p.sum)
	p.active--
	if d.credit {
		p.debt.end(n)
	} else {
		p.sum -= d.Rate
	}
	if p.active == 0 {
		p.sum = 0 // whatever rounding has left
	}
	p.table.Learn(d.server, now, n, now.Sub(d.began))
}

// Predicted returns the predicted rate of all running downloads together, in bytes a second. It
// includes the whole rate of a download on credit.
func (p *Predictor) Predicted() float64 { return p.sum + p.debt.rate }

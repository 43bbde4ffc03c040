package waiting

import (
	"slices"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/web/canon"
)

// The yield of a host is what its last answers were worth, as a mean in which an answer counts for
// less with each one behind it. While it is below a half of what all answers were worth lately, the
// host is asked for less: its turn in a batch, and what the order gives its new URLs, are halved,
// as often as its yield can be doubled without being more than that mean. So a host has requests
// about as it gives pages that are wanted. A trap, a calendar, or a shop with its sessions ends in
// the last class of the order and with one URL in a batch, or in one of a few batches, without a
// rule. It always has some, for its next pages may be wanted again. Where only such hosts have URLs
// for a batch, they have their whole turns.
//
// The mean of a host goes over as many answers as should have 32 wanted pages, by the mean of all,
// so that chance halves no turn where few pages are wanted. It begins at the mean of all, when that is
// above 0: what came before the first page that was wanted says nothing of a host.
const (
	full         = 1 << 24 // worth of 1
	wantedOfMean = 32      // worth of the answers that the mean of a host goes over
	longestOwn   = 2048    // answers that it goes over at most
	longestAll   = 1024    // answers that the mean of all goes over
	mostHalvings = 6       // then all URLs are in the last class
)

// Judged takes in what an answer was worth, the attribute worth= of rec. It tells whether it could:
// a URL without a host has no yield.
func (s *State) Judged(rec *urlbatch.Record) (ok bool, err error) {
	name := canon.Hostname(rec.URLBytes())
	if len(name) == 0 {
		return false, nil
	}
	worth := rec.Share(urlbatch.Worth)
	if s.rules.Model != nil {
		s.rules.Model.Learn(rec, worth)
	}
	r, err := s.host(name)
	if err != nil {
		return false, err
	}
	m := &s.meta
	m.judged++
	if m.worth = approach(m.worth, worth, min(int64(m.judged), longestAll)); m.worth == 0 {
		return true, s.relieve()
	}
	if r.worth == 0 {
		r.worth = m.worth + 1
	}
	over := min(max(wantedOfMean*full/int64(m.worth), wantedOfMean), longestOwn)
	r.worth = approach(r.worth-1, worth, over) + 1
	s.touch(r)
	return true, s.relieve()
}

// approach is a mean that goes over so many values, after one more.
func approach(mean uint32, value float64, over int64) uint32 {
	return uint32(int64(mean) + (int64(full*value)-int64(mean))/over)
}

// yield is what the last answers of a host were worth, 1 if none was judged.
func (r *row) yield() float64 {
	if r.worth == 0 {
		return 1
	}
	return float64(r.worth-1) / full
}

// halvings is how often the turn of a host is halved.
func (s *State) halvings(r *row) (n int) {
	//failpoint:yield-unheeded return 0
	if r.worth == 0 {
		return 0
	}
	for yield := uint64(r.worth - 1); n < mostHalvings && 2*yield <= uint64(s.meta.worth); yield *= 2 {
		n++
	}
	return n
}

// byYield returns what a host has of a turn of so many URLs. Where that is less than one, it has one in
// some of the batches.
func (c *composer) byYield(r *row, all uint64) uint64 {
	h := c.halvings(r)
	if part := all >> h; part > 0 {
		return part
	}
	if (c.meta.batches[c.plan.Lane]+r.host)%(1<<h/all) == 0 {
		return 1
	}
	return 0
}

// lower is the band of a new URL of a host that the order puts into band.
func (s *State) lower(r *row, band uint8) uint8 { return order.Halve(band, s.halvings(r)) }

// relent gives hosts whose yield is low the rest of their turns, if no other has URLs in this
// batch: a crawl would else end in batches of a few URLs.
func (c *composer) relent() error {
	if slices.ContainsFunc(c.served, func(r *row) bool { return r.turn.got > 0 && c.halvings(r) == 0 }) {
		return nil
	}
	more := false
	for _, r := range c.served {
		best := r.best(0)
		if best == nil || r.turn.kept == 0 || r.lane(best.band) != c.lane {
			continue
		}
		if r.turn.got == 0 {
			r.turn.used = max(r.free, r.hold, c.start) - c.start
		}
		r.turn.left, r.turn.kept, more = r.turn.left+r.turn.kept, 0, true
		if !slices.Contains(c.later[best.band], r) {
			c.later[best.band] = append(c.later[best.band], r)
		}
	}
	if !more {
		return nil
	}
	return c.serveLane(c.lane)
}

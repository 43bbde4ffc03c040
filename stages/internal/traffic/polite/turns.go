package polite

import (
	"math"
	"time"

	"github.com/cespare/xxhash/v2"
)

// leastSlot is the shortest slot: a program that is woken late would miss shorter ones.
const leastSlot = 100 * time.Millisecond

// turns are those of one of several crawlers at a host; nil if it takes none.
type turns struct {
	slot   time.Duration // how long each crawler's turn is
	number int64         // of crawlers
	mine   int64         // from 0
	phase  time.Duration // by the host's name, that not all hosts begin with the same crawler at once
}

// newTurns divides the time of a host, at which delay lies between two requests of all crawlers
// together.
func newTurns(l Limits, host string, delay time.Duration) *turns {
	if l.Peers < 2 || l.Turn < 0 || delay == 0 {
		return nil
	}
	sum := xxhash.Sum64String("turns " + host)
	// No two hosts keep step: else one whose turns always begin while another is asked at
	// their address would not be asked as long as that one has anything.
	slot := max(delay, leastSlot)
	slot += slot / 8 * time.Duration(sum>>32%256) / 256
	number := int64(l.Peers)
	return &turns{slot, number, int64(l.Turn), time.Duration(sum % uint64(slot*time.Duration(number)))}
}

// open is how much of a slot, from its beginning, lets requests start.
func (t *turns) open() time.Duration { return t.slot / 2 }

// cycle is the time from the beginning of one turn to that of the next.
func (t *turns) cycle() time.Duration { return t.slot * time.Duration(t.number) }

// next is the first time from at on that is in a turn of this crawler.
func (t *turns) next(at time.Time) time.Time {
	if t == nil {
		return at
	}
	cycle := t.cycle()
	since := (time.Duration(at.UnixNano()%int64(cycle)) + t.phase - t.slot*time.Duration(t.mine) + 2*cycle) % cycle
	if since < t.open() {
		return at
	}
	return at.Add(cycle - since)
}

// least is how long this crawler leaves a host alone after a request, where delay is what all
// of them leave it alone for. With turns it is a slot less: else an answer that comes a moment late
// would cost the next turn, and what keeps the crawlers apart is that each starts in its own. Where
// slots are longer than the delay, a turn is good for several requests.
func (l Limits) least(delay time.Duration) time.Duration {
	switch {
	case l.Peers < 2 || l.Turn >= 0 && delay < leastSlot:
		return delay
	case l.Turn < 0:
		return times(delay, l.Peers)
	}
	return times(delay, l.Peers-1)
}

// times is n times d. A delay is what a stranger says: what is too long for a Duration is the
// longest there is.
func times(d time.Duration, n int) time.Duration {
	if d > math.MaxInt64/time.Duration(n) {
		return math.MaxInt64
	}
	return d * time.Duration(n)
}

// First is how long after Start a host with that delay is left alone. With turns it is no more than
// the delay: what a run before this one has asked, it asked in a turn of this crawler, and that is
// over then.
func (l Limits) First(delay time.Duration) time.Duration {
	if l.Peers > 1 && l.Turn < 0 {
		return l.least(delay)
	}
	return delay
}

// most is MaxDelay for this crawler.
func (l Limits) most() time.Duration { return times(l.MaxDelay, max(l.Peers, 1)) }

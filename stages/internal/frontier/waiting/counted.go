package waiting

import (
	"fmt"

	"multitext/stages/internal/state/ordered"
)

// An order that goes by links (Rules.Links) has an entry for each URL, its standing: how many links
// lead to it, its cash, the greatest score that a record of it had, and at which place of which queue
// its record is. All links of a run are counted before its batch is composed, and only then are its
// new URLs put into the queues of their bands.
//
// When links, or a greater score, lift a URL that waits into a better band, its record is put there
// too, as it is, so that depth, tries and all else stay. The one that it had before is stale then, for
// the standing names another place; it is passed over when its turn comes. A URL that comes in while
// it waits already takes the place of its earlier record likewise. So a URL waits once, and of the
// numbers that meta has the following holds, where the sum is over all queues:
//
//	Σ (tail − head) = entered − taken + stale
//
// A standing stays when its URL was handed out: it tells stale records then, and links that come
// later.
//
// # Cash
//
// A URL that comes in first, and on no page, is a seed and gets a cash of 1. When links of a page
// come in, all that it has goes to them in equal parts (Abiteboul, Preda and Cobena 2003, section
// 3.1). Which links a page has is what came in of it in one run: extract writes those of a page
// into one batch. If they come in two runs, or in a run that takes in too much for memory, the
// later ones get what the page was given meanwhile. Cash of a page that nobody fetches again stays
// there; so the sum of all cash is the number of seeds.
//
// A record of another crawler may stand for several links (attribute inlinks). They all count, but
// they bring no cash: it stays with the crawler that has the page.
//
// # Other orders before and after
//
// URLs that wait when an order begins to go by links have no standing. They stay in their bands,
// whatever links to them come, and so do those that wait when the order is another from then on.
// The state follows links for ever once it has begun: else a stale record could not be told.

// countLinks counts the links of the run.
func (s *State) countLinks() error {
	l := &s.links
	known := len(l.standings)
	if err := l.look(s.set); err != nil {
		return fmt.Errorf("state of the frontier: %w", err)
	}
	s.held += (len(l.standings) - known) * standingBytes
	l.meetFirst(s.cash())
	l.passCash()
	for i := range l.links {
		k := &l.links[i]
		t := l.of(k.to)
		if k.counts {
			t.links.All += uint64(k.times)
			if k.other {
				t.links.Others += uint64(k.times)
			}
			t.changed = true
		}
		if k.score > t.links.Score {
			t.links.Score, t.changed = k.score, true
		}
	}
	return nil
}

// meetFirst finds the first record of each URL among those that are to wait: it is a link, or a
// seed. One that comes back is neither.
func (l *ledger) meetFirst(cash bool) {
	for i := range l.links {
		k := &l.links[i]
		if !k.enters {
			continue
		}
		t := l.of(k.to)
		if first := t.mode == unknown && !t.met; !first {
			k.counts = false
		} else if k.seed && cash {
			t.links.Cash++
		}
		t.met = true
	}
}

// passCash passes the cash of the pages on to their links. What a page gets itself in this run
// stays with it.
func (l *ledger) passCash() {
	passes := func(k *link) bool { return k.counts && k.from != (ordered.Key{}) }
	var pages []*standing
	for i := range l.links {
		if k := &l.links[i]; passes(k) {
			page := l.of(k.from)
			if page.parts++; page.parts == 1 {
				pages = append(pages, page)
			}
		}
	}
	for _, page := range pages {
		page.share = page.links.Cash / float64(page.parts)
		page.changed = page.changed || page.links.Cash != 0
		page.links.Cash, page.parts = 0, 0
	}
	for i := range l.links {
		if k := &l.links[i]; passes(k) {
			l.of(k.to).links.Cash += l.of(k.from).share
		}
	}
}

// lift is the band of a URL, whatever the yield of its host is.
func (s *State) lift(t *standing) uint8 {
	if s.rules.Links == nil {
		return t.base
	}
	return s.rules.Links.Lift(t.base, t.links)
}

// stand puts the record of a URL into the queue of a band, as queue does; from now on its standing names
// that.
func (s *State) stand(r *row, t *standing, band uint8, line []byte, size int) {
	if t.mode == waits {
		s.meta.stale++
		r.stale++
	} else {
		s.meta.entered++
	}
	t.mode, t.band, t.at, t.changed = waits, band, s.queue(r, band, line, size), true
}

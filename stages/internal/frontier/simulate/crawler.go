package simulate

import (
	"fmt"
	"strconv"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/traffic/visits"
	"multitext/stages/internal/web/canon"
)

// A crawler has a frontier: a state, to which it hands what comes in as the stage does.
type crawler struct {
	*crawl
	*seen
	number uint16
	state  *waiting.State
	now    time.Time
	ranks  *ranker           // nil: there are none
	hubs   *distiller        // nil: there is none
	hosts  map[string]bool   // that a URL was met of
	out    []uint32          // pages of the batch that is under way
	sent   []link            // by others in this round, and …
	late   []link            // … in the round before
	held   []link            // for others, until the next exchange
	last   map[uint32]uint32 // of each page that was sent, or put aside: the exchange at which it last was
	aside  []link            // of others, in the order in which they were found
}

// held is what a crawler has in memory at most, about. A batch costs more where a file has to be read.
const held = 1 << 30

func newCrawler(c *crawl, number int, met *seen) (*crawler, error) {
	w := &crawler{crawl: c, seen: met, number: uint16(number), now: time.Unix(1_000_000_000, 0),
		hosts: map[string]bool{}, last: map[uint32]uint32{}}
	rules := waiting.Rules{Now: w.now, Pause: c.Pause, Silence: time.Second, Model: c.Order.Model(), Held: held}
	if c.Order.Rises() {
		rules.Links = c.Order
	}
	if c.Ranks {
		w.ranks = newRanker(c.Graph)
	}
	if c.Focus && c.Hubs > 0 {
		w.hubs = newDistiller(c.Graph, c.Hubs, c.Worth)
	}
	var err error
	w.state, err = waiting.Open("", c.Hash, rules)
	return w, err
}

// fetch fetches the pages of the next batch. Where no page of its own waits, the crawler follows links that
// are aside.
func (w *crawler) fetch() (err error) {
	for w.out, err = w.batch(); err == nil && len(w.out) == 0 && len(w.aside) > 0; {
		if err = w.follow(); err == nil {
			w.out, err = w.batch()
		}
	}
	if w.began != nil {
		w.began(w.out)
	}
	for _, page := range w.out {
		w.Pages, w.By = append(w.Pages, page), append(w.By, w.number)
	}
	w.since += len(w.out)
	return err
}

// takeIn takes in the links of the batch, and those that others sent in the round before.
func (w *crawler) takeIn() error {
	if err := w.judge(); err != nil {
		return err
	}
	for _, from := range w.out {
		for _, to := range w.Links[from] {
			if err := w.found(link{from: from, to: to}); err != nil {
				return err
			}
		}
	}
	for _, l := range w.late {
		if err := w.take(l); err != nil {
			return err
		}
	}
	if w.hubs != nil {
		if err := w.hubs.fetched(w.out, w.lift); err != nil {
			return err
		}
	}
	if w.ranks == nil {
		return nil
	}
	return w.ranks.fetched(w.out, w.lift)
}

// judge tells the state what the pages of the batch were worth, as extract does.
func (w *crawler) judge() error {
	if w.Worth == nil {
		return nil
	}
	rec := &w.rec
	for _, page := range w.out {
		w.record(rec, link{from: w.via[page], to: page})
		rec.Set(urlbatch.Worth, strconv.FormatFloat(w.Worth[page], 'f', 2, 64))
		if _, err := w.state.Judged(rec); err != nil {
			return err
		}
	}
	return nil
}

// take takes in a link: the first to a page as what filter lets through, others as what it does not.
func (w *crawler) take(l link) error {
	first := w.depth[l.to] == unknown
	if !first && !w.Order.Counts() && !(w.Focus && w.Order.Scored()) {
		return nil // it has nothing to tell
	}
	rec := &w.rec
	w.record(rec, l)
	if !first {
		return w.state.Link(rec)
	}
	w.depth[l.to], w.via[l.to] = int32(rec.Int(urlbatch.Depth)), l.from
	if w.Scores != nil && !w.Focus {
		rec.Set(urlbatch.Score, strconv.FormatFloat(w.Scores[l.to], 'g', -1, 64))
	}
	if err := w.visit(string(canon.Hostname(rec.URLBytes()))); err != nil {
		return err
	}
	ok, err := w.state.Add(rec, order.Band(w.Order, rec))
	if err == nil && !ok {
		err = fmt.Errorf("the URL %q has no host", rec.URL())
	}
	return err
}

// lift lifts a page that waits to a better score, as a stage does that knows one.
func (w *crawler) lift(to uint32, score float64) error {
	if w.depth[to] == unknown || w.fetched[to] || !w.overlap() && w.owner(to) != w {
		return nil
	}
	rec := urlbatch.New(w.URLs[to])
	rec.Set(urlbatch.Score, strconv.FormatFloat(score, 'g', -1, 64))
	return w.state.Link(rec)
}

// visit tells the state, without politeness, that a host answers at once: else a host that is met
// for the first time would be given few URLs.
func (w *crawler) visit(host string) error {
	if w.Pause > 0 || w.hosts[host] {
		return nil
	}
	w.hosts[host] = true
	return w.state.Visited(&visits.Visit{Host: host, Asked: 1, Answered: 1})
}

package simulate

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/traffic/visits"
	"multitext/stages/internal/web/canon"
)

// Rules are what a crawl goes by.
type Rules struct {
	Order  *order.Order
	Scorer Scorer        // of a score that rises; nil: records have no score
	Batch  int           // URLs in a batch, at most
	Pause  time.Duration // between two requests to a host; 0: hosts may be asked at any time
	Span   time.Duration // that a batch may take; without a Pause it means nothing
}

// A Scorer says how much pages are wanted while a crawl goes on.
type Scorer interface {
	// Fetched takes in the pages of a batch, and calls risen with each page whose class is smaller
	// now.
	Fetched(pages []uint32, risen func(page uint32)) error
	// Class is that of a page in the order score, from 0, the first, to 63.
	Class(page uint32) uint8
}

const last = 63 // class of package order

// page is the attribute that names the page of a record.
const page = "page"

// A crawl is one that goes on.
type crawl struct {
	*Graph
	Rules
	state   *waiting.State
	now     time.Time
	rec     *urlbatch.Record
	hosts   map[string]bool // that a URL was met of
	depth   []int32         // of each page; unknown: no link to it was met
	queued  []uint8         // best band that a page waits in, or waited in
	fetched []bool
	done    []uint32 // pages in the order in which they were fetched
}

const unknown = -1

// Crawl returns the pages that can be reached from the seeds, in the order in which they are
// fetched. The graph must not be changed meanwhile.
func (g *Graph) Crawl(seeds []uint32, rules Rules) ([]uint32, error) {
	if rules.Batch < 1 {
		return nil, errors.New("simulate a crawl: batches must have at least one URL")
	}
	c := &crawl{Graph: g, Rules: rules, now: time.Unix(1_000_000_000, 0), rec: urlbatch.New("http://-/"),
		hosts: map[string]bool{}, depth: make([]int32, len(g.URLs)), queued: make([]uint8, len(g.URLs)),
		fetched: make([]bool, len(g.URLs))}
	for i := range c.depth {
		c.depth[i], c.queued[i] = unknown, math.MaxUint8
	}
	var err error
	of := waiting.Rules{Now: c.now, Pause: c.Pause, Silence: time.Second}
	if c.state, err = waiting.Open("", nil, of); err != nil {
		return nil, err
	}
	defer c.state.Close()
	if err := c.run(seeds); err != nil {
		return nil, fmt.Errorf("simulate a crawl: %w", err)
	}
	return c.done, nil
}

// run crawls from the seeds to the end.
func (c *crawl) run(seeds []uint32) error {
	for _, seed := range seeds {
		if err := c.meet(seed, 0); err != nil {
			return err
		}
	}
	for {
		batch, err := c.batch()
		if err != nil || len(batch) == 0 {
			return err
		}
		c.done = append(c.done, batch...)
		if err := c.takeIn(batch); err != nil {
			return err
		}
	}
}

// takeIn takes in the links of a batch.
func (c *crawl) takeIn(batch []uint32) error {
	var err error
	if c.Scorer != nil {
		scored := c.Scorer.Fetched(batch, func(page uint32) {
			if c.depth[page] != unknown && !c.fetched[page] {
				err = errors.Join(err, c.queue(page))
			}
		})
		if err := errors.Join(err, scored); err != nil {
			return err
		}
	}
	for _, from := range batch {
		for _, to := range c.Links[from] {
			if err := c.meet(to, c.depth[from]+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// meet takes in a link to a page, if it is the first.
func (c *crawl) meet(page uint32, depth int32) error {
	if c.depth[page] != unknown {
		return nil
	}
	c.depth[page] = depth
	return c.queue(page)
}

// queue adds a page to the state, if its band is better than the one it waits in.
func (c *crawl) queue(to uint32) error {
	c.rec.SetURL([]byte(c.URLs[to]))
	c.rec.SetInt(page, int64(to))
	c.rec.SetInt(urlbatch.Depth, int64(c.depth[to]))
	if c.Scorer != nil {
		c.rec.Set(urlbatch.Score, score(c.Scorer.Class(to)))
	}
	band := order.Own(c.Order, c.rec)
	if band >= c.queued[to] {
		return nil
	}
	c.queued[to] = band
	if err := c.visit(string(canon.Hostname(c.rec.URLBytes()))); err != nil {
		return err
	}
	ok, err := c.state.Add(c.rec, band)
	if err == nil && !ok {
		err = fmt.Errorf("the URL %q has no host", c.URLs[to])
	}
	return err
}

// score is one that has the class in the order score.
func score(class uint8) string {
	return strconv.FormatFloat(min(1, 1-(float64(class)-0.5)/last), 'f', 6, 64)
}

// visit tells the state, without politeness, that a host answers at once: else a host that is met
// for the first time would be given few URLs.
func (c *crawl) visit(host string) error {
	if c.Pause > 0 || c.hosts[host] {
		return nil
	}
	c.hosts[host] = true
	return c.state.Visited(&visits.Visit{Host: host, Asked: 1, Answered: 1})
}

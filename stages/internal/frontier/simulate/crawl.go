package simulate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/percent"
)

// A crawl is one that goes on.
type crawl struct {
	*Graph
	Rules
	Outcome
	crawlers   []*crawler
	replicated []bool // of each page
	exchanges  uint32 // that were
	since      int    // pages that were fetched since the last

	rec  urlbatch.Record // of the link that is taken in
	line []byte          // memory for parts of it
}

// A seen is what was met of the pages, in crawlers none of which fetches what another does.
type seen struct {
	depth   []int32  // of each page; unknown: no link to it was met
	via     []uint32 // of each page that was met: the page whose link to it was the first
	fetched []bool
}

func (g *Graph) newSeen() *seen {
	n := len(g.URLs)
	s := &seen{make([]int32, n), make([]uint32, n), make([]bool, n)}
	for i := range s.depth {
		s.depth[i] = unknown
	}
	return s
}

const unknown = -1

// A link leads from page to page; from is nowhere of a seed. It stands for more links to the page, if more is
// above 0, which are on pages of other domains as it is, or are not.
type link struct{ from, to, more uint32 }

const nowhere = ^uint32(0)

// Crawl crawls the pages that can be reached from the seeds. A seed is its owner's; independent crawlers
// are given the seeds in turn. The graph must not be changed meanwhile.
func (g *Graph) Crawl(seeds []uint32, rules Rules) (o *Outcome, err error) {
	if err := rules.check(); err != nil {
		return nil, fmt.Errorf("simulate a crawl: %w", err)
	}
	c := &crawl{Graph: g, Rules: rules, replicated: make([]bool, len(g.URLs))}
	for _, page := range c.Replicated {
		c.replicated[page] = true
	}
	defer func() {
		for _, w := range c.crawlers {
			err = errors.Join(err, w.state.Close())
		}
	}()
	met := g.newSeen()
	for i := range c.Crawlers {
		if i > 0 && c.overlap() {
			met = g.newSeen()
		}
		w, err := newCrawler(c, i, met)
		if err != nil {
			return nil, fmt.Errorf("simulate a crawl: %w", err)
		}
		c.crawlers = append(c.crawlers, w)
	}
	if err := c.run(seeds); err != nil {
		return nil, fmt.Errorf("simulate a crawl: %w", err)
	}
	return &c.Outcome, nil
}

// overlap tells whether several crawlers may fetch a page.
func (c *crawl) overlap() bool { return c.Owner == nil || c.Others == Aside }

// run crawls from the seeds to the end.
func (c *crawl) run(seeds []uint32) error {
	if err := c.begin(seeds); err != nil {
		return err
	}
	for goesOn := true; goesOn && (c.Most == 0 || len(c.Pages) < c.Most); {
		idle := true // nothing is fetched and nothing comes in
		goesOn = false
		for _, w := range c.crawlers {
			if err := w.fetch(); err != nil {
				return err
			}
			idle = idle && len(w.out)+len(w.late) == 0
			goesOn = goesOn || len(w.held) > 0
		}
		goesOn = goesOn || !idle
		for _, w := range c.crawlers {
			if err := w.takeIn(); err != nil {
				return err
			}
		}
		if c.since >= c.Exchange || idle {
			c.exchange()
		}
		for _, w := range c.crawlers {
			w.late, w.sent = w.sent, w.late[:0]
		}
	}
	return nil
}

// begin gives the crawlers their seeds; what is replicated comes behind them.
func (c *crawl) begin(seeds []uint32) error {
	for i, seed := range append(slices.Clip(seeds), c.Replicated...) {
		w := c.crawlers[i%c.Crawlers].owner(seed)
		if err := w.take(link{from: nowhere, to: seed}); err != nil {
			return err
		}
	}
	return nil
}

// record makes rec the one that a link stands for, as extract writes it.
func (w *crawler) record(rec *urlbatch.Record, l link) {
	w.line = append(w.line[:0], w.URLs[l.to]...)
	rec.Reset(w.line)
	depth := int64(0)
	if l.from != nowhere {
		depth = int64(w.depth[l.from]) + 1
	}
	b := strconv.AppendUint(append(w.line[:0], "\t"+page+"="...), uint64(l.to), 10)
	b = strconv.AppendInt(append(b, "\t"+urlbatch.Depth+"="...), depth, 10)
	if l.from != nowhere {
		b = percent.Append(append(b, "\t"+urlbatch.Via+"="...), w.URLs[l.from])
	}
	if l.more > 0 {
		b = strconv.AppendUint(append(b, "\t"+urlbatch.Inlinks+"="...), uint64(l.more)+1, 10)
	}
	rec.Append(b)
	if w.line = b; l.from == nowhere || w.Worth == nil {
		return
	}
	worth := strconv.FormatFloat(w.Worth[l.from], 'f', 2, 64)
	if w.Worth[l.from] < 1 {
		rec.Set(urlbatch.Parent, worth)
	}
	if w.Focus {
		rec.Set(urlbatch.Score, worth)
	}
}

// page is the attribute that names the page of a record.
const page = "page"

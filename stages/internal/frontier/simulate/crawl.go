package simulate

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/percent"
)

// Rules are what a crawl goes by.
type Rules struct {
	Order  *order.Order
	Ranks  bool          // score= is the PageRank over fetched and pending pages: the order pagerank
	Scores []float64     // score= of each page, from 0 to 1, known before the crawl; nil: records have none
	Hubs   int           // with Focus: what so many of the best hubs link to is fetched first, as by the stage distill
	Hash   *keyed.Hash   // that of the crawl: of hosts that became ready in one run it says which is first
	Batch  int           // URLs in a batch, at most
	Worth  []float64     // of each page, from 0 to 1, which is known when it was fetched; nil: no page is judged
	Focus  bool          // score= of a link is the Worth of its page, which must be there; Scores are not looked at
	Pause  time.Duration // between two requests to a host; 0: hosts may be asked at any time
	Span   time.Duration // that a batch may take; without a Pause it means nothing
	Most   int           // pages that are fetched, up to the end of a batch; 0: all that can be reached

	// Crawlers share the pages, each with a frontier of its own and an equal part of Batch, at least 1. A
	// link to a page of another is sent there, and is known a batch later than those of its own. Owner
	// says whose a page is. 0 and 1 are one crawler, which needs no Owner.
	Crawlers int
	Owner    func(page uint32) int

	began func(batch []uint32) // sees each batch; nil: nobody does
}

// A crawl is one that goes on.
type crawl struct {
	*Graph
	Rules
	crawlers []*crawler
	depth    []int32  // of each page; unknown: no link to it was met
	via      []uint32 // of each page that was met: the page whose link to it was the first
	fetched  []bool
	done     []uint32 // pages in the order in which they were fetched

	rec  urlbatch.Record // of the link that is taken in
	line []byte          // memory for parts of it
}

const unknown = -1

// A link leads from page to page; from is nowhere of a seed.
type link struct{ from, to uint32 }

const nowhere = ^uint32(0)

// Crawl returns the pages that can be reached from the seeds, in the order in which they are
// fetched. The graph must not be changed meanwhile.
func (g *Graph) Crawl(seeds []uint32, rules Rules) (pages []uint32, err error) {
	if rules.Batch < 1 {
		return nil, errors.New("simulate a crawl: batches must have at least one URL")
	}
	if rules.Crawlers < 2 {
		rules.Crawlers, rules.Owner = 1, func(uint32) int { return 0 }
	}
	c := &crawl{Graph: g, Rules: rules, depth: make([]int32, len(g.URLs)), via: make([]uint32, len(g.URLs)),
		fetched: make([]bool, len(g.URLs))}
	for i := range c.depth {
		c.depth[i] = unknown
	}
	defer func() {
		for _, w := range c.crawlers {
			err = errors.Join(err, w.state.Close())
		}
	}()
	for range rules.Crawlers {
		w, err := newCrawler(c)
		if err != nil {
			return nil, fmt.Errorf("simulate a crawl: %w", err)
		}
		c.crawlers = append(c.crawlers, w)
	}
	if err := c.run(seeds); err != nil {
		return nil, fmt.Errorf("simulate a crawl: %w", err)
	}
	return c.done, nil
}

// run crawls from the seeds to the end.
func (c *crawl) run(seeds []uint32) error {
	for _, seed := range seeds {
		if err := c.crawlers[c.Owner(seed)].take(link{nowhere, seed}); err != nil {
			return err
		}
	}
	for goesOn := true; goesOn && (c.Most == 0 || len(c.done) < c.Most); {
		goesOn = false
		for _, w := range c.crawlers {
			var err error
			if w.out, err = w.batch(); err != nil {
				return err
			}
			if c.began != nil {
				c.began(w.out)
			}
			c.done = append(c.done, w.out...)
			goesOn = goesOn || len(w.out)+len(w.sent)+len(w.late) > 0
		}
		for _, w := range c.crawlers {
			if err := w.takeIn(); err != nil {
				return err
			}
		}
		for _, w := range c.crawlers {
			w.late, w.sent = w.sent, w.late[:0]
		}
	}
	return nil
}

// record makes rec the one that a link stands for, as extract writes it.
func (c *crawl) record(rec *urlbatch.Record, l link) {
	c.line = append(c.line[:0], c.URLs[l.to]...)
	rec.Reset(c.line)
	depth := int64(0)
	if l.from != nowhere {
		depth = int64(c.depth[l.from]) + 1
	}
	b := strconv.AppendUint(append(c.line[:0], "\t"+page+"="...), uint64(l.to), 10)
	b = strconv.AppendInt(append(b, "\t"+urlbatch.Depth+"="...), depth, 10)
	if l.from != nowhere {
		b = percent.Append(append(b, "\t"+urlbatch.Via+"="...), c.URLs[l.from])
	}
	rec.Append(b)
	if c.line = b; l.from == nowhere || c.Worth == nil {
		return
	}
	worth := strconv.FormatFloat(c.Worth[l.from], 'f', 2, 64)
	if c.Worth[l.from] < 1 {
		rec.Set(urlbatch.Parent, worth)
	}
	if c.Focus {
		rec.Set(urlbatch.Score, worth)
	}
}

// page is the attribute that names the page of a record.
const page = "page"

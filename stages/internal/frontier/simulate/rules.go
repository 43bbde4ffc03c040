package simulate

import (
	"errors"
	"time"

	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/run/keyed"
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
	Shared               // by several crawlers

	began func(batch []uint32) // sees each batch; nil: nobody does
}

// Shared is how several crawlers share the pages.
type Shared struct {
	Crawlers   int                   // each with a frontier of its own and an equal part of Batch, at least 1; 0: one
	Owner      func(page uint32) int // whose a page is; nil: nobody's, the crawlers are independent
	Others     Others                // what is done with a link to a page of another
	Exchange   int                   // pages that all fetch between two exchanges of links; 0: each batch has one
	Follow     int                   // with Aside: links that are followed at once; 0: one
	Sending    Sending               // with Send: what is sent of the links to a page
	Replicated []uint32              // pages that all know and that are seeds, also of one; links to them are not sent
}

// Others says what is done with a link to a page of another crawler.
type Others uint8

const (
	Send  Others = iota // exchange mode: it goes to its owner
	Drop                // firewall mode: it is dropped
	Aside               // cross-over mode: it is followed when no page of the crawler's own waits
)

// A Sending says what is sent of the links to a page of another crawler.
type Sending uint8

const (
	Each Sending = iota // each link, so that each counts for an order by links
	Once                // the first link of each crawler alone, as by classify links -sent
	Sum                 // one link at an exchange, which stands for all since the last, as by classify links -sum
)

// check looks at the rules, and makes those of one crawler complete.
func (r *Rules) check() error {
	switch {
	case r.Batch < 1:
		return errors.New("batches must have at least one URL")
	case r.Crawlers < 2:
		r.Shared = Shared{Crawlers: 1, Replicated: r.Replicated}
	case r.Crawlers > mostCrawlers:
		return errors.New("at most 65,536 crawlers")
	case r.Owner == nil && len(r.Replicated) > 0:
		return errors.New("independent crawlers send nothing, so that replicated pages save nothing")
	}
	return nil
}

const mostCrawlers = 1 << 16 // By has 16 bits

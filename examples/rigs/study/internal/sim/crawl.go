package sim

import (
	"fmt"

	"multitext/examples/rigs/internal/web"
)

// MostCrawlers is the most that a crawl may have.
const MostCrawlers = 64

// A Crawl is what is to be simulated.
type Crawl struct {
	Web       *web.Web
	Partition Partition
	Seeds     [][]int // of each crawler; their number is that of the crawlers
	Exchange  int     // turns from one exchange of batches to the next, 1 at least
	Arrived   Arrived // what becomes of the URL of a page that another crawler has fetched
	Order     *Order  // of each crawler's queue; nil: the oldest first, which is breadth first
}

// Arrived says what a crawler does with the URL of a page that another one has fetched for it.
type Arrived uint8

const (
	Forgotten Arrived = iota // nothing: it fetches the page again where its own links lead there
	Learned                  // its filter has seen it, but what is queued is fetched
	Skipped                  // the same, and what is queued is not fetched, either
)

// Run crawls until there is nothing left to do.
func (c *Crawl) Run() (*Log, error) {
	if len(c.Seeds) == 0 || len(c.Seeds) > MostCrawlers || c.Exchange < 1 {
		return nil, fmt.Errorf("simulate %s: %d crawlers, exchange every %d turns", c.Partition.Name, len(c.Seeds),
			c.Exchange)
	}
	r := &run{Crawl: c, log: &Log{crawl: c}}
	for range c.Seeds {
		r.crawlers = append(r.crawlers, newCrawler(len(c.Web.Pages)))
	}
	for i, seeds := range c.Seeds {
		for _, page := range seeds {
			r.pass(i, None, page)
		}
	}
	for turn := 1; ; turn++ {
		busy := false
		for i := range r.crawlers {
			busy = r.turn(i) || busy
		}
		if turn%c.Exchange == 0 || !busy {
			busy = r.exchange() || busy
		}
		if !busy {
			return r.log, nil
		}
	}
}

// A run is a crawl under way.
type run struct {
	*Crawl
	crawlers []*crawler
	log      *Log
}

// A crawler is what one of them remembers.
type crawler struct {
	queue *queue
	met   []bool          // by page: URLs that its filter has let through
	came  []bool          // by page: another crawler has fetched it for this one
	held  map[uint64]int  // contents, and the first page of each
	sent  map[[2]int]bool // crawler and page: URLs sent
	inbox []batched
}

// A link is a page to fetch and the page that led there, or None.
type link struct{ parent, page int }

// batched is a page or a link on its way to another crawler.
type batched struct {
	link
	fetched bool
}

func newCrawler(pages int) *crawler {
	return &crawler{queue: newQueue(pages), met: make([]bool, pages), came: make([]bool, pages), held: map[uint64]int{},
		sent: map[[2]int]bool{}}
}

// turn lets crawler i fetch a page; false: its queue is empty.
func (r *run) turn(i int) bool {
	c := r.crawlers[i]
	l, ok := c.queue.next()
	if !ok {
		return false
	}
	if r.Arrived == Skipped && c.came[l.page] {
		return true
	}
	owner := r.Partition.page(l.page)
	sent := owner != Anyone && owner != i
	e := Event{Kind: Fetched, Crawler: i, Page: l.page, Parent: l.parent}
	if sent {
		e.Sent = r.Web.Pages[l.page].Size
		r.crawlers[owner].inbox = append(r.crawlers[owner].inbox, batched{l, true})
	}
	r.log.add(e)
	if !sent {
		r.take(i, l.page)
	}
	return true
}

// take lets crawler i have a page that is its to keep, and follow the links; of a copy those alone
// that the first one has not.
func (r *run) take(i, page int) {
	c, p := r.crawlers[i], &r.Web.Pages[page]
	e := Event{Kind: Taken, Crawler: i, Page: page, Parent: None}
	if p.Valid() && p.Size > 0 {
		if first, ok := c.held[p.Content]; ok {
			e.Kind, e.Parent = Copied, first
		} else {
			c.held[p.Content] = page
		}
	}
	links := e.links(r.Web.Pages)
	if e.Kind == Copied && len(links) == 0 {
		return
	}
	at := r.log.add(e)
	for _, to := range links {
		r.log.Events[at].Sent += r.pass(i, page, to)
	}
}

// pass leads a link that crawler i has found to its owner's filter; it returns the bytes sent.
func (r *run) pass(i, from, to int) int {
	c, owner := r.crawlers[i], Anyone
	if from != None || r.Partition.From == nil {
		owner = r.Partition.link(from, to)
	}
	if owner == Anyone || owner == i {
		r.filter(i, link{from, to})
		return 0
	}
	if c.sent[[2]int{owner, to}] {
		return 0
	}
	c.sent[[2]int{owner, to}] = true
	r.crawlers[owner].inbox = append(r.crawlers[owner].inbox, batched{link: link{from, to}})
	return len(r.Web.Pages[to].URL) + len("\n")
}

// filter has crawler i follow a link, if it is the first to its page; another may raise it.
func (r *run) filter(i int, l link) {
	c, class := r.crawlers[i], r.Order.class(i, l)
	switch {
	case !c.met[l.page]:
		c.met[l.page] = true
		c.queue.add(class, l)
	case r.Order != nil && r.Order.Rises:
		c.queue.raise(class, l)
	}
}

// exchange hands over all that is on its way; false: nothing was. What the pages lead to goes with
// the next.
func (r *run) exchange() (any bool) {
	boxes := make([][]batched, len(r.crawlers))
	for i, c := range r.crawlers {
		boxes[i], c.inbox = c.inbox, nil
	}
	for i, box := range boxes {
		for _, b := range box {
			any = true
			if b.fetched {
				r.learn(r.crawlers[i], b.page)
				r.take(i, b.page)
			} else {
				r.filter(i, b.link)
			}
		}
	}
	return any
}

// learn lets a crawler know the URL of a page that has come.
func (r *run) learn(c *crawler, page int) {
	c.came[page] = true
	c.met[page] = c.met[page] || r.Arrived != Forgotten
}

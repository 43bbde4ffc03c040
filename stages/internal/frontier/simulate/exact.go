package simulate

import (
	"container/heap"
	"errors"
	"fmt"

	"multitext/stages/internal/frontier/order"
)

// A Known is what is known of a page from its links.
type Known struct {
	Page  uint32
	Depth int32 // links from a seed, as it was first met
	Links order.Links
	Rank  float32 // PageRank over fetched and pending pages
}

// Exact returns the pages in the order in which a crawl fetches them that has no classes, no hosts and
// no files: of the pages that wait it always takes those for which measure is greatest, and of equal
// ones the oldest. Beside Crawl it shows the price of classes. ranks tells whether measure goes by Rank; most
// is the number of pages as in Rules.
func (g *Graph) Exact(seeds []uint32, measure func(*Known) float64, ranks bool, batch, most int) ([]uint32, error) {
	if batch < 1 {
		return nil, errors.New("simulate an exact crawl: batches must have at least one URL")
	}
	n := len(g.URLs)
	e := &exact{Graph: g, by: measure, known: make([]Known, n), age: make([]int, n), at: make([]int, n),
		key: make([]float64, n), domain: g.domains(), ranks: newRanker(g)}
	for i := range e.known {
		e.known[i], e.at[i] = Known{Page: uint32(i), Depth: unknown}, unknown
	}
	for _, seed := range seeds {
		e.known[seed].Links.Cash++
		e.meet(seed, 0)
	}
	for e.Len() > 0 && (most == 0 || len(e.done) < most) {
		out := e.batch(batch)
		e.pass(out)
		if ranks {
			anew, err := e.ranks.takeIn(out)
			if err != nil {
				return nil, fmt.Errorf("simulate an exact crawl: %w", err)
			}
			if anew {
				for _, page := range e.heap {
					e.key[page] = e.measure(page)
				}
				heap.Init(e)
			}
		}
	}
	return e.done, nil
}

// An exact is the pages that wait, as a heap.
type exact struct {
	*Graph
	by     func(*Known) float64
	ranks  *ranker
	known  []Known
	domain []uint32
	age    []int // how many pages were met before
	met    int
	key    []float64 // measure of those that wait
	at     []int     // place in the heap; unknown: it does not wait
	heap   []uint32
	done   []uint32
}

func (e *exact) measure(page uint32) float64 {
	e.known[page].Rank = e.ranks.rank[page]
	return e.by(&e.known[page])
}

// batch takes the first pages.
func (e *exact) batch(n int) []uint32 {
	from := len(e.done)
	for range min(n, e.Len()) {
		e.done = append(e.done, heap.Pop(e).(uint32))
	}
	return e.done[from:]
}

// pass counts the links of a batch and passes its cash on, as package waiting does.
func (e *exact) pass(batch []uint32) {
	shares := make([]float64, len(batch))
	for i, from := range batch {
		if n := len(e.Links[from]); n > 0 {
			shares[i] = e.known[from].Links.Cash / float64(n)
		}
	}
	for i, from := range batch {
		for _, to := range e.Links[from] {
			l := &e.known[to].Links
			l.All++
			l.Cash += shares[i]
			if e.domain[to] != e.domain[from] {
				l.Others++
			}
			e.meet(to, e.known[from].Depth+1)
		}
	}
}

// meet has a page wait where it was not met before; one that waits goes to its place.
func (e *exact) meet(page uint32, depth int32) {
	if e.known[page].Depth == unknown {
		e.known[page].Depth, e.age[page] = depth, e.met
		e.met++
		e.key[page] = e.measure(page)
		heap.Push(e, page)
	} else if e.at[page] != unknown {
		e.key[page] = e.measure(page)
		heap.Fix(e, e.at[page])
	}
}

func (e *exact) Len() int { return len(e.heap) }
func (e *exact) Less(i, j int) bool {
	a, b := e.heap[i], e.heap[j]
	if e.key[a] != e.key[b] {
		return e.key[a] > e.key[b]
	}
	return e.age[a] < e.age[b]
}
func (e *exact) Swap(i, j int) {
	e.heap[i], e.heap[j] = e.heap[j], e.heap[i]
	e.at[e.heap[i]], e.at[e.heap[j]] = i, j
}
func (e *exact) Push(page any) {
	e.at[page.(uint32)] = len(e.heap)
	e.heap = append(e.heap, page.(uint32))
}
func (e *exact) Pop() any {
	page := e.heap[len(e.heap)-1]
	e.heap, e.at[page] = e.heap[:len(e.heap)-1], unknown
	return page
}

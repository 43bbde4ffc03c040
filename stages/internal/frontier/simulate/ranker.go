package simulate

import (
	"errors"
	"math"
	"slices"

	"multitext/stages/internal/frontier/pagerank"
)

// A ranker keeps the PageRank of the pages that are known.
type ranker struct {
	*Graph
	known   []bool
	n, last int      // pages that are known, and that were when the ranks were computed
	sources []uint32 // pages that were fetched, in no order
	rank    []float32
}

const (
	growth    = 1.1  // of the known pages, at which ranks are computed anew
	enough    = 1e-4 // mean change of a rank at which that ends
	passes    = 50
	memory    = 64 << 20
	perDouble = 4 // classes in which a rank doubles
)

// newRanker makes a ranker that knows no page. A page that became known behind the last computation
// has the least rank that there is.
func newRanker(g *Graph) *ranker {
	return &ranker{Graph: g, known: make([]bool, len(g.URLs)), rank: make([]float32, len(g.URLs))}
}

// fetched takes in the pages of a batch, and calls risen with each page whose score is greater now.
func (r *ranker) fetched(pages []uint32, risen func(page uint32, score float64) error) error {
	before := r.rank
	if anew, err := r.takeIn(pages); err != nil || !anew {
		return err
	}
	for page, rank := range before {
		if score := scoreOf(r.rank[page]); r.known[page] && score > scoreOf(rank) {
			if err := risen(uint32(page), score); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeIn takes in the pages of a batch, and tells whether the ranks were computed anew.
func (r *ranker) takeIn(pages []uint32) (anew bool, err error) {
	for _, from := range pages {
		r.meet(from)
		for _, to := range r.Links[from] {
			r.meet(to)
		}
	}
	r.sources = append(r.sources, pages...)
	if float64(r.n) < growth*float64(r.last) || r.n == 0 {
		return false, nil
	}
	r.last = r.n
	return true, r.compute()
}

func (r *ranker) meet(page uint32) {
	if !r.known[page] {
		r.known[page] = true
		r.n++
	}
}

// compute computes the ranks, beginning with the last. Pages that are not known are in the graph as
// well: nothing links to them, so they change nothing.
func (r *ranker) compute() (err error) {
	g, err := pagerank.New(uint64(len(r.URLs)), memory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	slices.Sort(r.sources)
	for _, from := range r.sources {
		if err := g.Add(from, r.Links[from]); err != nil {
			return err
		}
	}
	for _, rank := range r.rank {
		if err := g.Start(max(rank, least)); err != nil {
			return err
		}
	}
	if _, err := g.Rank(enough, passes); err != nil {
		return err
	}
	r.rank = make([]float32, len(r.URLs))
	return g.Each(func(page uint32, rank float32) error {
		r.rank[page] = rank
		return nil
	})
}

const least = 1 - pagerank.Damping

// scoreOf is the score of a rank. Each of the classes of package order is a quarter of a doubling.
func scoreOf(rank float32) float64 {
	class := last - uint8(min(max(perDouble*math.Log2(float64(rank)/least), 0), last))
	return classScore(class)
}

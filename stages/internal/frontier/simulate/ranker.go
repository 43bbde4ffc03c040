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
	fetched []uint32 // in no order
	rank    []float32
}

const (
	growth    = 1.1  // of the known pages, at which ranks are computed anew
	enough    = 1e-4 // mean change of a rank at which that ends
	passes    = 50
	memory    = 64 << 20
	perDouble = 4 // classes in which a rank doubles
)

// PageRank is the Scorer of the PageRank over fetched and pending pages. A page that became known
// behind the last computation has the least rank that there is.
func (g *Graph) PageRank() Scorer {
	return &ranker{Graph: g, known: make([]bool, len(g.URLs)), rank: make([]float32, len(g.URLs))}
}

func (r *ranker) Fetched(pages []uint32, risen func(uint32)) error {
	for _, from := range pages {
		r.meet(from)
		for _, to := range r.Links[from] {
			r.meet(to)
		}
	}
	r.fetched = append(r.fetched, pages...)
	if float64(r.n) < growth*float64(r.last) {
		return nil
	}
	r.last = r.n
	before := slices.Clone(r.rank)
	if err := r.compute(); err != nil {
		return err
	}
	for page, rank := range before {
		if r.known[page] && classOf(r.rank[page]) < classOf(rank) {
			risen(uint32(page))
		}
	}
	return nil
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
	slices.Sort(r.fetched)
	for _, from := range r.fetched {
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
	return g.Each(func(page uint32, rank float32) error {
		r.rank[page] = rank
		return nil
	})
}

const least = 1 - pagerank.Damping

func (r *ranker) Class(page uint32) uint8 { return classOf(r.rank[page]) }

func classOf(rank float32) uint8 {
	return uint8(last - min(max(perDouble*math.Log2(float64(rank)/least), 0), last))
}

package simulate

import (
	"errors"
	"slices"

	"multitext/stages/internal/frontier/centrality"
)

// A ranker keeps the PageRank of the pages that are known.
type ranker struct {
	*Graph
	known   []bool
	links   uint64   // that are known
	last    uint64   // that were when the ranks were computed
	sources []uint32 // pages that were fetched, in no order
	rank    []float32
}

const memory = 64 << 20

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
		if score := centrality.Score(r.rank[page]); r.known[page] && score > centrality.Score(rank) {
			if err := risen(uint32(page), float64(score)); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeIn takes in the pages of a batch, and tells whether the ranks were computed anew.
func (r *ranker) takeIn(pages []uint32) (anew bool, err error) {
	for _, from := range pages {
		r.known[from] = true
		for _, to := range r.Links[from] {
			r.known[to] = true
		}
		r.links += uint64(len(r.Links[from]))
	}
	r.sources = append(r.sources, pages...)
	if !centrality.Due(r.links, r.last) {
		return false, nil
	}
	r.last = r.links
	return true, r.compute()
}

// compute computes the ranks, beginning with the last. Pages that are not known are in the graph as
// well: nothing links to them, so they change nothing.
func (r *ranker) compute() (err error) {
	g, err := centrality.New(uint64(len(r.URLs)), memory)
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
	if _, err := g.Rank(centrality.Enough, centrality.Passes); err != nil {
		return err
	}
	r.rank = make([]float32, len(r.URLs))
	return g.Each(func(page uint32, rank float32) error {
		r.rank[page] = rank
		return nil
	})
}

const least = 1 - centrality.Damping

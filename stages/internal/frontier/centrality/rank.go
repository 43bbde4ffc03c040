package centrality

import (
	"fmt"
	"math"
)

// Damping is d, the part of a page's rank that it passes on to those that it links to.
const Damping = 0.85

// Outcome is what Rank did.
type Outcome struct {
	Passes int
	Change float64 // Σ |R - R of the pass before| of the last pass, divided by the number of pages
	Sum    float64 // Σ R
}

// Rank computes the ranks. It ends with the pass that changes the ranks by less than enough, as
// Outcome.Change measures it, and at the latest after so many passes; that is no error. Ranks are
// rounded to float32, so the change is not sure to go below 1e-6.
//
// A pass brings the ranks nearer to R at least by the factor d: when it has changed them by δ in
// all, their distance from R, Σ |error|, is at most δ·d/(1-d), but for rounding. It is less where
// pages dangle.
func (g *Graph) Rank(enough float64, passes int) (Outcome, error) {
	o := Outcome{Change: math.Inf(1)}
	if err := g.ready(1 - Damping); err != nil {
		return o, err
	}
	sums, r := make([]float64, g.size), &records{frame: make([]byte, frameSize)}
	for o.Change >= enough && o.Passes < passes {
		change, sum, err := g.pass(sums, r)
		if err != nil {
			return o, fmt.Errorf("rank %d pages, pass %d: %w", g.pages, o.Passes+1, err)
		}
		g.ranks, g.spare = g.spare, g.ranks
		o = Outcome{o.Passes + 1, change / float64(g.pages), sum}
	}
	return o, nil
}

// ready ends what Add and Start have begun. Pages that were given no value begin with least.
func (g *Graph) ready(least float32) error {
	for _, f := range g.blocks {
		if err := f.finish(); err != nil {
			return err
		}
	}
	g.next = g.pages // no page may be added
	if err := g.ranks.upTo(g.pages, least); err != nil {
		return err
	}
	return g.ranks.flush()
}

// passedOn is what each page that a page links to has of its rank.
func passedOn(rank float64, c uint32) float64 { return Damping * rank / float64(c) }

// pass computes the next ranks from g.ranks and leaves them in g.spare. The change is that of all
// pages.
func (g *Graph) pass(sums []float64, r *records) (change, sum float64, err error) {
	g.spare.restart()
	for i, links := range g.blocks {
		first := uint64(i) * g.size
		sums = sums[:min(g.size, g.pages-first)]
		for j := range sums {
			sums[j] = 1 - Damping
		}
		if err := links.share(sums, g.ranks, passedOn, r); err != nil {
			return 0, 0, err
		}
		for j, s := range sums {
			old, err := g.ranks.at(uint32(first) + uint32(j))
			if err != nil {
				return 0, 0, err
			}
			rank := float32(s)
			change += math.Abs(float64(rank) - float64(old))
			sum += float64(rank)
			if err := g.spare.add(rank); err != nil {
				return 0, 0, err
			}
		}
	}
	return change, sum, g.spare.flush()
}

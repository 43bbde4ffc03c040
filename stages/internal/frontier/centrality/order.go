package centrality

import "math"

// What follows makes ranks an order of a crawl, for the stage rank and for what simulates it.

// For the order, ranking ends when it changes a rank by less than Enough in the mean, and after so
// many Passes at the latest. Ranks are then off those of the equation by at most 0.006 in the mean,
// where 0.15 is the least rank, and a class of package order is 19 % of a rank.
const (
	Enough = 1e-3
	Passes = 50
)

// Due tells whether ranks are to be computed anew: the links that are known have grown by a tenth
// since they were so many at the last time. Links are counted and not pages, for ranks change where
// pages that have long been known are fetched, too.
func Due(links, ranked uint64) bool {
	return links > ranked && links-ranked >= ranked/10
}

// Score is a rank on a scale from 0 to 1 that does not depend on the number of pages: 1/63 for each
// quarter of a doubling from the least rank, 1-Damping, on. That is a class of package order. 1 is
// for ranks of 8,266 or more.
func Score(rank float32) float32 {
	const steps, perDoubling = 63, 4
	n := math.Floor(perDoubling * math.Log2(float64(rank)/(1-Damping)))
	return float32(min(max(n, 0), steps) / steps)
}

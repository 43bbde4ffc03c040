package main

import (
	"cmp"
	"math"
	"slices"

	"multitext/examples/rigs/internal/recall"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
)

// Measures of how hot a page is.
const (
	inDegree = "in-degree" // number of pages of the whole Web that link to it
	pageRank = "PageRank"  // over the whole Web
	byLot    = "lot"       // it says nothing: for a control
)

// PageRank is computed with this damping, until a step changes all ranks by less than enough together.
const damping, enough = 0.85, 1e-9

// degrees is how many pages link to each.
func degrees(on *web.Web) []float64 {
	in := make([]float64, len(on.Pages))
	for i := range on.Pages {
		for _, to := range on.Pages[i].Links {
			in[to]++
		}
	}
	return in
}

// ordered is the pages, the hottest first; those that are as hot are ordered by lot, the same in each draw.
func (l *lab) ordered(heat []float64) []int {
	pages := results.Random(l.Seed, 0, "ties").Perm(len(heat))
	slices.SortStableFunc(pages, func(a, b int) int { return cmp.Compare(heat[b], heat[a]) })
	return pages
}

// scores are those of pages by which the order score goes from the hottest on. They fall with the
// logarithm of the number of pages that are hotter, so that the hottest have classes of their own.
func (l *lab) scores(heat []float64) []float64 {
	scores := make([]float64, len(heat))
	for i, page := range l.ordered(heat) {
		scores[page] = 1 - math.Log1p(float64(i))/math.Log1p(float64(len(heat)))
	}
	return scores
}

// curveOf is the curve of a crawl; the wanted are a share of the pages, in per cent, the first of ordered. Of
// these only those count that the crawl fetches at all.
func curveOf(crawl []uint32, ordered []int, share float64) recall.Curve {
	wanted := make([]bool, len(ordered))
	for _, page := range ordered[:int(math.Ceil(share/100*float64(len(ordered))))] {
		wanted[page] = true
	}
	return recall.Of(crawl, wanted, len(crawl), recall.Count(crawl, wanted))
}

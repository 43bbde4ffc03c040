package simulate

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// backlink counts the links from fetched pages.
type backlink struct {
	*Graph
	links []uint32 // to each page
}

// Backlink is the Scorer of the links that are known.
func (g *Graph) Backlink() Scorer { return &backlink{g, make([]uint32, len(g.URLs))} }

func (b *backlink) Fetched(pages []uint32, risen func(uint32)) error {
	for _, from := range pages {
		for _, to := range b.Links[from] {
			class := b.Class(to)
			if b.links[to]++; b.Class(to) < class {
				risen(to)
			}
		}
	}
	return nil
}

func (b *backlink) Class(page uint32) uint8 { return last - uint8(bits.Len32(b.links[page])) }

// opic is the cash of each page. What a page without links has is lost, and so is what a fetched
// page gets.
type opic struct {
	*Graph
	cash []float64
}

// OPIC is the Scorer of the cash. The seeds, of which there are some, have equal parts of 1.
func (g *Graph) OPIC(seeds []uint32) Scorer {
	o := &opic{g, make([]float64, len(g.URLs))}
	for _, seed := range seeds {
		o.cash[seed] += 1 / float64(len(seeds))
	}
	return o
}

func (o *opic) Fetched(pages []uint32, risen func(uint32)) error {
	for _, from := range pages {
		part := o.cash[from] / float64(len(o.Links[from]))
		for _, to := range o.Links[from] {
			class := o.Class(to)
			if o.cash[to] += part; o.Class(to) < class {
				risen(to)
			}
		}
	}
	return nil
}

// Class n is of pages with 2^-n to 2^-(n-1) of the cash.
func (o *opic) Class(page uint32) uint8 {
	if o.cash[page] <= 0 {
		return last
	}
	return uint8(min(max(math.Ceil(-math.Log2(o.cash[page])), 0), last))
}

// fixed is classes that were known before the crawl.
type fixed []uint8

func (f fixed) Fetched([]uint32, func(uint32)) error { return nil }
func (f fixed) Class(page uint32) uint8              { return f[page] }

// Scores is a Scorer of scores from 0 to 1 that pages have from the beginning.
func Scores(scores []float64) Scorer {
	f := make(fixed, len(scores))
	for page, score := range scores {
		f[page] = last
		if score > 0 {
			f[page] = uint8(math.Ceil((1 - min(score, 1)) * last))
		}
	}
	return f
}

// Oracle is a Scorer that knows the weight of each page. Classes go by the logarithm of the number
// of pages that weigh more: they are finest for those that weigh most.
func Oracle(weights []float64) Scorer {
	pages := make([]int, len(weights))
	for i := range pages {
		pages[i] = i
	}
	slices.SortStableFunc(pages, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	f, before := make(fixed, len(weights)), 0
	for i, p := range pages {
		if i > 0 && weights[p] < weights[pages[i-1]] {
			before = i
		}
		f[p] = uint8(last * math.Log1p(float64(before)) / math.Log1p(float64(len(pages))))
	}
	return f
}

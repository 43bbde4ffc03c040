// Package measures has the measures by which Cho and Garcia-Molina compare parallel crawlers
// ("Parallel crawlers", 2002, section 4: overlap, coverage, quality and communication overhead),
// and the largest load.
//
// N is the number of pages that all crawlers together have fetched, a page that two crawlers have
// fetched counted twice. I is the number of different pages among them.
//
//	overlap     (N − I) / I       fetches in vain: Fetches.Overlap
//	coverage    I / U             the part of the U pages that there are: Fetches.Share of all
//	quality     |A ∩ P| / |P|     A are the I pages, P the N best that there are: Fetches.Share of P
//	overhead    URLs sent / N     and bytes sent / bytes fetched: Per
//	load        largest / mean    of the pages of each crawler: Imbalance
//
// A measure that would divide by zero is 0.
package measures

// Fetches tells how often each page was fetched by all crawlers together. P names a page: its URL,
// or its number in a simulation.
type Fetches[P comparable] map[P]int

// Total is N.
func (f Fetches[P]) Total() (n int) {
	for _, times := range f {
		n += times
	}
	return n
}

// Overlap is 0 if no page was fetched twice, and n − 1 if each of n crawlers has fetched every
// page.
func (f Fetches[P]) Overlap() float64 { return Per(f.Total()-len(f), len(f)) }

// Share is the part of pages that was fetched, 0 to 1. Pages that are listed twice count once.
func (f Fetches[P]) Share(pages []P) float64 {
	known, fetched := map[P]bool{}, 0
	for _, page := range pages {
		if !known[page] && f[page] > 0 {
			fetched++
		}
		known[page] = true
	}
	return Per(fetched, len(known))
}

// Per is a divided by b.
func Per[N int | int64](a, b N) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Imbalance is the largest load divided by the mean: 1 if all crawlers have the same, and n if one
// of n crawlers has all.
func Imbalance[N int | int64](loads []N) float64 {
	var largest, sum N
	for _, load := range loads {
		largest, sum = max(largest, load), sum+load
	}
	return Per(largest*N(len(loads)), sum)
}

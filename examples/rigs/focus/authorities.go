package main

import (
	"cmp"
	"math"
	"slices"

	"multitext/examples/rigs/internal/web"
)

// rounds are those after which the authorities are taken: by then the order of the first hundred stands.
const rounds = 30

// authorities are the pages of a crawl that its hubs link to, the best first: with the pages u and v of
// the crawl, and links between different groups of pages alone,
//
//	a(v) = R(v) Σ h(u), if R(v) > 0.5; else 0        h(u) = R(u) Σ a(v)
//
// (the paper, section 3.2). A page that no hub links to is none.
func authorities(w *web.Web, crawl []uint32, r []float64, most int) (best []uint32) {
	n := len(w.Pages)
	in, a, h := make([]bool, n), make([]float64, n), make([]float64, n)
	for _, page := range crawl {
		in[page], h[page] = true, 1
	}
	each := func(do func(u, v int)) {
		for _, u := range crawl {
			for _, v := range w.Pages[u].Links {
				if in[v] && r[v] > 0.5 && w.Pages[v].Group != w.Pages[u].Group {
					do(int(u), v)
				}
			}
		}
	}
	for range rounds {
		clear(a)
		each(func(u, v int) { a[v] += h[u] * r[v] })
		unit(a)
		clear(h)
		each(func(u, v int) { h[u] += a[v] * r[u] })
		unit(h)
	}
	for page, value := range a {
		if value > 0 {
			best = append(best, uint32(page))
		}
	}
	slices.SortStableFunc(best, func(i, j uint32) int { return cmp.Compare(a[j], a[i]) })
	return best[:min(most, len(best))]
}

// unit brings a vector to unit length.
func unit(x []float64) {
	sum := 0.
	for _, v := range x {
		sum += v * v
	}
	if sum == 0 {
		return
	}
	for i := range x {
		x[i] /= math.Sqrt(sum)
	}
}

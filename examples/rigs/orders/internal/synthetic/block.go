package synthetic

import (
	"math/rand/v2"
	"sort"
)

// Block is the parameters of the model of that name.
type Block struct {
	Sizes  Law     // pages of a host
	Out    Law     // links of a page
	In     Law     // weight of a page, by which links lead to it
	Within float64 // share of the links that lead to a page of the host
}

// Grow grows n pages.
func (b Block) Grow(n int, random *rand.Rand) *Web {
	g := newGrower(hosts(n, b.Sizes, random))
	first, before := ranges(g.Host), make([]float64, n+1) // before: weight of the pages before a page
	for page := range n {
		before[page+1] = before[page] + b.In.draw(random)
	}
	between := func(from, to int) int { // a page of these, by weight
		weight := before[from] + random.Float64()*(before[to]-before[from])
		return from + sort.Search(to-from-1, func(i int) bool { return before[from+i+1] > weight })
	}
	for page, number := range g.Host {
		g.begin(page)
		for range int(b.Out.draw(random)) {
			if random.Float64() < b.Within {
				g.link(between(first[number], first[number+1]))
			} else {
				g.link(between(0, n))
			}
		}
		g.end()
	}
	return &g.Web
}

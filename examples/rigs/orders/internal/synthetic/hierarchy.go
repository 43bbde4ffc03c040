package synthetic

import "math/rand/v2"

// Hierarchy is the parameters of the model of that name.
type Hierarchy struct {
	Sizes    Law     // pages of a host
	Branches int     // children of a page
	Menu     Law     // first pages of a host to which all its pages link
	Out      Law     // links of a page besides
	Within   float64 // share of these that lead to a page of the host
	Roots    float64 // share of the others that lead to the first page of a host
}

// Grow grows n pages.
func (h Hierarchy) Grow(n int, random *rand.Rand) *Web {
	g := newGrower(hosts(n, h.Sizes, random))
	first := ranges(g.Host)
	for number := range len(first) - 1 {
		root, size := first[number], first[number+1]-first[number]
		menu := min(int(h.Menu.draw(random)), size)
		for i := range size {
			g.begin(root + i)
			h.site(g, root, i, size, menu)
			h.besides(g, root, size, first, random)
			g.end()
		}
	}
	return &g.Web
}

// site adds the links that page i of a host has as a part of its tree.
func (h Hierarchy) site(g *grower, root, i, size, menu int) {
	for to := range menu {
		g.link(root + to)
	}
	if i > 0 {
		g.link(root + (i-1)/h.Branches)
	}
	for child := h.Branches*i + 1; child <= h.Branches*(i+1) && child < size; child++ {
		g.link(root + child)
	}
	if i+1 < size {
		g.link(root + i + 1)
	}
}

// besides adds links that are drawn by lot.
func (h Hierarchy) besides(g *grower, root, size int, first []int, random *rand.Rand) {
	for range int(h.Out.draw(random)) {
		switch {
		case random.Float64() < h.Within:
			g.link(root + random.IntN(size))
		case random.Float64() < h.Roots:
			g.link(first[g.Host[random.IntN(len(g.Host))]])
		default:
			g.link(random.IntN(len(g.Host)))
		}
	}
}

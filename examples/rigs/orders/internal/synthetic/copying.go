package synthetic

import (
	"math"
	"math/rand/v2"
)

// Copying is the parameters of the model of that name.
type Copying struct {
	Sizes  Law     // pages of a host
	Out    Law     // links that a page begins with
	Copied float64 // share of these that are copied
	Within float64 // share of the others that lead to a page of the host
	Skew   float64 // 1: to any of these alike; the greater the more to those that are older
}

// Grow grows n pages. They come in an order drawn by lot. The prototype of a page is an older one of
// its host, or of any host where it is the first.
func (c Copying) Grow(n int, random *rand.Rand) *Web {
	host := hosts(n, c.Sizes, random)
	random.Shuffle(n, func(i, j int) { host[i], host[j] = host[j], host[i] })
	g, older := newGrower(host), make([][]uint32, 0)
	for page, number := range host {
		for int(number) >= len(older) {
			older = append(older, nil)
		}
		own := older[number]
		older[number] = append(own, uint32(page))
		if page == 0 {
			continue
		}
		prototype := random.IntN(page)
		g.begin(page)
		if len(own) > 0 {
			prototype = int(own[random.IntN(len(own))])
			c.links(g, g.Links[prototype], own, random)
		} else {
			g.link(random.IntN(page))
		}
		g.end()
		g.Links[prototype] = append(g.Links[prototype], uint32(page))
	}
	return &g.Web
}

// links adds the links that a page begins with: the first is the first of its prototype or another,
// and so on.
func (c Copying) links(g *grower, copied, own []uint32, random *rand.Rand) {
	for i := range int(c.Out.draw(random)) {
		switch {
		case i < len(copied) && random.Float64() < c.Copied:
			g.link(int(copied[i]))
		case random.Float64() < c.Within:
			g.link(int(own[int(float64(len(own))*math.Pow(random.Float64(), c.Skew))]))
		default:
			g.link(random.IntN(int(g.at)))
		}
	}
}

package synthetic

import (
	"math"
	"math/rand/v2"
)

// A Web is pages, named by their index, and the links between them.
type Web struct {
	Host  []uint32   // of each page: a number
	Links [][]uint32 // of each page: other pages, each once
}

// InDegree is the number of links to each page.
func (w *Web) InDegree() []int {
	in := make([]int, len(w.Links))
	for _, links := range w.Links {
		for _, to := range links {
			in[to]++
		}
	}
	return in
}

// OutDegree is the number of links of each page.
func (w *Web) OutDegree() []int {
	out := make([]int, len(w.Links))
	for page, links := range w.Links {
		out[page] = len(links)
	}
	return out
}

// A Law is a power law: x is drawn with a probability in proportion to x^-Exponent, from Least up to
// Most. Exponent is above 1.
type Law struct {
	Exponent    float64
	Least, Most float64
}

func (l Law) draw(random *rand.Rand) float64 {
	power := l.Exponent - 1
	return l.Least * math.Pow(1-random.Float64()*(1-math.Pow(l.Least/l.Most, power)), -1/power)
}

// hosts gives n pages to hosts whose sizes follow the law. Pages of a host have successive numbers;
// the last host has what is left.
func hosts(n int, sizes Law, random *rand.Rand) (host []uint32) {
	for number := uint32(0); len(host) < n; number++ {
		for range min(int(sizes.draw(random)), n-len(host)) {
			host = append(host, number)
		}
	}
	return host
}

// ranges are the first page of each host, and behind them the number of pages, where the pages of a
// host have successive numbers.
func ranges(host []uint32) (first []int) {
	for page := range host {
		if page == 0 || host[page] != host[page-1] {
			first = append(first, page)
		}
	}
	return append(first, len(host))
}

// A grower adds links, each once.
type grower struct {
	Web
	met []uint32 // of each page: one more than the last page that a link to it was added to
	at  uint32   // the page whose links are added
	sum []uint32 // them
}

func newGrower(host []uint32) *grower {
	return &grower{Web: Web{host, make([][]uint32, len(host))}, met: make([]uint32, len(host))}
}

// begin makes page the one whose links are added.
func (g *grower) begin(page int) { g.at, g.sum = uint32(page), g.sum[:0] }

// link adds a link to page to, unless it is there or leads to the page itself.
func (g *grower) link(to int) {
	if uint32(to) != g.at && g.met[to] != g.at+1 {
		g.met[to] = g.at + 1
		g.sum = append(g.sum, uint32(to))
	}
}

// end gives the page its links.
func (g *grower) end() { g.Links[g.at] = append(g.Links[g.at], g.sum...) }

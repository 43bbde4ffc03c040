package simulate

import "multitext/stages/internal/web/registered"

// A Graph is pages, named by their index, and the links between them.
type Graph struct {
	URLs  []string   // of each page; canonical, with a host
	Links [][]uint32 // of each page: other pages, each once, in the order of the page

	domain []uint32 // what domains returns, once it was called
}

// domains are the registered domains of the pages, as numbers. It is not safe for concurrent use.
func (g *Graph) domains() []uint32 {
	if g.domain != nil {
		return g.domain
	}
	number := map[string]uint32{}
	g.domain = make([]uint32, len(g.URLs))
	for page, url := range g.URLs {
		name := registered.Domain(url)
		n, ok := number[name]
		if !ok {
			n = uint32(len(number))
			number[name] = n
		}
		g.domain[page] = n
	}
	return g.domain
}

// InDegree is the number of pages that link to each page.
func (g *Graph) InDegree() []int {
	in := make([]int, len(g.URLs))
	for _, links := range g.Links {
		for _, to := range links {
			in[to]++
		}
	}
	return in
}

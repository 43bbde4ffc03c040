package simulate

// A Graph is pages, named by their index, and the links between them.
type Graph struct {
	URLs  []string   // of each page; canonical, with a host
	Links [][]uint32 // of each page: other pages, each once, in the order of the page
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

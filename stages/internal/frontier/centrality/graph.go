package centrality

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Graph is the pages 0 to n-1, the links between them and their ranks. Call Add for the pages that
// have links, then Start for those that have a rank, then Rank.
//
// The rank of a page p is that of Cho, Garcia-Molina and Page, "Efficient crawling through URL
// ordering" (WWW 7, 1998), with d = Damping:
//
//	R(p) = (1-d) + d Σ R(t)/c(t)
//
// The sum is over the pages t that link to p; c(t) is the number of pages that t links to. A page
// links to another once or not at all, however often the link stands on it. A link from a page to
// itself does not count, neither in the sum nor in c.
//
// Pages that were fetched and have no links are dangling, and so are pending pages: those that are
// known from links and were not fetched yet. In most crawls they are the majority. They have
// a rank and pass none on, as the formula says, so the ranks add up to less than the number of
// pages. The other way is to divide the rank of dangling pages among all pages. It changes only the
// scale: with D, the sum of the dangling pages' ranks, it puts (1-d) + d·D/n in the place of (1-d),
// the same for all n pages, and R is proportional to that term. So order and ratios are the same
// both ways; ranks that add up to n are these, times n/Outcome.Sum. The formula is kept because
// a rank then depends only on the pages from which links lead to it, directly or through others.
type Graph struct {
	pages  uint64
	size   uint64 // pages of a block; the last may have fewer
	blocks []*linkFile
	next   uint64 // the least page that Add takes
	links  []uint32

	ranks, spare *vector // of the last pass, and the file for those of the next
}

// New returns the graph of so many pages, at most 2³², without links. Its arrays take at most
// memory bytes, and a MiB for what is read. They take no more than 8 bytes a page and 64 KiB;
// with less there are more blocks. Too little is an error: each block takes 64 KiB while links are
// added.
func New(pages uint64, memory int64) (*Graph, error) {
	if pages == 0 || pages > 1<<32 {
		return nil, fmt.Errorf("rank %d pages: there may be 1 to %d", pages, uint64(1<<32))
	}
	buffers := uint64(max(memory, 0)) / 4
	most := max(3*buffers/8, 1) // pages whose sums fit into the other three quarters
	blocks := (pages + most - 1) / most
	if blocks*frameSize > buffers {
		return nil, fmt.Errorf("rank %d pages: %d bytes of memory are too few", pages, memory)
	}
	return newGraph(pages, (pages+blocks-1)/blocks)
}

// newGraph returns the graph with so many pages in a block.
func newGraph(pages, size uint64) (*Graph, error) {
	g := &Graph{pages: pages, size: size}
	if err := g.open(); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

func (g *Graph) open() (err error) {
	for first := uint64(0); first < g.pages; first += g.size {
		f, err := newLinkFile()
		if err != nil {
			return err
		}
		g.blocks = append(g.blocks, f)
	}
	if g.ranks, err = newVector(); err != nil {
		return err
	}
	g.spare, err = newVector()
	return err
}

// Add adds the links of a page. Pages come in ascending order, each at most once; pages without
// links need not come. The targets may be in any order.
func (g *Graph) Add(page uint32, targets []uint32) error {
	if uint64(page) < g.next || uint64(page) >= g.pages {
		return fmt.Errorf("add links of page %d: pages come in ascending order, and those before %d of %d are past",
			page, g.next, g.pages)
	}
	g.next = uint64(page) + 1
	links := append(g.links[:0], targets...)
	slices.Sort(links)
	links = slices.Compact(links)
	if i, found := slices.BinarySearch(links, page); found {
		links = slices.Delete(links, i, i+1)
	}
	g.links = links
	if len(links) > 0 && uint64(links[len(links)-1]) >= g.pages {
		return fmt.Errorf("add links of page %d: page %d is none of %d", page, links[len(links)-1], g.pages)
	}
	return g.deal(page, links)
}

// deal gives each block the links to its pages. links is changed.
func (g *Graph) deal(page uint32, links []uint32) error {
	c := uint32(len(links))
	for len(links) > 0 {
		block := uint64(links[0]) / g.size
		n := 0
		for ; n < len(links) && uint64(links[n])/g.size == block; n++ {
			links[n] -= uint32(block * g.size)
		}
		if err := g.blocks[block].add(page, c, links[:n]); err != nil {
			return err
		}
		links = links[n:]
	}
	return nil
}

// Start gives the next page, from 0 on, the rank that the first pass begins with. A page that is
// given none begins with the least rank that there is, 1-Damping.
func (g *Graph) Start(rank float32) error {
	if g.ranks.n == g.pages {
		return fmt.Errorf("start with the rank of page %d: there are %d pages", g.ranks.n, g.pages)
	}
	if !(rank >= 0 && rank <= math.MaxFloat32) {
		return fmt.Errorf("start with the rank of page %d: %v is none", g.ranks.n, rank)
	}
	return g.ranks.add(rank)
}

// Each calls do with the rank of every page, ascending, as the last pass has left it.
func (g *Graph) Each(do func(page uint32, rank float32) error) error {
	for page := range g.pages {
		rank, err := g.ranks.at(uint32(page))
		if err == nil {
			err = do(uint32(page), rank)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Close lets go of the files.
func (g *Graph) Close() error {
	var errs []error
	for _, f := range g.blocks {
		errs = append(errs, f.close())
	}
	for _, v := range []*vector{g.ranks, g.spare} {
		if v != nil {
			errs = append(errs, v.close())
		}
	}
	return errors.Join(errs...)
}

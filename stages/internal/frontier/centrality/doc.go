// Package centrality tells by the links between pages which of them matter, with files where others
// have memory: Graph by PageRank, Hubs by relevant hubs and authorities. Their docstrings have the
// equations.
//
// # Use
//
// Pages are numbers from 0. The stage that keeps the graph numbers pages when they become known,
// and a page keeps its number. Then a link takes half the bytes of a hash, the values of the last
// time are those of the first pages, and pages need not be sorted:
//
//	g, err := centrality.New(pages, 256<<20) // all that are known
//	g.Add(page, links)                       // for each fetched page, ascending
//	g.Start(rank)                            // for pages 0, 1, …: the rank of the last time
//	outcome, err := g.Rank(Enough, Passes)
//	g.Each(func(page uint32, rank float32) error { … })
//	g.Close()
//
//	h, err := centrality.NewHubs(pages, 64<<20, 0.5)
//	h.Judge(page, relevance)                 // for each judged page, ascending
//	h.Add(page, links)                       // links to other sites, for each page, ascending
//	h.Start(hub)                             // for pages 0, 1, …: the hub of the last time
//	distilled, err := h.Distill(Stable, Rounds)
//	h.Each(func(page uint32, hub, authority float32) error { … })
//	h.Close()
//
// # Passes
//
// A pass computes all values from those of the pass before (Haveliwala, "Efficient computation of
// PageRank", 1999). The pages are cut into blocks of consecutive numbers, few enough for their sums
// to fit into memory. Each block has a file of the links to its pages, in the order of the pages
// that they are on. For each block, a pass reads that file and the values of the pass before from
// front to end, and writes the block's values behind those of the block before. Sums are float64,
// values on disk float32. The sum over the pages that link to a page is formed in their order,
// whatever the blocks are: so ranks do not depend on the bound of memory, to the bit.
//
// The sum over the pages that a page links to goes the other way: the values of a block are in
// memory, and what a page has of the blocks before is in a file. So with several blocks the last
// bits of a hub's value depend on them.
//
// # Files
//
// All files are temporary, in the folder for such files ($TMPDIR, which should not be memory). They
// have no names and are gone with the process, so their form (frames.go, links.go, group.go) has no
// version. Each frame has a sum, and a damaged one is an error.
//
// Ten million pages with a hundred million links take 0.45 GB of disk, 91 MB of memory, and 2 s of
// CPU a pass of PageRank: twice as long as a program with all in its memory, 1.5 GB (BenchmarkFiles,
// BenchmarkMemory).
package centrality

// Package pagerank ranks pages by the links between them, with files where others have memory.
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
// # Pages without links
//
// Pages that were fetched and have no links are dangling, and so are pending pages: those that are
// known from links and were not fetched yet. In most crawls they are the majority. They have
// a rank and pass none on, as the formula says, so the ranks add up to less than the number of
// pages. The other way is to divide the rank of dangling pages among all pages. It changes only the
// scale: with D, the sum of the dangling pages' ranks, it puts (1-d) + d·D/n in the place of (1-d),
// the same for all n pages, and R is proportional to that term. So order and ratios are the same
// both ways; ranks that add up to n are these, times n/Outcome.Sum. The formula is kept because
// a rank then depends only on the pages from which links lead to it, directly or through others.
//
// # Use
//
// Pages are numbers from 0. The stage that keeps the graph numbers pages when they become known,
// and a page keeps its number. Then a link takes half the bytes of a hash, the ranks of the last
// time are those of the first pages, and pages need not be sorted:
//
//	g, err := pagerank.New(pages, 256<<20) // all that are known
//	g.Add(page, links)                     // for each fetched page, ascending
//	g.Start(rank)                          // for pages 0, 1, …: the rank of the last time
//	outcome, err := g.Rank(Enough, Passes)
//	g.Each(func(page uint32, rank float32) error { … })
//	g.Close()
//
// # Passes
//
// A pass computes all ranks from those of the pass before (Haveliwala, "Efficient computation of
// PageRank", 1999). The pages are cut into blocks of consecutive numbers, few enough
// for their sums to fit into memory. Each block has a file of the links to its pages, in the order
// of the pages that they are on. For each block, a pass reads that file and the ranks of the pass
// before from front to end, and writes the block's ranks behind those of the block before. Sums are
// float64, ranks on disk float32. The sum of a page is formed in the order of the pages that link
// to it, whatever the blocks are: so the ranks do not depend on the bound of memory, to the bit.
//
// A pass brings the ranks nearer to R at least by the factor d: when it has changed them by δ in
// all, their distance from R, Σ |error|, is at most δ·d/(1-d), but for rounding. It is less where
// pages dangle.
//
// # Files
//
// All files are temporary, in the folder for such files ($TMPDIR, which should not be memory). They
// have no names and are gone with the process, so their form (frames.go, links.go, group.go) has no
// version. Each frame has a sum, and a damaged one is an error.
//
// Ten million pages with a hundred million links take 0.45 GB of disk, 91 MB of memory, and 2 s of
// CPU a pass: twice as long as a program with all in its memory, 1.5 GB (BenchmarkFiles,
// BenchmarkMemory).
package pagerank

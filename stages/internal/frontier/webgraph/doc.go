// Package webgraph keeps the graph of the pages that a crawl knows, and of the links between them,
// in the state of the stage rank, and ranks them by package centrality.
//
// A run takes in links and then, if many have come since the last time, ranks all pages. It calls
// those that are pending and have risen; the stage writes them for the frontier. All of that is one
// transaction.
//
// # Pages and links
//
// A page is a URL that a link leads to, a seed, or a URL that has a link on it. Pages have numbers
// from 0, in the order in which they become known, and keep them. A page with links to other pages
// counts as fetched, all others as pending: a fetched page without links cannot be told from one
// that is pending. It is called, too, and the frontier knows better.
//
// Links stay. Where a page is fetched again, or its links come in several runs, it has the links of
// all times together, at most 10,000 or so. So a rank only falls where a page comes to link to more
// pages than before, and the score of a URL, which only rises, is what it should be but for that.
//
// # When pages are ranked
//
// All pages are ranked anew when the links have grown by a tenth. A pass over the graph costs as
// much as the graph is large, so all that are ever made cost about eleven times as much as the last
// ones. They begin with the ranks of the last time, and end when ranks are off those of the
// equation by at most 0.006 in the mean (centrality.Enough); the least is 0.15.
//
// # Memory and time
//
// A run takes in links in portions. One portion is in memory, the ones before are in a file of the
// run's own (ordered.Spill). Ranking takes what package centrality is given, 64 MiB.
//
// A million pages with ten million links, which came in 200 runs, took 10 s of CPU to take in, 7 s
// to save, and 18 s to rank 37 times, the last time 2.8 s for 16 passes. The state had 69 bytes a
// page, its URL and its ten links among them (BenchmarkGraph).
//
// # Format, version 1
//
// The state is one of package ordered. The high half of a key says what the entry is of; numbers
// are unsigned varints unless said otherwise:
//
//	0  0                         the whole: a byte for the version, 1; pages; links; links when they
//	                             were ranked last
//	1  hash of a URL             its number
//	2  number of the last of     their lines, each with its newline, as a block of S2
//	   some URLs, one behind       (github.com/klauspost/compress/s2)
//	   the other
//	3  number of a page          the numbers of the pages that it links to, ascending: the first, then
//	                             what each is more than the one before
//	4  number of the first of    their ranks, each a little-endian float32
//	   4,096 pages
//
// The hash of a URL is that of package keyed. testdata/v1.seg is such a state, kept for ever.
package webgraph

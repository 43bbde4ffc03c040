// Package webgraph keeps the graph of the pages that a crawl knows, and of the links between them,
// in the state of the stage rank or distill, and ranks or distills them by package centrality.
//
// A run takes in links and then, if many have come since the last time, goes over all pages. Rank
// calls those that are pending and have risen; Distill, those that Wanted tells of; the stage writes
// them for the frontier. All of that is one transaction.
//
// # Pages and links
//
// A page is a URL that a link leads to, a seed, one that was judged, or one that has a link on it.
// Pages have numbers from 0, in the order in which they become known, and keep them. A page that was
// judged, or has links to other pages, counts as fetched, all others as pending: another fetched
// page cannot be told from one that is pending. It is called, too, and the frontier knows better.
//
// Links stay. Where a page is fetched again, or its links come in several runs, it has the links of
// all times together, at most 10,000 or so. So a rank only falls where a page comes to link to more
// pages than before, and the score of a URL, which only rises, is what it should be but for that.
//
// # When pages are ranked
//
// That is due when the links have grown by a tenth. A pass over the graph costs as much as the graph
// is large, so all that are ever made cost about eleven times as much as the last ones. They begin
// with the values of the last time. Ranks end off those of the equation by at most 0.006 in the mean
// (centrality.Enough); the least is 0.15.
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
//	                             were ranked, or distilled, last
//	1  hash of a URL             its number
//	2  number of the last of     their lines, each with its newline, as a block of S2
//	   some URLs, one behind       (github.com/klauspost/compress/s2)
//	   the other
//	3  number of a page          the numbers of the pages that it links to, ascending: the first, then
//	                             what each is more than the one before
//	4  number of the first of    their ranks, each a little-endian float32
//	   4,096 pages
//	5  number of a page          what it was worth, a little-endian float32; its depth
//	6  as 4                      their values as hubs
//	7  as 4                      their values as authorities
//	8  number of a page          links of the graph when it was wanted last; how often it was as a hub
//
// The hash of a URL is that of package keyed. States of rank have no entries from 5 on, and those of
// distill none of 4. testdata/v1.seg and v1-judged.seg are such states, kept for ever.
package webgraph

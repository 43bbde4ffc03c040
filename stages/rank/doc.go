// Command rank ranks the pages that a crawl knows by the links between them, for frontier -order
// pagerank (Cho, Garcia-Molina and Page, Efficient crawling through URL ordering, 1998). It reads
// all links, keeps the graph in its state, and writes the pending URLs whose rank has risen, with
// score=. rank -h explains the flags; package webgraph has the state and its format, package
// pagerank the ranks, out of core.
//
//	[stage.rank]                  # a second reader of all links
//	in     = "inscope"
//	out    = "ranked"
//	state  = "graph"
//	take   = 64
//	run    = "rank -graph {graph} -new {graph.new} -ranked {ranked} -report {report} {in}"
//	verify = "rank -verify {in}"
//	[stage.frontier]
//	in     = ["fresh", "ranked", "again", "visits", "wake"]
//	run    = "frontier … -order pagerank …"
//
// The queue to read is the one that has all links which the crawl may follow, those to known URLs
// too: in front of filter, behind restrict. So filter needs no -known. In a weighted sum with
// backlink or opic, filter -known is needed for those, and its queue known is one more input of
// frontier.
//
// Where several crawlers share the pages, each ranks them by the links that it has met itself.
//
// # Why a stage of its own
//
// Ranking passes over the whole graph many times, and a run of frontier must not cost more when
// more waits. Here the crawl goes on meanwhile: frontier hands out by the ranks of the last time. A
// URL that became known since has no score yet, and waits behind those that have one; so it does in
// an order by PageRank, for a new page has about the least rank that there is.
//
// The pages are ranked by the run that has taken in the links by which they have grown by a tenth.
// So no clock is needed, and a crawl that stands still costs nothing. Where ranking is slower than
// the crawl, batches wait for this stage, and take the disk that they take.
//
// # What is written
//
// One record for each page that has no links and has risen by a class of package order since the
// last time: its URL, known=1, and score=, which centrality.Score makes of the rank. frontier takes
// in records with known=1 for what they say and adds no URL by them; of a URL that it has handed
// out already they change nothing.
package main

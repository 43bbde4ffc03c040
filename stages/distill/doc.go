// Command distill finds the hubs and the authorities of a focused crawl's topic (Chakrabarti, van den
// Berg and Dom, Focused crawling, 1999): relevant pages that link to many relevant pages of other
// sites, and pages that many of those link to. It reads all links and what pages turned out to be
// worth, keeps both in its state, and has frontier fetch first what the best hubs link to. distill -h
// explains the flags; package webgraph has the state and its format, package centrality the
// equations, out of core.
//
//	[stage.distill]               # a second reader of all links, and of what pages were worth
//	in     = ["inscope", "worths"]
//	out    = "distilled"
//	state  = "topical"
//	take   = 64
//	run    = "distill -graph {topical} -new {topical.new} -distilled {distilled} -report {report} {in}"
//	verify = "distill -verify {in}"
//	[stage.frontier]
//	in     = ["fresh", "known", "worths", "distilled", "again", "visits", "wake"]
//	run    = "frontier … -order score …"
//
// inscope is the queue in front of filter, with all links that the crawl may follow; worths is what
// extract -judged writes.
//
// # Sites
//
// Links within a site are not taken in: a site says little about itself by them, and menus would make
// each of its pages a hub. A site is a registered domain, as in the order backlink-others, and not a
// host: www.example.org and blog.example.org have one owner. Where a public suffix is that of a
// service for many owners, as github.io, each name below it is a site.
//
// Each page of a site counts on its own. So a page that all pages of a large site name in their footer
// is an authority if it is relevant, and they are hubs: on 41 real sites, with all pages taken for
// relevant, the best authority was the home page of the generator that 2,195 pages name as what built
// them, and the best hubs were pages of one site of these. What to do about it: scope rules that
// reject such URLs, as distill reads what restrict lets through; or a larger -hubs.
//
// # When
//
// The pages are distilled by the run that has taken in the links by which they have grown by a tenth.
// So no clock is needed, and a crawl that stands still costs nothing. The hubs of the last time are
// where the next rounds begin.
//
// # What is written
//
// For each page that one of the best hubs links to and that was neither judged nor has links: its URL,
// known=1 and score=1, which is the best band of the order score. A page is written once. What a hub
// links to on its own site is not written. frontier takes in records with known=1 for what they say
// and adds no URL by them.
//
// For a hub that is to be visited again: its URL, score=1, depth=, and visit=, by which it passes as
// what refresh asks for. That is whenever the links have doubled since it was found to be one of the
// best, or was visited last: so a crawl of n links visits a hub log2(n) times at most. Its new links
// come to filter as those of any page do, and what it was worth stays as it was.
package main

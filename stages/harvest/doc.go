// Command harvest tells how much of what a crawl fetches is wanted: its harvest rate, the mean
// relevance of the pages that it has fetched lately (Chakrabarti, van den Berg and Dom, Focused
// crawling, 1999, section 4.1). harvest -h explains the flags.
//
//	[stage.harvest]               # a second reader of worths, beside frontier, or the only one
//	in     = "worths"             # extract … -judged {worths}
//	out    = ["harvest", "picture", "stagnant"]
//	state  = "curve"
//	take   = 64
//	run    = """
//	harvest -curve {curve} -new {curve.new} -tsv {harvest} -svg {picture}
//	  -least 0.05 -after 5000 -stagnant {stagnant} -report {report} {in}"""
//	verify = "harvest -verify {in}"
//	[queue.harvest]
//	ext    = "tsv"
//	[queue.picture]
//	ext    = "svg"
//	[queue.stagnant]
//	ext    = "tsv"
//
//	[stop]                        # the crawl ends at the first alarm
//	records = { stagnant = 1 }
//
// A crawl that was stopped so ends at once when it is started again. Make the number greater than
// that of its alarms, or take the line out.
//
// The newest picture was made at most a tenth of the crawl ago. The state is always up to date, and
// is text:
//
//	cat crawl/state/curve/*
//	harvest -show -svg now.svg crawl/state/curve/*
//
// # What is counted
//
// Each record with worth= is a page, in the order of the batches. extract writes one for each
// answer to a URL: errors, redirects and duplicates are worth 0, so the rate is that of requests.
// Sitemaps and answers to later visits have none.
//
// # Format of the state, version 1
//
// The state has one segment, which each run replaces. It is text:
//
//	# harvest 1
//	# pages N sum S step N drawn N stagnant BOOL
//	# last WORTH …
//	pages	mean100	mean1000	all
//	N	M	M	M
//	…
//	# xxh64 H
//
// pages is how many were fetched, and sum that of their worths. step is a power of two; there is a
// row for each multiple of it, in order. With more than 500 rows it doubles, and every second row
// goes. The products were last written after drawn pages. stagnant is true from an alarm until the
// mean is not below -least. last has the worths of the last 1,000 pages, oldest first. Means have
// four digits behind the point, all other numbers as many as they need. H is the XXH64 of all lines
// above, seed 0, in 16 hex digits. testdata/v1 is kept for ever.
//
// A segment has less than 40 KB, a table less than 20 KB, a picture less than 20 KB.
package main

// Command survey makes a page about a crawl from what the crawl leaves on its way: how servers
// answered, why URLs went no further, and what the crawl waits for. survey -h explains the flags.
//
//	[stage.survey]                # a further reader of what others read, too
//	in     = ["fresh", "unique", "refused", "given_up", "rejected"]
//	out    = ["survey", "tables"]
//	state  = "sums"
//	take   = 1000
//	min    = 100                   # batches; at the end of the crawl of fewer
//	run    = "survey -state {sums} -new {sums.new} -html {survey} -tsv {tables} -report {report} {in}"
//	verify = "survey -verify {in}"
//	[queue.survey]
//	ext    = "html"               # and "tsv" for tables
//	[queue.refused]               # likewise rejected and given_up
//	keep   = true
//
// The newest file of survey is the page. The newest file of tables has its tables; the first column
// is the name of the table. A new page is written when a tenth more has happened than at the last
// one, so their number grows with the logarithm of the crawl, and by each run while nothing waits.
// So the last is that of the end, unless [stop] ends the crawl before. survey -show -html makes one
// of what is there, at any time.
//
// # What is counted
//
// An answer is a record of a page batch: its status, media type, size as received, depth, day of
// its date in UTC, host, label, and whether it is new, a duplicate (a revisit record), not
// modified, or cut short. Sizes are counted by powers of two. Of types, languages, and other names
// that servers choose, the first 1,000 have rows of their own.
//
// A URL waits from the batch that brings it without a reason to its answer, or to the batch that
// brings it with a reason. So survey must read all of these queues, or the number is wrong. Further
// visits (visit=) neither begin nor end waiting, and pages of other crawlers (peer=) do not end it.
//
// The pause of a host is the mean time between two of its answers in one batch, so in one run of
// fetch, without those of over ten minutes: its delay, and how slow it is. The time left is that of
// its waiting URLs at this pause. It is the only estimate on the page.
//
// # Format of the state, version 1
//
// The state has one segment, which each run replaces. It is text:
//
//	# survey 1
//	KIND	NAME	EXAMPLE	N	…
//	…
//	# rows R xxh64 H
//
// The rows are sorted by kind, then by name, bytewise. NAME is escaped as in package percent, and
// EXAMPLE a URL or empty. The kinds and their numbers are
//
//	all       answers: answers bytes; when: first last, in milliseconds since 1970
//	day depth language outcome size status type    answers bytes
//	host      found done answers bytes errors refused robots given_up pauses pause_ms
//	reason    URLs, with an example
//	score     found fetched, by tenth
//	written   size: how much had happened at the last page
//
// The name of a size is the number of its bits. R is the number of rows, and H the XXH64 of all
// lines above, seed 0, in 16 hex digits. testdata/v1 is kept for ever.
//
// A run reads and writes the whole segment, about 100 bytes a host, so min should be many batches.
package main

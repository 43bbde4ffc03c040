// Package internal contains the packages that stages share. They are grouped into rooms. An arrow
// is an import:
//
//	testkit ─► all                        what tests need: a run of a stage, experiments
//	frontier ─► all below but sharing     the URLs that wait, and their order
//	sharing ─► formats, web, run          which of several crawlers a URL belongs to
//	traffic ─► formats, web, state, run   requests to servers: connections, answers, politeness
//	formats ─► web, run                   batches: URLs, WARC records, indices, how they are packed; pictures
//	state   ─► run                        what a crawl remembers: segments and the seen-set
//	web                                   what the standards say: URLs, robots.txt, media types, text
//	run                                   a stage program: its inputs and outputs, its report, how it ends
//
// To write a stage, begin with run/stage. To change a file format, begin with formats or state. A
// test in manager fails if an import goes against the arrows.
package internal

// Package internal is what stages share, in rooms; a package lies in one of them. An arrow is an
// import:
//
//	testkit ─► all                        what tests need: a run of a stage, experiments
//	frontier ─► all below but sharing     the URLs that wait, and their order
//	sharing ─► formats, web, run          which of several crawlers a URL belongs to
//	traffic ─► formats, web, state, run   requests to servers: connections, answers, politeness
//	formats ─► web, run                   batches: URLs, WARC records, indices, and how they are packed
//	state   ─► run                        what a crawl remembers: segments and the seen-set
//	web                                   what the standards say: URLs, robots.txt, media types, text
//	run                                   a stage program: its inputs and outputs, its report, how it ends
//
// Whoever writes a stage begins with run/stage; whoever changes a file format, in formats or state.
// An import against the arrows turns a test of manager red.
package internal

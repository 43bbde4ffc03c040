// Command frontier holds the URLs that wait, and hands out the best of those whose hosts may be asked
// now. It does the work of scramble and batch (thesis, 3.2.2), and two things that a queue of batches
// cannot: it leaves behind what a large or a slow host has waiting, and it has an order. frontier -h
// explains the flags; package waiting has the state and how a batch is composed, package order the
// orders.
//
//	[stage.frontier]
//	in    = ["fresh", "again", "visits", "wake"]
//	out   = ["frontier", "wake"]
//	state = "waiting"
//	take  = 64
//	run   = "frontier -waiting {waiting} -new {waiting.new} -out {frontier} -wake {wake} -order breadth
//	         -report {report} {in}"
//
//	[queue.frontier]
//	full = 1
//
// -delay, -address-delay and -for should be those of fetch, and fetch needs -visits {visits}.
//
// # Links
//
// An order that goes by links, or by a score that a later record may raise, sees all of them if it
// reads what filter does not let through:
//
//	[stage.filter]
//	out = ["fresh", "known"]
//	run = "filter … -fresh {fresh} -known {known} -report {report} {in}"
//	[stage.frontier]
//	in  = ["fresh", "known", "again", "visits", "wake"]
//	run = "frontier … -order backlink …"
//
// For the order pagerank it reads what the stage rank writes; see there.
//
// # Yield
//
// extract tells what each answer was worth. With it the stage learns which hosts give little, and
// asks them for less; package waiting says how. It reads one more queue:
//
//	[stage.extract]
//	out = ["links", "judged"]
//	run = "extract … -links {links} -judged {judged} -report {report} {in}"
//	[stage.frontier]
//	in  = ["fresh", "again", "visits", "judged", "wake"]
//
// Any stage may write such records: a URL, and worth= with a number from 0 to 1. The order learned
// (package learned) goes by them, too: extract -wanted says which pages are worth something, and
// with -anchor the text of the links counts.
//
// # Budgets
//
// With -budget the stage hands out no more of a host or registered domain than so many pages or bytes
// in the whole crawl. What is over that is no work any more, so it goes to a queue that no stage reads:
//
//	out   = ["frontier", "wake", "over"]
//	run   = "frontier … -budget host=1000 -over {over} …"
//
// # The wake batch
//
// URLs in the state are no batch, so the manager would take a crawl for done while they wait. So as
// long as URLs wait there is a batch in the queue wake, which this stage writes and reads itself. It
// is due when the next batch of URLs can be composed. The queue of the batches has full = 1, so that
// one batch is ready when fetch begins the one before.
//
// # Slow hosts
//
// With -slow, hosts whose pause is longer than a tenth of -for, and those that did not answer, go
// to a queue of their own, for a second stage of fetch with a -for that is ten times as long. With
// -for 5m that is a pause of more than 30 s; for a Crawl-delay of 10 s take a -for below 100 s:
//
//	[stage.frontier]
//	out = ["frontier", "slow", "wake"]
//	run = "frontier … -slow {slow} …"
//	[stage.resolve_slow]
//	in    = "slow"
//	out   = ["ready_slow", "again", "refused"]
//	state = "hosts_slow"
//	[stage.fetch_slow]
//	in    = "ready_slow"
//	out   = ["pages", "again", "given_up", "visits"]
//	state = "load_slow"
//	read  = { load = "load" }
//	run   = "fetch … -load {load_slow} -other-load {load} …"
//	[stage.fetch]
//	read  = { load_slow = "load_slow" }
//	run   = "fetch … -load {load} -other-load {load_slow} …"
//
// The commands are those of resolve and fetch. A host is handed out to one of the two only, and to the
// other when no batch with its URLs is out. So the two keep one delay and one connection to a host, and
// leave it alone when either has learned that it should be. An address may have hosts of both, and then
// as many connections from each. The queue slow must not have
// full: the frontier would wait for the slow hosts, and with it all others.
//
// # Why is a URL not fetched yet, and when will it be?
//
// frontier -explain answers that, from the state alone:
//
//	ls crawl/state/waiting/* | frontier -explain -waiting /dev/stdin http://example.org/a
//
//	http://example.org/a
//	  waits:  in band 3 of 0 to 255: no try failed; class 3 of 0 to 63 in the order breadth (depth=3)
//	  found:  on http://example.org/
//	  before: 2001 URLs of example.org: 1 in better bands, 2000 in its own
//	  turn:   in 41m4s (2026-11-23T02:37:10Z): the next turn of its host is in 2s
//	          (2026-11-23T01:56:08Z), then come 2001 × 1.23s; what comes in before it adds to that
//	  host:   3001 URLs wait, 5 requests so far, 1s between two requests and 230ms for an answer, as
//	          fetch saw them last; at 192.0.2.1
//	  later:  where a batch is full (-urls 4000) by better bands of other hosts, or by others at its
//	          address (-address-delay 100ms)
//	  sooner: it is handed out before its turn, by at most 3m0s (3 × -for)
//
// A URL that was handed out does not wait here any more ("waits: no"), though on a slow host it may
// be minutes to its request; trace prints in which queue it is. Where fetch ends a run before its
// slow hosts are through (its -tail), the rest comes back with cut=1, behind what was not cut:
// those are requested later than their turn said.
//
// -hosts shows which hosts the crawl will wait for. The record of a URL that was handed out does not
// say its band. That would cost each record some ten bytes on all of its way, and depth= and tries=,
// which trace prints, tell it with the script.
package main

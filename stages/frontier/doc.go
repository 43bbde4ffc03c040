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
// -delay, -address-delay and -for should be those of fetch. resolve and fetch need -visits {visits}:
// then each host in a batch is told of once, and the stage knows when a batch is over.
//
// # Links
//
// An order that goes by links, or by a score that a later record may raise, sees all of them if it
// reads what filter does not let through: filter -known {known}, and known among the inputs here. The
// order pagerank reads what the stage rank writes instead; see there. manager check and run refuse a
// script in which no stage upstream writes what the order needs.
//
// # Yield
//
// extract -judged {judged} tells what each answer was worth. With judged among its inputs the stage
// learns which hosts give little, and asks them for less; package waiting says how. Any stage may write
// such records: a URL, and worth= with a number from 0 to 1. The order learned (package learned) goes
// by them, too: extract -wanted says which pages are worth something, and with -anchor the text of the
// links counts.
//
// # The wake batch
//
// URLs in the state are no batch, so the manager would take a crawl for done while they wait. So as
// long as URLs wait there is a batch in the queue wake, which this stage writes and reads itself. It
// is due when the next batch of URLs can be composed, or sooner where nothing else of the crawl can
// start with its min (latest in the report): then no links are under way, except to a stage that lacks
// its min, and what waits for them is handed out. The queue of the batches has full = 1, so that one
// batch is ready when fetch begins the one before.
//
// # Slow hosts
//
// With -slow, hosts whose pause is longer than a tenth of -for, and those that did not answer, go to a
// queue of their own, for a second stage of fetch with a -for that is ten times as long; stages/README
// has the script. A host is handed out to one of the two only, and to the other when no batch with its
// URLs is out, even one that failed and is tried again behind others. So the two keep one delay and
// one connection to a host, and with -other-load they leave it alone when either has learned that it
// should be. Each has jobs = 1, for two runs of a stage would know nothing of each other. An address
// may have hosts of both, and then as many connections from each. When -slow is taken from a script,
// the hosts go with the others; what is in the queue still needs its stage of fetch.
//
// # Why is a URL not fetched yet, and when will it be?
//
// frontier -explain answers that, from the state alone, and -hosts shows which hosts the crawl will
// wait for; the example of frontier -h has both. The record of a URL that was handed out does not say
// its band, to save some ten bytes: depth= and tries=, which trace prints, tell it with the script.
package main

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
// # The wake batch
//
// URLs in the state are no batch, so the manager would take a crawl for done while they wait. So as
// long as URLs wait there is a batch in the queue wake, which this stage writes and reads itself. It
// is due when the next batch of URLs can be composed. The queue of the batches has full = 1, so that
// one batch is ready when fetch begins the one before.
//
// # Slow hosts
//
// With -slow, hosts whose pause is longer than a tenth of -for go to a queue of their own, for a
// second stage of fetch with a longer -for. A host is handed out to one of them only.
package main

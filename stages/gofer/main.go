// Command gofer brings in what other crawlers hold for this one: the gofer of the thesis (3.3.2),
// "a pull protocol" by which pages are copied from remote directories, and removed there
// afterwards.
//
// A crawler leaves what belongs to another in a folder of its own, outgoing/NODE/. The other one
// comes for it by the clock, every 30 minutes in the thesis. So no crawler waits for another, and
// one that is down holds nobody up.
//
//	[queue.incoming]                     # for xdup, beside pages: they are classified already
//	ext  = "warc.gz"
//	full = "1GB"                         # while so much waits nothing more is brought
//	[queue.incoming_links]               # for filter, beside what classify links lets through
//	full = "200MB"
//
//	[stage.gofer]
//	every = "30m"
//	out   = ["incoming", "incoming_links", "arrived"]    # arrived is for filter, too
//	state = "ledger"
//	run   = """gofer pull -nodes nodes.toml -node {node} -ledger {ledger} -new {ledger.new}
//	           -pages {incoming} -arrived {arrived} -urls {incoming_links} -report {report}
//	           -outgoing crawl/outgoing -model topics.model"""
//
// gofer look tells by hand what lies where. gofer ship puts batches into a bucket that lies between
// the crawlers.
//
// A run brings the batches that the ledger does not have, and removes those that it has. The output
// and the ledger become true by one commit of the manager, so each batch takes effect exactly once,
// whoever is killed. A batch has the name HASH-TTTTTTTTTTTT-NNNNN.EXT (package outgoing), HASH
// being the XXH64 of its bytes; EXT is warc.gz for pages and zst for URLs. gofer passes over names
// that are no batch's. It never joins them to a path, and never shows them.
//
// README.md in this folder has a table of all faults and what happens then, what gofer changes in
// the batches, and how crawlers on several machines are set up, by sftp or S3.
//
// # Ledger, version 1
//
// A state of segments (package segment), with an entry for each name that was met and done with.
// The key is that of "NODE/NAME" (package keyed), the value:
//
//	1 byte    version = 1
//	1 byte    1 taken, 2 unfit, 3 torn
//
// and for a torn one
//
//	1 byte    how often it was looked at, at most 255
//	8 bytes   unix seconds before which it is not looked at again, little-endian
//
// Entries are kept for ever: 14 bytes for a batch. If two names had the same key, a batch would be
// lost; beside 100 million old ones the chance of that is 5 in 10^12 for a new one. testdata/v1
// holds a segment, kept for ever.
package main

import "multitext/stages/internal/run/stage"

// verbs are what the program does; pull is the stage of a crawl.
func verbs() []stage.Verb {
	return []stage.Verb{pullVerb(), lookVerb(), shipVerb()}
}

func main() {
	stage.MainVerbs("gofer", "brings in what other crawlers hold for this one", verbs()...)
}

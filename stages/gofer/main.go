// Command gofer fetches the batches that other crawlers hold for this one. It is the gofer of the
// thesis (3.3.2), "a pull protocol" that copies pages from remote directories and then removes them
// there.
//
// A crawler puts batches for another crawler into its own folder outgoing/NODE/. The other crawler
// fetches them at regular times, in the thesis every 30 minutes. So no crawler waits for another,
// and a crawler that is down delays none.
//
//	[queue.incoming]                     # read by xdup, beside pages: these are classified already
//	ext  = "warc.gz"
//	full = "1GB"                         # while this much waits, nothing more is fetched
//	[queue.incoming_links]               # read by filter, beside the output of classify links
//	full = "200MB"
//
//	[stage.gofer]
//	every = "30m"
//	out   = ["incoming", "incoming_links", "arrived"]    # filter reads arrived, too
//	state = "ledger"
//	run   = """gofer pull -nodes nodes.toml -node {node} -ledger {ledger} -new {ledger.new}
//	           -pages {incoming} -arrived {arrived} -urls {incoming_links} -report {report}
//	           -outgoing crawl/outgoing -model topics.model"""
//
// gofer look is for people: it lists the batches at each node. gofer ship puts batches into a
// bucket between the crawlers.
//
// A run fetches the batches that are not in the ledger, and removes those that are. One commit of
// the manager covers the output and the ledger, so each batch takes effect exactly once, whichever
// program is killed. The name of a batch is HASH-TTTTTTTTTTTT-NNNNN.EXT (package outgoing). HASH is
// the XXH64 of its bytes; EXT is warc.gz for pages and zst for URLs. gofer skips all other names.
// It never uses them in a path and never prints them.
//
// README.md in this folder has a table of all faults and their effects. It also describes what
// gofer changes in batches, and how to set up crawlers on several machines, by sftp or S3.
//
// # Ledger, version 1
//
// The ledger is a state (package segment) with an entry for each name that was handled. The key is
// the hash of "NODE/NAME" (package keyed), the value is
//
//	1 byte    version = 1
//	1 byte    1 fetched, 2 unfit, 3 torn
//
// and for a torn batch also
//
//	1 byte    how often it was checked, at most 255
//	8 bytes   unix seconds before which it is not checked again, little-endian
//
// Entries are kept for ever, with 14 bytes for a batch. If two names had the same key, a batch
// would be lost. For a new name beside 100 million old ones the probability is 5 in 10^12. The
// segment in testdata/v1 stays readable for ever.
package main

import "multitext/stages/internal/run/stage"

// verbs returns the verbs. pull and ship are stages of a crawl.
func verbs() []stage.Verb {
	return []stage.Verb{pullVerb(), lookVerb(), shipVerb()}
}

func main() {
	stage.MainVerbs("gofer", "fetches what other crawlers hold for this one", verbs()...)
}

// Command gofer brings in what other crawlers hold for this one: the gofer of the thesis (3.3.2), "a
// pull protocol" by which pages are copied from remote directories, and removed there afterwards.
//
// A crawler leaves what is another's in a folder of its own, outgoing/NODE/, and that is all it does. The
// other one comes for it: each pulls what is its own, by the clock, every 30 minutes in the thesis. So
// no crawler waits for another, and one that is down holds nobody up.
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
// gofer look tells by hand what lies where.
//
// # The hand-over
//
// A batch has the name HASH-TTTTTTTTTTTT-NNNNN.EXT (output.Run.Hashed), HASH being the XXH64 of its
// bytes; EXT is warc.gz for pages and zst for URLs. So no name ever stands for two contents, even if
// a crawler is made anew and its transactions count from 1 again; and a file that is not whole is
// told by its name alone. Of each name that a peer lists:
//
//	in the ledger   it is removed there, and nothing else is done
//	not in it       1 it is copied to this run's temporary folder; 2 its hash is held against its name;
//	                3 all its records are read; 4 they are added to this run's output; 5 (peer, name)
//	                goes into the ledger's new segment
//
// The ledger is a state, so that output and ledger become true by one commit of the manager. What is
// removed at the peer was committed by an earlier run: that is the whole trick. Who runs gofer by hand
// commits by hand: before a ledger is given to the next run, it and the outputs beside it are to be
// synced, as by sync(1).
//
//	killed, or power lost                          what happens then
//	the sender, before its commit                  nothing lies in outgoing; it makes the batch again
//	… behind it, before the file has its place     its recovery puts the file in place, and we see it then
//	we, anywhere in 1 to 5                         the run never was: all is brought again
//	we, behind 5, before our commit                the same
//	we, behind our commit                          the name is in the ledger: the next run removes it
//	we, before, in or behind a removal             the next run removes what is listed still
//	the peer brings a removed name back            the next run removes it again: entries are kept for ever
//	the peer is made anew                          names of other contents are brought; of the same, removed
//	we are made anew                               what was not removed there is brought to the new crawl
//	the peer gets another name                     what was brought and not removed there is brought once more
//	its name is listed twice                       it is brought once
//	the link, in 1                                 the batch is left for the next run, other batches are not
//
// So each batch takes effect exactly once. Two batches of the same records count as two: they are
// equal pages for xdup, and URLs that filter knows.
//
// Of the pages in a batch their members are copied as they are, inflated for the checks only; but the field
// Multitext-Attributes, which is written anew in the small record of the request, says peer=NODE: who has delivered
// the page, on whose word alone it is what the server answered. URLs are
// packed anew, for a last line may lack its end, and lose what only stages of ours may say: resolve's pins,
// fetch's counts of failures, refresh's captures. Both lose owner, which would lead the links of their pages
// elsewhere. Batches of all peers are joined and cut at -cut, so that no crumbs come in.
//
// URLs go to filter, past restrict: a collaboration has one scope, and it is the sender that has held them to
// it. What a peer says that does not keep to it is still bounded by resolve and fetch, which visit neither
// other schemes nor private addresses.
//
// # What is not whole
//
// Torn is a file whose hash is not the one in its name. It may be whole later, where something else than a
// sender copies files; so it is left there, and looked at again after ten minutes, then after twice
// as long each time, up to a day. Unfit is one whose hash is right and whose records cannot be read, or unfold
// beyond all bounds, or whose warcinfo record has more than 64 KiB (it is written again in front of each part).
// It will never be better, and is not fetched again. Either is counted and noted, stays where
// it is for somebody to look at, and is in nobody's way; none is ever removed. When a torn file was
// put right, nothing need be done; to have one off the list, remove it there.
//
// Names that are no batch's are passed over. They are never joined to a path, and never shown.
//
// # The same model everywhere
//
// A page is its owner's because a model says so, and no model but the same gives the same owner (X4, section 5). With
// -outgoing a crawler says with which nodes and model it works: in the folder for each other node lies a file
//
//	agreed-SSSSSSSSSSSS-HHHHHHHHHHHHHHHH
//
// S being the unix seconds since when, H a digest of the model and of the names, labels and hosts in nodes.toml, keyed by
// the secret there. The other one's gofer compares it with its own before it brings anything; where they differ, or
// nothing is said, all batches stay, are counted, and a note says so. While a new nodes.toml is brought to
// all machines nothing is exchanged, and nothing is lost.
//
// # Too much at a time
//
// full holds this stage like any other writer of a queue: above the mark nothing is brought, and nothing
// removed either, which waits without harm. Sixteen crawlers can not block each other: outgoing is an exported
// queue, which can not be full, so a sender never waits; what drains incoming is xdup, which waits for
// nothing that another crawler does. A line of crawlers each waiting for the next would need one that waits, and
// there is none.
//
// One run fetches at most about -most from each peer, in random order: a batch at which the link breaks each
// time does not keep the others back for ever. One for which the temporary folder has no room is left.
//
// A peer that does not answer, or not within -for, is noted, and the others are visited. If none at all
// could be reached the run ends with 75, to be tried again. They are visited in random order, a few at once,
// so that sixteen gofers by the same clock do not all call on the same one; -jitter spreads them further.
//
// # How it was tested
//
// With real managers, each test counting what it interrupted:
//
//	TestHandoversGoferKilled    gofer, before each of its steps
//	TestHandoversManagerKilled  its manager, before any change of the crawl's folder, recoveries included
//	TestHandoversSenderKilled   the sender's manager, in the same way
//	TestHandoversFar            over sftp and S3, with real servers: gofer is killed, and the link is lost
//	TestHandoversSeeDefects     what they must see: removed before the commit; no ledger; a ledger outside of the
//	                            transaction; a hash that is not looked at
//	TestFullEverywhere          crawlers all of which are full all the time
//
// go test ./... makes a sample; .ci/rigs makes a thousand of each.
//
// # Ledger, version 1
//
// A state of segments (package segment), an entry for each name that was met and done with. The key is
// that of "NODE/NAME" (package keyed), the value:
//
//	1 byte    version = 1
//	1 byte    1 taken, 2 unfit, 3 torn
//
// and of a torn one
//
//	1 byte    how often it was looked at, at most 255
//	8 bytes   unix seconds before which it is not looked at again, little-endian
//
// Entries are kept for ever: 14 bytes for a batch. A key that is another's would lose a batch; beside 100 million
// old ones the chance of that is 5 in 10^12 for a new one. testdata/v1 holds a segment, kept for ever.
package main

import "multitext/stages/internal/run/stage"

// verbs are what the program does; pull is the stage of a crawl.
func verbs() []stage.Verb {
	return []stage.Verb{pullVerb(), lookVerb(), shipVerb()}
}

func main() {
	stage.MainVerbs("gofer", "brings in what other crawlers hold for this one", verbs()...)
}

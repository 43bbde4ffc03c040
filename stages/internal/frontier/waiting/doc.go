// Package waiting is the frontier: the URLs that wait, in queues by host and band, and what is known
// of each host. A run of the stage frontier adds URLs, takes in what fetch and resolve learned of the
// hosts, takes the next batch out, and saves what has changed; all of that is one transaction.
//
// # Who is next
//
// Package order gives each URL a band; the smaller goes first. Each host with URLs that wait stands
// in the ready list of its best band, from the time on at which it may be asked again. A batch is
// composed by bands, in a band by the hosts that were not served for longest. A host gets as many
// URLs as it can be asked for in the time of a batch, by its pause between two requests and the time
// that it takes to answer, both as fetch saw them last. So a large host, a slow one or a dead one has
// its own turn and no more. A host whose last answers were worth little gets less than that
// (yield.go), and one that has had its Budget gets nothing: its URLs leave the state. A share of the
// URLs may go by turns and not by bands, so that none starves (explore.go).
//
// A batch is composed for a stretch of time behind that of the batch before it, and a host is free
// again when its URLs have been asked for by then. No host waits for a batch to come back: if one is
// dropped, none is held by it. That is safe because fetch keeps the pauses itself. A wrong guess
// here costs time, and is corrected by the next visit. A batch of few URLs waits for the links of the
// one that is under way, as long as a run has patience (length.go).
//
// # What stays
//
// Rows of hosts and entries of URLs are never removed. A row has what the host has had of its budget,
// and how far its queues were read: without it the chunks of a queue that begins anew would come to
// life again. That costs some 64 bytes for a host without URLs (TestDrains). The entry of a URL that
// was handed out has the links to it and the cash that its own links will get, and tells its stale
// records; it costs its key and 3 to 20 bytes, in orders that go by links alone.
//
// # Format, version 3
//
// The state is one of package ordered. A key is of two halves:
//
//	0                        0                                   what is known of all hosts together
//	0                        4<<56 | block                       what is learned (package learned)
//	0                        1<<63 | host                        row of a host
//	host                     1<<56 | band<<48 | position         chunk of a queue
//	host                     2<<56 | hash of a URL               what is known of the URL (standing.go)
//	domain                   3<<56                               what was fetched of it (domain.go)
//	1<<63 | lane<<56 | band<<48 | time    host                   entry of a ready list, without a value
//
// host and domain are hashes of the names (package keyed) without their first bit, and 1 instead of 0;
// time is in unix milliseconds. The clock of the state never goes back: it is the system's and a skew.
//
// URLs of a queue are numbered as they come in, from 0. The row of the host has for each queue the
// position of the first URL that waits, the head, and that behind the last. So taking URLs out changes
// the row and nothing else. A chunk has URLs in a row, and in its key the position of the last one. A
// merge drops chunks that lie before the head, and joins neighbours up to 8 KiB of lines.
//
// A chunk is
//
//	1 byte   form: 0 plain, 1 compressed as a block of S2 (github.com/klauspost/compress/s2)
//	varint   URLs
//	varint   bytes of the lines
//	         the lines, each with its newline: records of package urlbatch, in which a byte 1 stands
//	         for http:// and the host's name, a byte 2 for https:// and that, wherever they are
//
// The other values begin with a byte for their version. Their fields are told where they are declared:
// of a row in row.go, of a URL in standing.go, of all hosts together in meta.go. Versions 1 and 2 had
// rows elsewhere (migrate.go). testdata has a state of each version, kept for ever.
package waiting

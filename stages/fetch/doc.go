// Command fetch requests the URLs of a batch from their servers and archives the answers. It is the
// fetcher of the Multitext crawler (thesis, section 3.2.2). fetch -h explains the flags, fetch
// -policy the failures.
//
// The URLs come from resolve with the addresses of their server pinned. Each URL goes to one of
// three outputs:
//
//	pages   the server has answered: a WARC file (package warc) has the answer, whatever its
//	        status, byte for byte as received
//	again   no answer now: the URL is due later; if it was requested, this costs a try
//	failed  the last try has failed, or no further try can help; reason= says why
//
// -visits also writes what the run learned about each host (package visits).
//
// # Politeness
//
// Package polite has the rules for hosts and addresses, and for several crawlers that request from
// the same hosts (-peers, -turn, -nodes). Package load limits a host's share of the requests
// (-share). A host is a host name: its ports and schemes share one delay. The address is the first
// one pinned to the URL. If it cannot be reached, the URLs of its server are requested from the
// next address, at that address's time. A host whose crawl-delay does not fit into -for could never
// be requested, so its URLs fail as crawl-delay. With -turn its turn may come in a later run.
//
// A run spaces only its own requests. resolve (once in its -ttl) and other runs of fetch (jobs = 2
// in a script) may request from a host at the same moment.
//
// # State
//
// The state in -load and -new has for each host the number of requests in the last hour, and the
// time until which not to request anything. With -control predict it also has the rates of servers
// (package bandwidth). The state can only make waits longer: the promised delay holds without it,
// because every host counts as visited at the start. Without -load the share of a host is not
// limited, and slow hosts are not remembered. Two stages of fetch that may have the same hosts read
// each other's state (-other-load). The share of a host counts in each alone.
//
// # Time
//
// After -for no request starts, and the remaining URLs go to again without losing a try. Requests
// that are running may finish, within -page-timeout. Time that they wait because of -rate does not
// count. But after -for and twice -page-timeout all requests are cut. A run ends earlier if every
// remaining host is held, or if only slow hosts remain (-tail and -least-rate; see tail.go). With
// -visits a run that needs little time ends soon after it, gives back requests without an answer
// that hold all connections, and does not wait for a host with a long crawl-delay that is new. What
// is so given back is marked with cut=1, and a run with URLs that have the mark waits for them. All
// that loses no try is marked with back=1: frontier has it go before others like it.
//
// # Failures
//
// A failure costs the URL a try. The URL goes to again and waits as the policy says, twice as long
// after each try, at most an hour. Failures that may be caused by the crawler's own network have a
// separate count (outages=). They are retried for 42 minutes, so a network outage of half an hour
// loses nothing. If a server cannot be reached, its other URLs fail with the first one. An answer
// that breaks off is archived after the last try, marked WARC-Truncated. An answer longer than
// -max-body is cut and archived at once. 429 and 503 are failures until the last try, then ordinary
// answers; the host is slowed or held (settle.go).
//
// # Bounds
//
// fetch connects only to pinned addresses. They must be on the public internet, or named by
// -allow-private or -connect-to. Without a pin fetch looks up the address under the same rules.
package main

// Command fetch requests the URLs of a batch from their servers and archives the answers. It is the
// fetcher of the Multitext crawler (thesis, section 3.2.2). fetch -h explains the flags, fetch
// -policy the failures.
//
// The URLs come from resolve with the addresses of their server pinned. Each URL goes to one of
// three outputs:
//
//	pages   the server has answered: a WARC file has the answer, whatever its status (package
//	        warc), byte for byte as received. A redirect is an answer; extract reads its
//	        Location
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
// in a script) may request from a host at the same moment. To crawl a web of your own on the
// loopback interface, one server with many hosts, set -address-delay 0 -per-address-connections 0.
//
// # State
//
// The state in -load and -new has for each host the number of requests in the last hour, and the
// time until which not to request anything. With -control predict it also has the rates of servers
// (package bandwidth). The state can only make waits longer: the promised delay holds without it,
// because every host counts as visited at the start. Without -load the share of a host is not
// limited, and slow hosts are not remembered. Two stages of fetch have a state each. If a host may be
// in the batches of the one, and later in those of the other, each reads both (-other-load): so the
// pause of a slow host, and a Retry-After, hold for both. The share of a host counts in each alone.
//
// # Time
//
// After -for no request starts, and the remaining URLs go to again without losing a try. Requests
// that are running may finish, within -page-timeout. Time that they wait because of -rate does not
// count. But after -for and twice -page-timeout all requests are cut. A run ends earlier if every
// remaining host is held, or if only slow hosts remain (-tail, and -least-rate for answers that
// drip; see tail.go). With -visits, fetch estimates a run's time from its hosts' URLs and delays,
// and ends a short run soon after it; while all connections are taken by requests without an answer,
// it gives these back and goes on with the other hosts. Then no run waits for a host with a long crawl-delay either,
// when that is new: its URLs go to again, marked with cut=1, and the record in -visits tells the
// delay. A run with URLs that have the mark waits for them. Every URL that goes to again without losing
// a try is marked with back=1: frontier has it go before others like it.
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
// -allow-private or -connect-to. resolve has the same flags. If a line has no pin, as in runs by
// hand, fetch looks up the address under the same rules.
package main

// Command fetch asks the servers for a batch's URLs and keeps what they answer: the fetcher of the
// Multitext crawler (thesis, section 3.2.2). fetch -h explains the flags, fetch -policy the
// failures.
//
// The URLs come from resolve with the addresses of their server pinned. Each leaves in one of three
// ways:
//
//	pages   the server has answered: the answer, whatever its status, is in a WARC file (package
//	        warc) byte for byte as it was on the wire. A redirect is an answer; extract reads its
//	        Location
//	again   not now: due later, with a try charged if there was one
//	failed  after its last try, or if no further try can help, with reason=
//
// -visits writes beside them what the run learned of each host (package visits).
//
// # Politeness
//
// Package polite has the rules for hosts and addresses, and for several crawlers that ask the same
// hosts (-peers, -turn, -nodes); package load bounds a host's share of the requests (-share). A
// host is a host name: its ports and schemes share its turn. The address is the first one pinned to
// the URL; when it cannot be reached, the URLs of its server are asked for at the next one, each in
// its turn. A host whose crawl-delay does not fit into -for would never have its turn, so its URLs
// fail as crawl-delay; with -turn it may miss its turn in one run, and has it in a later one.
//
// A run knows only its own requests. resolve asks for robots.txt once in its -ttl, and may do so at
// the same moment; so may a second run of fetch, as with jobs = 2 in a script. To crawl a web of
// your own on the loopback interface, one server with many hosts, set -address-delay 0
// -per-address-connections 0.
//
// # State
//
// -load and -new carry from run to run what each host was asked in the last hour and until when it
// is to be left alone, and with -control predict the rates of servers (package bandwidth). The
// state only makes waits longer: the promised delay holds without it, because every host counts as
// visited at the start. Without -load there is no bound on a host's share, and a run does not know
// which hosts were slow in the last one.
//
// # Time
//
// After -for no request is started; the remaining URLs go to again and lose no try. Requests under
// way are finished, within -page-timeout. Time that -rate makes them wait does not count against
// that, but they are broken off at twice -page-timeout after -for: no run takes longer. A run ends
// earlier when every remaining host is held, or when only its slow hosts remain (-tail, and
// -least-rate for answers that drip; tail.go). With -visits a run that needs little time, by the
// number of URLs of its hosts and their delays, ends soon behind that.
//
// # Failures
//
// A failure costs the URL a try. The URL goes to again and waits as the policy says, twice as long
// after each try, at most an hour. What may be the network of the crawler itself has a count of its
// own (outages=) and is tried for 42 minutes: a network that is down for half an hour loses
// nothing. The other URLs of a server that cannot be reached fail with the first. An answer that
// breaks off is kept after the last try, marked WARC-Truncated; one that is longer than -max-body
// is cut and kept at once. 429 and 503 are failures until the last try, then answers like any
// other; the host is slowed or held (settle.go).
//
// # Bounds
//
// Only pinned addresses are connected to, and those only if they are on the public internet or
// named by -allow-private or -connect-to, the same flags as for resolve: each program looks for
// itself. Lines without a pin, as by hand, are resolved here under the same rules.
package main

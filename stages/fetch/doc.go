// Command fetch asks the servers for a batch's URLs and keeps what they answer.
//
// It is the fetcher of the Multitext crawler (thesis, section 3.2.2). The URLs come from
// resolve with the addresses of their server pinned. Each leaves by one of three ways:
//
//	pages   the server has answered: the answer, whatever its status, stands in a WARC
//	        file (package warc) byte for byte as it was on the wire. A redirect is an
//	        answer of its own and is not followed: extract reads its Location
//	again   not now: due later, with a try charged if there was one
//	failed  after its last try, or if no further try can help, with reason=
//
// # Politeness
//
// Package polite has the rules: one connection to a host, a delay between the end of a
// request and the start of the next (-delay, or the crawl-delay that resolve found in
// robots.txt if that is longer; -slowness times as long as the answer took, up to -max-delay,
// if the host is slow), and every host counts as visited when the run starts. A
// host is a host name: its ports and schemes share its turn. A host whose crawl-delay does
// not fit into -for would never have its turn; its URLs fail with reason crawl-delay.
//
// These are the rules for what fetch asks. A host's robots.txt is asked for by resolve, once in a while
// (-ttl there), and may coincide with a request for a page. And each run knows only what it asks itself:
// one that works beside it, as by jobs = 2 in a script, asks the same hosts once more.
//
// Hosts on one server share what it can bear: an address is asked at most every
// -address-delay, with at most -per-address-connections requests under way. The address
// is the first that is pinned to the URL, by DNS or by -connect-to; when that cannot be
// reached, the URLs of its server are asked for at the next one, each in its turn (counted as
// next-address). Lines without a pin, as by hand, have none, and only the rules for hosts. A
// web on the loopback is one server with many hosts, too: who crawls one of his own sets
// -address-delay 0 -per-address-connections 0. Connections are kept for a host's next request
// only where all hosts of the batch at the address may keep one within that bound; four times -connections at most, and
// fewer where few files may be open.
//
// # Several crawlers
//
// Crawlers that share the Web by what a page is about ask the same hosts, and do not talk about it. With
// -peers N each of them takes every delay times N, of -per-address-connections its part (one at least), and of
// the X4 crawler's share of a host, too: together they ask a host as often as one would. They may still ask it at
// the same moment. So each takes turns: with -turn I it starts requests to a host only when it is its turn by
// the clock, and two of them are at least half a delay apart, as long as their clocks are in step. Package polite
// has the scheme, what bounds it keeps and what it assumes. -nodes FILE -node NAME says both at once: as many
// peers as there are nodes, and the turn of that node.
//
// The turn is looked at once more before a connection is opened, and at the last moment before the request goes out; one
// that is missed, on a busy machine or by a connection that took long, is waited for again. So a server that is
// half a turn away or farther is asked in every other turn where its connections are not kept; and one that drops a
// connection which is silent for so long fails as no-answer. A longer -delay makes for longer turns.
//
// A host with a long crawl-delay may not have a turn of this crawler within -for; its URLs go to again then
// (counted as not-started, no try lost), and one of the runs to come will have it. Without -turn a crawl-delay
// must fit into -for N times.
//
// What is not held together: resolve's requests for robots.txt, one for each crawler in a -ttl; and connections
// to an address beyond one for each crawler.
//
// # State
//
// -load and -new carry what each host was asked in the last hour from run to run, and until when
// it is to be left alone: because it says so, because it was busy, or because its last answer was slow.
//
// A host that would get more than -share of the crawl's requests over an hour has its URLs put back
// until the load falls, as the X4 crawler did; package load has the rule, the paper and the format.
// They go to again (counted as over-share, no try lost) and are due when the hour has moved on, or in
// ten minutes, for other hosts may have ended by then. Without -load the rule does not hold, and a run
// does not know who was slow in the one before.
//
// With -control predict the same state carries the rates of the servers, by address and hour; package
// bandwidth has their format. Without -load each run begins to learn anew.
//
// The load only makes a wait longer. The promise of a delay does not hang on it: that is kept by
// counting every host as visited at the start.
//
// # Bandwidth
//
// -rate is what the whole run may read, in bytes a second; package bandwidth has the methods by which
// -control keeps to it:
//
//	ceiling      reading waits, and no second exceeds the rate by more than 5 %; the servers
//	             feel it, for what they send is not taken
//	connections  the number of requests at work follows the rate, as in the thesis (section 3.2.3)
//	predict      a request starts when the rate that its server is known for fits into what those
//	             under way leave; the first -max-depth servers whose turn has come are looked at
//	onoff        nothing starts while the last second was above the rate
//
// The last three hold the mean and not each second; with -ceiling they do that, too. A larger -max-depth
// uses more of the rate, and overtakes more requests; one that is the first and does not fit for a
// second gets in all the same, and the rate is paid back.
//
// What is counted is read here. What the network has under way for a connection comes on top: the
// receive buffers of the system take some of an answer before it is read.
//
// # Time
//
// After -for nothing is started; what is left goes to again and loses no try. Requests
// under way are finished, within -page-timeout. What -rate makes them wait does not count
// against that, but twice -page-timeout after -for they are broken off (reason overtime):
// no run takes longer. When nothing can start before -for is over, for every host left is
// held, the run ends early.
//
// So it does when it has come down to its slow hosts (-tail): the quick ones have more to do in the next batch, and the links
// in what was fetched are followed only when the run is over. What that costs is another run: -delay, for which each host is
// left alone at its start, and some 0.2 s until its programs have started. Once a run has taken -tail times as long (12 s
// with -delay 1s and -tail 10), and fewer than half of its hosts have URLs left, it waits for no further turn. Those URLs go to again
// (counted as not-started, no try lost), due at once or when their host is no longer held. For the first turn of a host it
// waits all the same, and if no server is reached then for the next, unless the host is held: so a slow host gets a
// page or more of each run that it is in. A run of one host or two is never cut short, and with -tail 0 none is.
//
// Nor do others wait for what drips. When a run has come so far, and when all -connections are
// taken, a request that was given a third of -timeout is broken off where less than -least-rate has
// come: as if its time was up, in the connection, the handshake, the header or the body, and with
// the rules for that below. In a run of one host or two it is given all of -timeout.
//
// # Failures
//
// Each failure has a name, and a rule of what becomes of the URL. It costs the URL a try; the URL
// goes to again, to wait as the rule says, doubling with each try, at most an hour; after its last
// try it goes to failed. -policy prints the rules, and -retry changes them.
//
//	reason               tries  first wait  all    what happened
//	dns-failed           7      40s         42m    no name server could tell the address
//	connection-refused   7      40s         42m    nobody listens at the server's port
//	unreachable          7      40s         42m    there is no route to the server
//	connect-timeout      7      40s         42m    the server does not answer
//	connect-failed       7      40s         42m    the connection failed otherwise
//	tls-timeout          7      40s         42m    the TLS handshake did not end
//	reset                7      40s         42m    the connection broke before the header was there
//	no-answer            7      40s         42m    the server closed the connection without an answer
//	tls-failed           3      5m          15m    the TLS handshake failed
//	tls-certificate      3      5m          15m    the certificate is not valid for the host
//	head-timeout         3      40s         2m     the header did not end in -timeout, or dripped
//	head-too-long        2      5m          5m     the header is longer than -max-header
//	not-http             3      5m          15m    what came is no HTTP
//	broken-off           3      40s         2m     the body ended early; kept after the last try
//	overtime             5      40s         10m    under way when the run had to end
//	too-many-requests    5      5m          1h15m  429: host asked too often; kept after the last try
//	service-unavailable  5      5m          1h15m  503: not at present; kept after the last try
//	private-address      1      -           -      the address may not be connected to
//	no-such-host         1      -           -      the name does not exist
//	crawl-delay          1      -           -      the crawl-delay does not fit into -for
//	bad-addr             1      -           -      addr= is no list of addresses
//	bad-scheme           1      -           -      the URL is neither http nor https
//	bad-line             1      -           -      the line is no record
//
// What may be the network of the crawler itself is tried for 42 minutes: a network that is down
// for half an hour loses nothing. These tries, of the reasons down to no-answer, have a count of their own
// (outages=), so that a URL still has all of the others (tries=) when the network is back.
// -v tells each failure with its URL as it happens; a URL given up carries its reason, and the
// report counts them all.
//
// Beside them the report counts why URLs went to again without a try being charged:
//
//	not-started  there was no time left
//	pin-expired  the addresses were no longer good (until=); resolve finds them anew
//	host-held    the host wants to be left alone; given up, under this name, after -patience
//	over-share   the host has had its share of the hour
//
// Where a server cannot be reached (every reason down to tls-certificate, but for reset and
// no-answer), the other URLs that the batch has for it fail with it, without knocking again.
//
// An answer that breaks off is a failure, but after the last try it is kept, marked
// WARC-Truncated. One that is longer than -max-body is cut there and kept at once.
//
// 429 and 503 are failures until the last try; then they are answers like any other. The
// host is slowed: its delay doubles, to a second at least and to -max-delay at most, and is
// halved again by each other answer, for a few pages may answer 503 for ever. With
// Retry-After (seconds or a date) the host is held for as long as it says, at most an hour,
// and the URL waits that long instead of what the rule says, but 5 s at least, doubling with each
// try. A hold of up to -max-delay is waited for in this run; for a longer one the other URLs of the
// host go to again, due when it ends (counted as host-held), and lose no try. So they do, for as long as the rule says,
// when a host without Retry-After is still busy at -max-delay. A host that answers so for ever would let
// one URL after the other use up its tries, and hold a crawl for years: a URL that is to be put off again
// -patience after it first was is given up. That is long, for a host may answer some each hour and be well.
//
// # HTTP
//
// Requests are HTTP/1.1 (package exchange says why). Bodies are asked for in the codings that extract
// undoes (gzip, deflate, br, zstd), and kept as they came; -identity asks for none.
//
// A URL that carries etag= or modified=, what the server said of the last capture, is asked for
// only if it has changed since. A 304 is kept as a revisit record (profile server-not-modified) that
// refers to the capture of date=; the report counts not-modified. With an answer the
// three attributes are gone; a URL that goes to again or to failed keeps them.
//
// Cookies are neither kept nor sent, so that an answer does not depend on the ones before it. With -cookies
// they are, within one run: a new run, that is the next batch, knows none.
//
// # Bounds
//
// Only pinned addresses are connected to, and those only if they are on the public
// internet or named by -allow-private or -connect-to: the same flags as for resolve, for
// each program looks for itself. Lines without a pin, as by hand, are resolved here under
// the same rules; robots.txt is resolve's work and is not looked at.
//
// Package exchange has the bounds of a single answer. As long as nobody waits for it, what comes a
// byte a second is cut by -page-timeout only, a header by -timeout.
//
// Requests run over lanes, at most -connections: a lane that has an answer compresses it itself, as many at once as there
// are cores, appends it to the file, and then takes the next request whose turn has come.
//
// Memory: 40 MB, the records of the batch, some 500 bytes for each of its hosts (and 300 for each address with
// -control predict), 0.4 MB and -max-header for each of -connections, and three times -max-body for
// each core, which compresses one answer at a time. Four connections for each of -connections are kept for a host's
// next request; each takes some 40 KB over TLS, and no buffer else. With -cookies 16 MB of cookies come
// on top, all hosts together, beyond which none is kept.
//
// Open files (ulimit -n): two for each of -connections, for an answer of over 256 KB is in a file until it is archived, and a
// hundred for all else. Connections are kept as far as that leaves room; a limit that is lower is an error of usage.
package main

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
// Hosts on one server share what it can bear: an address is asked at most every
// -address-delay, with at most -per-address-connections requests under way. The address
// is the first that is pinned to the URL, by DNS or by -connect-to; lines without a pin, as
// by hand, have none, and only the rules for hosts. A web on the loopback is one server with
// many hosts, too: who crawls one of his own sets -address-delay 0 -per-address-connections 0.
//
// # Time
//
// After -for nothing is started; what is left goes to again and loses no try. Requests
// under way are finished, within -page-timeout. What -rate makes them wait does not count
// against that, but twice -page-timeout after -for they are broken off (reason overtime):
// no run takes longer. When nothing can start before -for is over, for every host left is
// held, the run ends early.
//
// # Failures
//
// A failure has a name: those of package exchange (connection-refused, head-timeout,
// tls-certificate …), no-such-host and dns-failed for lines without a pin, retry-after for
// a 429 or 503 with that field, overtime. It costs a try, and the URL waits 5 s, doubling with its
// tries, or as long as Retry-After says, at most an hour; after -max-tries it goes to
// failed. Some failures are final at once: private-address, no-such-host, bad-addr,
// bad-scheme, crawl-delay. Where a server cannot be reached, the other URLs that
// the batch has for it fail with it, without knocking again.
//
// An answer that breaks off is a failure too, but after the last try it is kept, marked
// WARC-Truncated. One that is longer than -max-body is cut there and kept at once.
//
// A pin that has expired (until=) sends the URL to again, so that it is resolved anew.
//
// # Bounds
//
// Only pinned addresses are connected to, and those only if they are on the public
// internet or named by -allow-private or -connect-to: the same flags as for resolve, for
// each program looks for itself. Lines without a pin, as by hand, are resolved here under
// the same rules; robots.txt is resolve's work and is not looked at.
//
// Memory: the records of the batch, 0.4 MB and -max-header for each of -connections, and
// three times -max-body for the one answer that is being compressed.
package main

import (
	"flag"
	"time"

	"multitext/stages/internal/dial"
	"multitext/stages/internal/stage"
)

func main() { stage.Main(tool(), setup) }

func tool() stage.Tool {
	return stage.Tool{
		Name:  "fetch",
		Short: "fetches URLs, politely, into WARC files",
		Long: `
Reads URL batches, best those that resolve has written. Each answer goes with its request
to -pages (WARC/1.1, bytes as on the wire); URLs that cannot be had now go to -again; those
given up to -failed, with reason=NAME. Redirects are answers and are not followed.
robots.txt is resolve's work: by hand, it is yours.

Given up at once: private-address, no-such-host, bad-addr, bad-scheme, crawl-delay, bad-line;
after -max-tries connection-refused, head-timeout, broken-off, retry-after, overtime and the
like. Without -failed they leave the flow under these reasons.

Memory: the records of the inputs, 0.4 MB and -max-header for each of -connections, and
three times -max-body.`,
		Example: `
echo http://example.org/ | fetch -agent 'examplebot/1.0 (+https://example.org/bot)' \
    -pages pages.warc.gz -again again.txt -failed failed.txt`,
	}
}

// options are the flags of fetch.
type options struct {
	agent                string
	pages, again, failed string
	ca                   string
	identity             bool
	span                 time.Duration
	delay, addressDelay  time.Duration
	slowness             float64
	maxDelay             time.Duration
	timeout, pageTimeout time.Duration
	connections          int
	perHost, perAddress  int
	maxTries             int64
	maxBody, maxHeader   *stage.Size
	rate                 *stage.Rate
	finder               dial.Finder
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{}
	fs.StringVar(&o.agent, "agent", "", "call the crawler `NAME`, a whole User-Agent (needed); say in it where its owner is found")
	fs.StringVar(&o.pages, "pages", "", "write the answers to `FILE` (needed)")
	fs.StringVar(&o.again, "again", "", "write the URLs to be fetched later to `FILE` (needed)")
	fs.StringVar(&o.failed, "failed", "", "write the URLs given up to `FILE`; without it they are only counted")
	fs.StringVar(&o.ca, "ca", "", "trust the certificates in the PEM `FILE` too")
	fs.BoolVar(&o.identity, "identity", false, "ask for bodies without compression")
	fs.DurationVar(&o.span, "for", 10*time.Minute, "start no request after `DURATION`; what is left goes to -again")
	fs.DurationVar(&o.delay, "delay", time.Second, "leave a host alone for `DURATION` between two requests, and before the first")
	fs.Float64Var(&o.slowness, "slowness", 5, "leave a slow host alone for `N` times the time that its last answer took")
	fs.DurationVar(&o.maxDelay, "max-delay", 30*time.Second, "but for slowness, and after a 429 or 503, not longer than `DURATION`")
	fs.DurationVar(&o.addressDelay, "address-delay", 100*time.Millisecond, "leave an address alone for `DURATION`, whichever of its hosts is asked")
	fs.DurationVar(&o.timeout, "timeout", 30*time.Second, "wait at most `DURATION` for a connection, for a handshake, for a whole header,\nand for each further piece of a body")
	fs.DurationVar(&o.pageTimeout, "page-timeout", 2*time.Minute, "cut an answer that takes longer than `DURATION`")
	fs.IntVar(&o.connections, "connections", 64, "hold at most `N` requests, those under way and answers to be written")
	fs.IntVar(&o.perHost, "per-host-connections", 1, "make at most `N` requests at once to one host")
	fs.IntVar(&o.perAddress, "per-address-connections", 4, "make at most `N` requests at once to one address; 0 is no bound")
	fs.Int64Var(&o.maxTries, "max-tries", 5, "give a URL up after `N` tries")
	o.maxBody = stage.SizeVar(fs, "max-body", 10e6, "cut bodies longer than `SIZE` on the wire")
	o.maxHeader = stage.SizeVar(fs, "max-header", 64e3, "take no answer whose header is longer than `SIZE`")
	o.rate = stage.RateVar(fs, "rate", "read at most `RATE`, as 600KB/s; 0 is no bound")
	o.finder.Flags(fs)
	return o.run
}

// Command resolve finds the servers of a batch's URLs and asks each for its robots.txt: the robot
// resolver of the Multitext crawler (thesis, section 3.2.2), a cache of addresses and robots.txt
// files. For every origin of the batch, which is a scheme, a host and a port, it takes the entry of
// the state or, when that is a -ttl old, makes a new one. Then it judges each URL:
//
//	ready    the server's addresses are known and robots.txt allows the URL. The record carries
//	         addr= (the addresses to connect to, and no others), until= (when they expire) and
//	         delay= (the Crawl-delay, if there is one)
//	refused  never: with reason=
//	again    not now
//
// # Not now
//
// While a robots.txt cannot be fetched, nothing may be fetched from the host (RFC 9309, section
// 2.3.1.4), whether the server says so (5xx, 429, an answer that breaks off) or no server is
// reached. The URLs go to again and lose no try: an outage of the crawler's own network costs only
// time. The state remembers when the trouble began. The host is not asked again for as long as the
// trouble has lasted, from 5 s to an hour (or as long as Retry-After says, or five times as long as
// the server took), and its URLs wait. After -patience they are refused: as robots-unreachable if
// the server did answer, else with the reason why it was not reached. So a crawl ends at most
// -patience after it met its last dead host. Time in which no run asked for the host counts as an
// hour at most (probe.go). Without -new no host is remembered, and the time that the URL itself has
// waited (since=) counts.
//
// A 4xx, or more than five redirects in a row, means that there is no robots.txt: everything is
// allowed.
//
// # How servers are asked
//
// At most -jobs servers are asked at once, and -per-address-connections at one address, where
// thousands of hosts may live; hosts that wait for an address delay no others. These requests are
// not spaced from those of fetch or of other crawlers. They have a -rate of their own: a tenth of
// fetch's is plenty. The hosts of one registered domain cost a run at most 8 MiB of robots.txt
// (shares.go). When no server has answered for -tail, only slow ones are left: no other server is
// asked, answers that drip are cut, and the remaining URLs go to again as no-time.
//
// Private addresses and ports that browsers refuse are not connected to, also behind a redirect
// (package dial). Each run judges the addresses of the state again by its own -allow-private and
// -connect-to.
//
// # State
//
// A segment (package segment) with values. The key (package keyed) is that of the origin, written
// as in a canonical URL ("http://example.org:8080"), the value a cache entry, version 1:
//
//	1 byte   1, the version
//	1 byte   kind: 1 known, 2 robots.txt cannot be fetched now, 4 no such host
//	uvarint  unix seconds at which it expires: to be renewed then, not to be asked before
//	uvarint  unix seconds since when the host has been of kind 2, moved on by the time that does
//	         not count; 0 for others
//	1 byte   1 if -connect-to named the address, else 0
//	text     the origin: two origins of one key are told apart by it
//	text     the reason of kinds 2 and 4
//	uvarint  number of addresses, then each as text, "192.0.2.1:80"
//	rest     robots.txt as the server sent it, at most 500 KiB, compressed by zstd; may be empty
//
// Integers are uvarints of encoding/binary, text is its length (uvarint) and its bytes. An entry of
// another version, or one that cannot be read, counts as absent: it is a cache. testdata/v1 holds
// entries for ever.
package main

import (
	"flag"
	"time"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

func main() { stage.Main(tool(), setup) }

func tool() stage.Tool {
	return stage.Tool{
		Name:    "resolve",
		Formats: []string{segment.Formats()},
		Short:   "finds the servers of URLs and obeys their robots.txt",
		Long: `
Reads URL batches. URLs that may be fetched go to -ready, with the addresses of their
server pinned (addr=, until=, delay=); those that cannot be judged now to -again; those
that may never be fetched to -refused, with reason=NAME. Addresses and robots.txt files
are cached: read from the segments that the file -hosts lists, one path a line, oldest
first; what is new goes, with the segments it is merged with, into the new segment -new,
and the report says which of them it replaces.

Refused: robots, no-such-host, private-address, bad-port, bad-scheme, bad-line; after -patience
robots-unreachable, dns-failed, connection-refused and the like. Without -refused they
leave the flow under these reasons.

With -robots FILE it fetches nothing: it judges the URLs given as arguments by that
robots.txt and prints the line and the group that decide, the Crawl-delay and the
sitemaps. With -explain it tells what the cache knows of their servers and what would become of the
URLs now; with -live it asks the servers. Give it the -ttl, -patience, -allow-private and -connect-to of
the script: it answers as a run with these flags would. Neither changes anything.

-sitemaps takes the first 100 Sitemap lines of each robots.txt that the run has fetched, as links with
rel=sitemap, by which extract knows the document. Lead them to restrict, which judges them like any link.

Memory: the records of the inputs, and 300 MB for robots.txt files that are made to take much.`,
		Example: `
echo http://example.org/ | resolve -agent 'examplebot/1.0 (+https://example.org/bot)' \
    -ready ready.txt -again again.txt -refused refused.txt
resolve -robots robots.txt -agent examplebot http://example.org/private/x.html
resolve -explain -live -agent examplebot http://example.org/private/x.html
ls crawl/state/hosts/* | resolve -explain -agent examplebot -hosts /dev/stdin http://example.org/`,
		Check: segment.Check("segments of -hosts", entryChecker()),
	}
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{room: maxRenewed}
	fs.StringVar(&o.agent, "agent", "",
		"call the crawler `NAME`, a whole User-Agent (needed); robots.txt knows it by its first word")
	fs.StringVar(&o.hosts, "hosts", "",
		"read the cache from the segments listed in `FILE`; none or empty: nothing is known")
	fs.StringVar(&o.fresh, "new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fs.StringVar(&o.ready, "ready", "", "write the URLs that may be fetched to `FILE` (needed)")
	fs.StringVar(&o.again, "again", "", "write the URLs to be judged later to `FILE` (needed)")
	fs.StringVar(&o.refused, "refused", "",
		"write the URLs that may not be fetched to `FILE`; without it they are only counted")
	fs.StringVar(&o.robots, "robots", "",
		"judge the URLs given as arguments by the robots.txt in `FILE`, and do nothing else")
	fs.BoolVar(&o.explained, "explain", false,
		"tell what the cache knows of the servers of the URLs given as arguments, and what\n"+
			"would become of the URLs now, and do nothing else")
	fs.BoolVar(&o.live, "live", false,
		"with -explain, ask the servers, whatever the cache knows; nothing is remembered")
	fs.StringVar(&o.sitemaps, "sitemaps", "",
		"write the sitemaps that a newly fetched robots.txt names to `FILE`, with rel=sitemap")
	fs.DurationVar(&o.ttl, "ttl", 24*time.Hour, "ask anew when an entry of the cache is older than `DURATION`")
	fs.DurationVar(&o.patience, "patience", 24*time.Hour,
		"refuse a URL when its host's robots.txt could not be fetched for `DURATION`")
	fs.DurationVar(&o.span, "for", 10*time.Minute, "ask no server after `DURATION`; what is left goes to -again")
	fs.DurationVar(&o.tail, "tail", 2*time.Second,
		"when nobody has answered for `DURATION`, ask nobody else: what is left goes to -again, and what drips is\n"+
			"cut after a quarter of -robots-timeout; 0 waits for all")
	fs.DurationVar(&o.timeout, "robots-timeout", 20*time.Second,
		"wait at most `DURATION` for one robots.txt, and for one look-up")
	fs.IntVar(&o.jobs, "jobs", 64, "ask at most `N` servers at once")
	fs.IntVar(&o.perAddress, "per-address-connections", 4,
		"ask for at most `N` robots.txt at once at one address, where many hosts may live; 0 is any number")
	o.rate = stage.RateVar(fs, "rate", 0,
		"read no more than `RATE` from all servers together, as 50KB/s; 0 is no bound")
	o.dialer.Flags(fs)
	fs.StringVar(&o.ca, "ca", "", "trust the certificates in the PEM `FILE` too")
	return o.run
}

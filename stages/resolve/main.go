// Command resolve looks up the servers of URLs and asks each server for its robots.txt. It is the
// robot resolver of the Multitext crawler (thesis, section 3.2.2), and a cache, in its state, of
// addresses and robots.txt files for each origin (scheme, host and port), each renewed after -ttl.
// It sends each URL to one of three outputs:
//
//	ready    the server's addresses are known, and robots.txt allows the URL. The record carries
//	         addr= (the addresses to connect to, and no others), until= (when they expire) and
//	         delay= (the Crawl-delay, if there is one)
//	refused  the URL must not be fetched; reason= says why
//	again    the URL cannot be judged now
//
// -visits tells a frontier of the hosts without a URL in ready, for fetch does not hear of those.
//
// # Not now
//
// While a robots.txt cannot be fetched, nothing may be fetched from the host (RFC 9309, section
// 2.3.1.4). Either the server says so (5xx, 429, an answer that breaks off), or no server can be
// reached. The URLs go to again and lose no try, so an outage of the own network costs only time.
// The state remembers when the trouble began. The host is not asked again for as long as the
// trouble has lasted, at least 5 s and at most an hour. The pause is longer if Retry-After demands
// it; it is at least five times as long as the server took. After -patience the URLs are refused:
// with reason robots-unreachable if the server did answer, else with the reason why it could not be
// reached. A gap in which no run asked the host counts as an hour at most (probe.go). Without -new
// the time that the URL itself has waited (since=) counts.
//
// After a 4xx or more than five redirects in a row, everything is allowed.
//
// # How servers are asked
//
// At most -jobs servers are asked at once. At one address, which thousands of hosts may share, at
// most -per-address-connections are asked at once; hosts that wait for an address do not delay
// other hosts. These requests keep no distance to those of fetch or of other crawlers. They have a
// separate -rate; a tenth of fetch's is plenty. In each run the hosts of one registered domain may
// use at most 8 MiB of robots.txt (shares.go). If no server has answered for -tail, only slow
// servers are left. Then no other server is asked, answers that drip are cut, and the remaining
// URLs go to again as no-time.
//
// resolve never connects to private addresses or to ports that browsers refuse, not even after a
// redirect (package dial). Each run checks the addresses in the state again, by its own
// -allow-private and -connect-to.
//
// # State
//
// The state consists of segments with values (package segment). The key is the hash (package keyed)
// of the origin, written as in a canonical URL ("http://example.org:8080"). The value is a cache
// entry, version 1:
//
//	1 byte   1, the version
//	1 byte   kind: 1 known, 2 robots.txt cannot be fetched now, 4 no such host
//	uvarint  unix seconds at which it expires; the server is not asked before
//	uvarint  unix seconds at which kind 2 began, moved on by the time that does
//	         not count; 0 for others
//	1 byte   1 if -connect-to named the address, else 0
//	text     the origin; it distinguishes origins with the same key
//	text     the reason of kinds 2 and 4
//	uvarint  number of addresses, then each as text, "192.0.2.1:80"
//	rest     robots.txt as the server sent it, at most 500 KiB, compressed with zstd; may be empty
//
// Integers are uvarints as in encoding/binary. A text is its length (uvarint) and its bytes. An
// entry that has another version or cannot be parsed counts as absent. testdata/v1 stays readable.
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
		Long: `Reads URL batches. URLs that may be fetched go to -ready, with the addresses of their server
pinned (addr=, until=, delay=). URLs that cannot be judged now go to -again. URLs that must
not be fetched go to -refused, with reason=NAME. Addresses and robots.txt files are cached.
The cache is a list of segments in the file -hosts, one path a line, oldest first. The new
segment -new contains the new entries and the entries of the segments that are merged into it.
The report says which segments it replaces.

Refused: robots, no-such-host, private-address, bad-port, bad-scheme, bad-line; after
-patience robots-unreachable, dns-failed, connection-refused and the like. Without -refused
the records end here, with these reasons.

With -robots FILE resolve fetches nothing. It judges the URLs given as arguments by that
robots.txt, and prints the line and the group that decide, the Crawl-delay and the sitemaps.
With -explain it prints what the cache knows about the servers of the URLs, and what would
happen to the URLs now. With -live it also asks the servers. Give -explain the script's values
of -ttl, -patience, -allow-private and -connect-to: it answers as a run with these flags
would. -robots and -explain change nothing.

-sitemaps writes the first 100 Sitemap lines of each robots.txt that the run has fetched.
These links carry rel=sitemap, by which extract recognizes a sitemap. Send them to restrict,
which judges them like any link.

-visits is for the stage frontier, beside the -visits of fetch: it has a record for each host of the
run that has no URL in -ready. Without it the frontier waits for some seconds for a batch that was
refused, and sends URLs of a host that is not reachable as those of any other.

Memory: the records of the inputs, plus at most 300 MB for robots.txt files that are built to use much memory.`,
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
		"`NAME` of the crawler, a whole User-Agent (required); robots.txt uses its first word")
	fs.StringVar(&o.hosts, "hosts", "",
		"read the cache from the segments listed in `FILE`; without it, or if FILE is empty, no server is known")
	fs.StringVar(&o.fresh, "new", "", "write the new segment to `FILE`; without it no server is remembered")
	fs.StringVar(&o.ready, "ready", "", "write the URLs that may be fetched to `FILE` (required)")
	fs.StringVar(&o.again, "again", "", "write the URLs that cannot be judged now to `FILE` (required)")
	fs.StringVar(&o.refused, "refused", "",
		"write the URLs that must not be fetched to `FILE`; without it they are only counted")
	fs.StringVar(&o.robots, "robots", "",
		"judge the URLs given as arguments by the robots.txt in `FILE`, and do nothing else")
	fs.BoolVar(&o.explained, "explain", false,
		"print what the cache knows about the servers of the URLs given as arguments, and what\n"+
			"would happen to the URLs now, and do nothing else")
	fs.BoolVar(&o.live, "live", false,
		"with -explain: ask the servers even if the cache knows them; nothing is stored")
	fs.StringVar(&o.sitemaps, "sitemaps", "",
		"write the sitemaps in each newly fetched robots.txt to `FILE`, with rel=sitemap")
	fs.StringVar(&o.visits, "visits", "",
		"write the hosts that have no URL in -ready to `FILE`, for a frontier")
	fs.DurationVar(&o.ttl, "ttl", 24*time.Hour, "renew cache entries that are older than `DURATION`")
	fs.DurationVar(&o.patience, "patience", 24*time.Hour,
		"refuse a URL if the robots.txt of its host could not be fetched for `DURATION`")
	fs.DurationVar(&o.span, "for", 10*time.Minute,
		"after `DURATION` ask no more servers and write the remaining URLs to -again")
	fs.DurationVar(&o.tail, "tail", 2*time.Second,
		"after `DURATION` without any answer, ask no more servers: the remaining URLs go to -again, and slow\n"+
			"answers are cut after a quarter of -robots-timeout; 0 waits for all servers")
	fs.DurationVar(&o.timeout, "robots-timeout", 20*time.Second,
		"wait at most `DURATION` for one robots.txt, and for one DNS lookup")
	fs.IntVar(&o.jobs, "jobs", 64, "ask at most `N` servers at once")
	fs.IntVar(&o.perAddress, "per-address-connections", 4,
		"request at most `N` robots.txt at once from one address, which many hosts may share; 0 means no limit")
	o.rate = stage.RateVar(fs, "rate", 0,
		"read at most `RATE` from all servers together, as in 50KB/s; 0 means no limit")
	o.dialer.Flags(fs)
	fs.StringVar(&o.ca, "ca", "", "also trust the certificates in the PEM `FILE`")
	return o.run
}

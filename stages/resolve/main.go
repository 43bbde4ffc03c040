// Command resolve finds the servers of a batch's URLs and asks each for its robots.txt.
//
// It is the robot resolver of the Multitext crawler (thesis, section 3.2.2): a cache of
// addresses and a cache of robots.txt files, renewed together when an entry is a day old.
// For every origin of the batch, which is a scheme, a host and a port, it takes the entry
// of the state or makes a new one, and then judges each URL:
//
//	ready    the server's addresses are known and robots.txt allows the URL. The record
//	         carries addr= (the addresses to connect to, and no others), until= (when they
//	         expire) and delay= (the Crawl-delay, if there is one)
//	refused  never: reason= is robots (forbidden by robots.txt), robots-unreachable,
//	         no-such-host, private-address, bad-port, bad-scheme, bad-line; or, when -patience is at
//	         its end, why the server could not be reached (dns-failed, connection-refused, …)
//	again    not now
//
// # Not now
//
// A robots.txt that cannot be had means that nothing may be fetched from the host for the time
// being (RFC 9309, section 2.3.1.4), be it for what the server says (5xx, 429, an answer that
// breaks off) or because none is reached (a name server that fails, a refused connection, a
// handshake that fails, silence). Its URLs go to again and lose no try: an outage of the
// crawler's own network, too, costs nothing but time. since= says when that began for a URL.
//
// The trouble is remembered in the state: until the host's hold is over, its URLs wait without its
// being asked. A hold is as long as the trouble has lasted, from 5 s to an hour, and so doubles; or
// as long as the server wants by Retry-After, at most an hour; and no less than five times as long
// as it took. When the host has been in trouble for longer than -patience its URLs are refused: as
// robots-unreachable if the server did answer, else with the reason why it was not reached. So a
// crawl with dead hosts ends that long after the last of them was met; a crawl that must end sooner
// sets a shorter -patience. Of a time in which nobody looked after the host an hour counts, at
// most: a night in which the crawl was stopped, or the machine suspended, is not taken for trouble;
// and where there are so many URLs that each comes round once in hours, those of a dead host still
// end. After more than a -ttl the trouble begins anew. (Without -new nothing is remembered of
// hosts; there the time counts for which the URL has waited, by its since=.)
//
// A 4xx means that there is no robots.txt, and so do more than five redirects in a row; all is
// allowed then. Each redirect is followed to whatever host it names, as long as that is public.
//
// # How servers are asked
//
// -jobs servers at once, but never more than -per-address-connections at one address: thousands of
// hosts may live there. Those of an address wait for each other and for nobody else, so that one that
// does not answer holds up its own. A host is asked for its robots.txt once in a -ttl; that
// request is not spaced from those of fetch, nor from those of other crawlers that share the Web with this one
// (of N of them each may want a lower -per-address-connections), and its bytes are not in fetch's -rate but in -rate,
// which no second exceeds by more than 5 %. What has to wait too long for it is a robots.txt that
// cannot be had now: a tenth of fetch's rate is plenty.
//
// The hosts of one registered domain cost a run at most some 8 MiB of robots.txt that are fetched, and
// as many that are parsed and judged by (shares.go); what is left goes to -again as no-time, too.
//
// A run has a tail, as one of fetch has: another costs some 0.2 s, and the URLs whose servers are
// known wait for this one. When nobody has answered for -tail, or failed as soon, all who are asked
// are slow. Nobody else is asked then; what is left goes to -again (counted as no-time), for 40 s,
// so that the next runs are without it. A robots.txt that then comes with less than 1 KB a second
// is broken off when a quarter of -robots-timeout is over: it cannot be had now.
//
// # Sitemaps
//
// With -sitemaps FILE a robots.txt that the run has fetched gives its Sitemap lines away, as
// links: those of the first 100 that are absolute http or https URLs, each with via= (the
// robots.txt) and rel=sitemap, by which extract knows what to make of the document. They are no
// records of the input (the report has them as made) and begin at depth 0 as seeds do. A script
// leads them to restrict, which judges them like any other link; what was seen is dropped by
// filter, so that a robots.txt may be read anew each day.
//
// # By hand
//
// resolve -robots FILE -agent NAME URL… judges URLs by a robots.txt on disk. resolve -explain
// -agent NAME -hosts LIST URL… tells what a crawl's cache knows of their servers and what would
// become of the URLs now; with -live it asks the servers. Give it the -ttl, -patience, -allow-private
// and -connect-to of the script: it answers as a run with these flags would, and reckons since when
// something is known by -ttl. Neither changes anything. What strangers wrote is quoted.
//
// # Safety
//
// Addresses that are not on the public internet are refused, this machine's own, and ports that browsers
// refuse (22, 25, …), also behind a redirect of
// robots.txt (package dial); those of the state are judged again by each run's own
// -allow-private. An address that -connect-to has named serves only runs
// whose -connect-to names the same.
//
// # State
//
// A segment (package segment) with values. The key (package keyed) is that of the origin, written
// as in a canonical URL ("http://example.org:8080"), the value a cache entry. Version 1 of an
// entry, integers as in encoding/binary's uvarint:
//
//	1 byte   1, the version
//	1 byte   kind: 1 known, 2 robots.txt cannot be had now, 4 no such host; 3, which is
//	         written no more, is 2 where no server was reached
//	uvarint  unix seconds at which it expires: to be renewed then, not to be asked before
//	uvarint  unix seconds since when the host has been of kind 2, moved on by the time that does
//	         not count; 0 for others
//	1 byte   1 if -connect-to named the address, else 0
//	text     the origin: two origins of one key are told apart by it
//	text     the reason of kinds 2 to 4
//	uvarint  number of addresses, then each as text, "192.0.2.1:80"
//	rest     robots.txt as the server sent it, at most 500 KiB, compressed by zstd; empty
//	         where there is none
//
// where text is its length (uvarint) and its bytes. An entry of another version, or one
// that cannot be read, counts as absent: it is a cache. testdata/v1 holds entries kept for
// ever.
//
// Memory: the records of the run, and 300 MB when robots.txt files are made to take much: a run fetches at
// most 64 MiB of them, compressed (the rest goes to again), and has one as it comes for each of -jobs.
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
		Name:  "resolve",
		Short: "finds the servers of URLs and obeys their robots.txt",
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
sitemaps. With -explain it tells what the cache knows of their servers.

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
	o := &options{}
	fs.StringVar(&o.agent, "agent", "", "call the crawler `NAME`, a whole User-Agent (needed); robots.txt knows it by its first word")
	fs.StringVar(&o.hosts, "hosts", "", "read the cache from the segments listed in `FILE`; none or empty: nothing is known")
	fs.StringVar(&o.fresh, "new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fs.StringVar(&o.ready, "ready", "", "write the URLs that may be fetched to `FILE` (needed)")
	fs.StringVar(&o.again, "again", "", "write the URLs to be judged later to `FILE` (needed)")
	fs.StringVar(&o.refused, "refused", "", "write the URLs that may not be fetched to `FILE`; without it they are only counted")
	fs.StringVar(&o.robots, "robots", "", "judge the URLs given as arguments by the robots.txt in `FILE`, and do nothing else")
	fs.BoolVar(&o.explained, "explain", false, "tell what the cache knows of the servers of the URLs given as arguments, and what\nwould become of the URLs now, and do nothing else")
	fs.BoolVar(&o.live, "live", false, "with -explain, ask the servers, whatever the cache knows; nothing is remembered")
	fs.StringVar(&o.sitemaps, "sitemaps", "", "write the sitemaps that a newly fetched robots.txt names to `FILE`, with rel=sitemap")
	fs.DurationVar(&o.ttl, "ttl", 24*time.Hour, "ask anew when an entry of the cache is older than `DURATION`")
	fs.DurationVar(&o.patience, "patience", 24*time.Hour, "refuse a URL when its host's robots.txt could not be had for `DURATION`")
	fs.DurationVar(&o.span, "for", 10*time.Minute, "ask no server after `DURATION`; what is left goes to -again")
	fs.DurationVar(&o.tail, "tail", 2*time.Second, "when nobody has answered for `DURATION`, ask nobody else: what is left goes to -again, and what drips is\ncut after a quarter of -robots-timeout; 0 waits for all")
	fs.DurationVar(&o.timeout, "robots-timeout", 20*time.Second, "wait at most `DURATION` for one robots.txt, and for one look-up")
	fs.IntVar(&o.jobs, "jobs", 64, "ask at most `N` servers at once")
	fs.IntVar(&o.perAddress, "per-address-connections", 4, "ask for at most `N` robots.txt at once at one address, where many hosts may live; 0 is any number")
	o.rate = stage.RateVar(fs, "rate", "read no more than `RATE` from all servers together, as 50KB/s; 0 is no bound")
	o.finder.Flags(fs)
	fs.StringVar(&o.ca, "ca", "", "trust the certificates in the PEM `FILE` too")
	return o.run
}

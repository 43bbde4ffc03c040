// Command filter lets through the URLs that the crawl has not seen before (thesis, 3.2.2).
//
// The seen-set is a state (package segment) that contains 64-bit keys. The key of a URL is the hash
// of its bytes with the crawl's secret (package keyed); URLs arrive in canonical form. The
// transaction that writes a URL to the output also adds it to the seen-set, so no URL is marked as
// seen and then lost.
//
// Keys may collide. With 100 million URLs seen, a new URL is taken for a seen one with a
// probability of 5 in 10^12; over the whole crawl an expected 0.0003 URLs are lost. Nobody can
// build a URL that hides another one from the crawl, because the secret is unknown. In runs by hand
// without a secret that is possible.
//
// Records keep their order and their bytes. If a URL repeats within the input, only its first
// record is written.
//
// With -known the other records are written too, each with known=1: a frontier that orders URLs by
// their links counts them. A script whose order is a var gives it to -order, too, so that they are
// written only if they are counted.
//
// # Pages that arrive
//
// In a collaboration a page may arrive from another crawler. It is treated as if it had been
// downloaded here (X4, section 4). gofer pull -arrived writes the URLs of such pages with the
// attribute arrived=1. filter adds these URLs to the seen-set and does not write them. If a URL was
// let through before, it may still be in some queue. For it filter keeps a second key, the hash of
// "arrived " and the URL. A second filter with -recheck, shortly before resolve, looks for this key
// and removes the URL:
//
//	[stage.filter]
//	in   = ["mine", "arrived"]
//	[stage.recheck]
//	in   = "frontier"
//	out  = ["due", "visits"]
//	read = { seen = "seen" }
//	run  = "filter -recheck -seen {seen} -fresh {due} -visits {visits} -report {report} {in}"
//
// # Crawlers that join and leave
//
// In a partition by URL one node remembers a URL and one fetches it (package nodes). They differ
// only after a node has joined, or leaves. classify links sends each link to the node that
// remembers it. Its filter judges the URL. With -nodes it writes a URL that it lets through, and
// that another node fetches, to a batch for that node (package outgoing), with moved=1. There
// filter lets the URL through without judging it. filter -recheck also sends on the URLs that
// waited while nodes.toml changed. fetcher.go says why no URL is lost, and none fetched twice.
package main

import (
	"context"
	"flag"

	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "filter",
		Formats: []string{segment.Formats()},
		Short:   "lets through the URLs that were not seen before",
		Long: `Reads URL batches and writes to -fresh each URL that is not in the seen-set, once. The
seen-set is a list of segments in the file -seen, one path a line, oldest first. The new
segment -new contains the keys of the fresh URLs and of the segments that are merged into it.
The report says which segments it replaces.

A URL with arrived=1 belongs to a page that arrived from another crawler: it counts as seen
from then on. -recheck reads URLs that were let through before, and drops those whose pages
have arrived since. It writes no segment.

With -known, records of URLs that were let through before, in this run or an earlier one, go to
that output with known=1, for frontier -order backlink. They count as seen and repeated then, and
those are no reasons. With -order too, that is so only if the order counts links.

With -nodes, a URL that another node fetches goes to a batch in that node's folder beside
-outgoing, with moved=1, when it is let through, also by -recheck. The partition is over the nodes
that do not have leaves = true. A URL with moved=1 is let through though it was seen. Counters:
to-NODE, the URLs sent to each node; moved, the URLs with moved=1.

Records end here with these reasons: seen (in the seen-set), repeated (twice in the input), arrived, bad-line.

Memory: about 30 MB, plus about 20 bytes for each fresh URL of the run, plus 2 MB for each node to
which URLs are sent (at most 64 at a time). The seen-set is mapped
from its files, whatever its size.`,
		Example: `: > seen.list
filter -seen seen.list -new seen-1 -fresh fresh-1.zst links.zst && echo $PWD/seen-1 > seen.list
filter -seen seen.list -fresh - links.zst | wc -l # 0: all URLs are seen now`,
		Check: segment.Check("segments of the seen-set", nil),
	}
}

func setup(fs *flag.FlagSet) stage.Body {
	seen := fs.String("seen", "",
		"read the seen-set from the segments listed in `FILE`; without it, or if FILE is empty, no URL is seen")
	made := fs.String("new", "", "write the new segment to `FILE`; without it no URL is remembered")
	fresh := fs.String("fresh", "-", "write the fresh URLs to `FILE`")
	known := fs.String("known", "",
		"write the records that are not fresh to `FILE`, each with known=1; without it they end here")
	by := fs.String("order", "", "write -known only if the `ORDER` of frontier counts links, as backlink does")
	recheck := fs.Bool("recheck", false,
		"drop only the URLs whose pages arrived from another crawler after they were let through")
	told := fs.String("visits", "",
		"with -recheck: write the hosts of which no URL passes to `FILE`, for frontier; without it frontier waits\n"+
			"for them")
	f := &fetchers{}
	f.declare(fs)
	return func(ctx context.Context, env *stage.Env) error {
		if *recheck && *made != "" {
			return stage.Usagef("-recheck writes no segment: remove -new")
		}
		if *recheck && *known != "" {
			return stage.Usagef("-recheck lets through URLs that are known: remove -known")
		}
		if *told != "" && !*recheck {
			return stage.Usagef("-visits works only with -recheck: give both")
		}
		if *by != "" {
			o, err := order.New(*by, env.Hash)
			if err != nil {
				return stage.Usagef("-order: %w", err)
			}
			if !o.Counts() {
				*known = ""
			}
		}
		if *known != "" {
			env.Gives(stage.Links, *known)
		}
		if err := f.load(); err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return filter(ctx, env, config{*seen, *made, *fresh, *known, *recheck, *told, f})
	}
}

func main() { stage.Main(tool(), setup) }

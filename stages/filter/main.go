// Command filter lets through the URLs that the crawl has not met before (thesis, 3.2.2).
//
// The seen-set is a state of segments (package segment) of 64-bit keys: the hash, with the crawl's
// secret (package keyed), of the URL's bytes, which are canonical already. A URL becomes seen by
// the same transaction that hands it on, so none is marked as seen and then lost.
//
// Keys may collide: with 100 million URLs seen, the chance that a new one is taken for
// an old one is 5 in 10^12; over the whole crawl 0.0003 URLs are expected to be lost so. Nobody can
// build a URL that hides another one from the crawl, but by hand where there is no secret.
//
// Records keep their order and their bytes. Repeats within the input leave too; the first
// stays.
//
// # Pages that arrive
//
// In a collaboration a page may come from another crawler, and is treated as if it had been
// downloaded here (X4, section 4). gofer pull -arrived writes the URLs of such pages with the
// attribute arrived=1. Those are seen from then on, and go no further. One that was let through
// before may be in some queue still: of it a second key is kept, of "arrived " and the URL, by
// which filter -recheck, shortly before resolve, takes it out:
//
//	[stage.filter]
//	in   = ["mine", "arrived"]
//	[stage.recheck]
//	in   = "frontier"
//	out  = "due"
//	read = { seen = "seen" }
//	run  = "filter -recheck -seen {seen} -fresh {due} -report {report} {in}"
package main

import (
	"context"
	"flag"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "filter",
		Formats: []string{segment.Formats()},
		Short:   "lets through the URLs that were not seen before",
		Long: `Reads URL batches and writes the records whose URL is not in the seen-set, each once, to
-fresh. Their keys go, with those of the segments they are merged with, into the new
segment -new. The seen-set is read from the segments that the file -seen lists, one path a
line, oldest first; the report says which of them the new one replaces.

A URL with arrived=1 is that of a page which has come from another crawler: it counts as seen
from then on. With -recheck the URLs have been let through before, and those leave whose page
has come since; nothing is remembered.

Leave the flow: seen (in the seen-set), repeated (twice in the input), arrived, bad-line.

Memory: about 30 MB, and some 20 bytes for each fresh URL of the run. The seen-set is mapped
from its files, whatever its size.`,
		Example: `: > seen.list
filter -seen seen.list -new seen-1 -fresh fresh-1.zst links.zst && echo $PWD/seen-1 > seen.list
filter -seen seen.list -fresh - links.zst | wc -l      # 0: all are seen now`,
		Check: segment.Check("segments of the seen-set", nil),
	}
}

func setup(fs *flag.FlagSet) stage.Body {
	seen := fs.String("seen", "",
		"read the seen-set from the segments listed in `FILE`; none or empty: nothing was seen")
	made := fs.String("new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fresh := fs.String("fresh", "-", "write the fresh URLs to `FILE`")
	recheck := fs.Bool("recheck", false,
		"let through all URLs but those whose page has come from another crawler since they were let through")
	return func(ctx context.Context, env *stage.Env) error {
		if *recheck && *made != "" {
			return stage.Usagef("-recheck remembers nothing: leave -new out")
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return filter(ctx, env, config{*seen, *made, *fresh, *recheck})
	}
}

func main() { stage.Main(tool(), setup) }

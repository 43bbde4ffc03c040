// Command xdup keeps one copy of each body (thesis, section 3.2.2).
//
// Two answers are duplicates when the digests of their payloads are equal: the body without transfer
// encoding, before content encoding is undone. Only answers that are a page's whole content are judged:
// status 2xx but 206, a payload digest (which package warc gives to whole payloads only), not cut, not
// empty. Redirects, errors and the like often share one body and differ in their headers; they pass.
//
// The digests are a state of segments (package segment). A body becomes known by the same
// transaction that hands its page on.
//
// # What becomes of a duplicate
//
// By default a revisit record: some 700 bytes that say that the URL was asked for, what the
// server answered, and where in the archive the body is. Archives can be replayed whole so, and
// extract knows the record and takes no links from it. The thesis discards duplicates: -drop does.
//
// # State, version 1
//
// The key of an entry is the first 8 bytes of the SHA-1, big-endian; its value is
//
//	1 byte      version = 1
//	12 bytes    the rest of the SHA-1
//	8 bytes     WARC-Date of the first copy, unix milliseconds, little-endian
//	the rest    URL of the first copy
//
// The rest of the digest makes the judgement one of all 160 bits. Keys alone would meet by chance:
// among 100 million bodies 0.0003 pairs are expected, among ten billion 2.7. When that happens the
// later body takes the entry, and the next copy of the earlier one is kept once more; a page is
// never lost. SHA-1 does not withstand forgers, who can make two bodies of theirs equal: they harm
// their own pages.
package main

import (
	"context"
	"flag"

	"multitext/stages/internal/segment"
	"multitext/stages/internal/stage"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:  "xdup",
		Short: "keeps one copy of each body",
		Long: `Reads page batches (WARC) and writes them to -unique; an answer whose body was met before becomes
a revisit record without body, or with -drop leaves the flow (reason duplicate).

Judged are whole, non-empty bodies of 2xx answers; all others pass. What is not changed is
copied as it is, still compressed. The bodies known are read from the segments that the
file -digests lists, one path a line, oldest first; those of this run go into the segment -new,
and the report says which segments it replaces.

Memory: a few records, and some 200 bytes for each new body of the run.`,
		Example: `: > digests.list
xdup -digests digests.list -new digests-1 -unique unique.warc.gz pages.warc.gz
echo $PWD/digests-1 > digests.list
xdup -digests digests.list -drop -unique more.warc.gz pages-2.warc.gz`,
	}
}

// config is what the flags say.
type config struct {
	digests, segment, unique string
	drop                     bool
}

func setup(fs *flag.FlagSet) stage.Body {
	var c config
	fs.StringVar(&c.digests, "digests", "", "read the known bodies from the segments listed in `FILE`; none or empty: no body is known")
	fs.StringVar(&c.segment, "new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fs.StringVar(&c.unique, "unique", "-", "write the answers to `FILE`")
	fs.BoolVar(&c.drop, "drop", false, "drop duplicates instead of writing revisit records")
	verify := fs.Bool("verify", false, "check the arguments, segments of -digests (not page batches: extract -verify), and do nothing else")
	return func(ctx context.Context, env *stage.Env) error {
		if *verify {
			return stage.Verify(ctx, env, func(path string) error { return segment.VerifyFile(path, verifyEntry) })
		}
		return xdup(ctx, env, c)
	}
}

func main() { stage.Main(tool(), setup) }

// Command xdup keeps one copy of each body (thesis, section 3.2.2).
//
// Two answers are duplicates if the digests of their payloads are equal. A payload is the body
// after transfer encoding is undone, but before content encoding is undone. The digest is SHA-1, by
// which archives name payloads; the thesis uses MD5. Only complete pages are compared: status 2xx
// except 206, a payload digest (package warc sets it for complete payloads only), not cut, not
// empty. All other answers pass unchanged: redirects, errors and the like often share one body and
// differ in their headers.
//
// A duplicate becomes a revisit record of about 700 bytes. It has the URL that was requested, the
// server's header, and the position of the body in the archive. So archives can be replayed
// completely. extract recognizes the record and takes no links from it. The thesis discards
// duplicates; -drop does this.
//
// # Links of a duplicate
//
// Two answers with the same body have the same links only under two conditions. Their URLs must be
// equal except for the query, because relative links depend on the URL. And their heads must agree,
// because a head may have Link or Refresh. With -copies any other duplicate is written a second
// time, with its body, for extract only. In -unique it is still a revisit record:
//
//	[stage.xdup]
//	out = ["unique", "copies"]
//	run = "xdup -copies {copies} -unique {unique} …"
//	[stage.extract]
//	in   = ["unique", "copies"]
//	take = 2
//
// A record in -copies carries the attribute copy, the URL of the first copy: extract takes only the
// links that the first copy lacks. If the heads differ, the attribute is missing, and extract takes
// all links. Only answers that extract can read are written, HTML and sitemaps, and no copies of
// pages that went to -aside. A body is written once for each combination of server, path and
// reading of the head, and for at most -places of them on a server. So a server that answers every
// request with the same page ("not found" with status 200) does not lead further.
//
// # Near-duplicates
//
// Many pages differ from another only in a date, a counter or a session number, and a site may
// produce such pages without end. With -near N the visible text of a page is compared with earlier
// ones. A page that shares at least N of six super-shingles with an earlier page is a
// near-duplicate (package near).
//
// This is a guess, and an archive should not lose a page by a guess. So near-duplicates stay
// complete, and carry the attribute near, the URL of the similar page. With -aside they go to a
// separate output, which a script may send to the archive and not to extract:
//
//	[stage.xdup]
//	out = ["unique", "similar"]
//	run = "xdup -near 2 -aside {similar} -unique {unique} …"
//
// A page that has changed a little since the last visit is similar to its earlier version. It gets
// its own URL as the attribute near, is counted as near-itself, and goes to -unique. refresh -alike
// treats it as unchanged.
//
// # State
//
// The digests are a state (package segment). Its entries are described at encodeEntry, encodeNear
// and placesKey. The transaction that writes a page also makes its body known. A state can be used
// with and without -near or -copies in turn. testdata/v2.seg must stay readable. A page takes about
// 90 bytes, with -near 130 more, and with -copies 20 for each duplicate in -copies.
package main

import (
	"context"
	"flag"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/web/near"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "xdup",
		Formats: []string{warc.Format, segment.Formats()},
		Short:   "keeps one copy of each body",
		Long: `Reads page batches (WARC) and writes them to -unique. An answer whose body was seen before
becomes a revisit record without body. With -drop it is not written (reason duplicate).

With -copies FILE a duplicate is written to FILE too, with its body, if its links may differ
from those of the first copy. Only extract needs it.

With -near N a page gets near=URL if its text shares at least N of 6 super-shingles with an
earlier page; -aside FILE writes such pages to FILE instead. 2 is usual: it finds nearly every
page of likeness 0.98, two of five of likeness 0.9, and one of forty of likeness 0.8. 1 finds
more pages and makes more errors. Only new bodies of HTML or other text with at least 32 words
are compared, by their first 2 MiB.

Only complete, non-empty bodies of 2xx answers are compared; all other answers pass. Unchanged
answers are copied in compressed form. The known bodies are a list of segments in the file
-digests, one path a line, oldest first. The bodies of this run go into the new segment -new.
The report says which segments it replaces.

Memory: a few records, plus about 200 bytes for each new body of the run, and with -copies as
much for each duplicate. With -near it is 600 bytes for each new body, plus about 10 MB for
the current page.`,
		Example: `: > digests.list
xdup -digests digests.list -new digests-1 -unique unique.warc.gz pages.warc.gz
echo $PWD/digests-1 > digests.list
xdup -digests digests.list -drop -unique more.warc.gz pages-2.warc.gz`,
		Check: segment.Check("segments of -digests (not page batches: extract -verify)", verifyEntry),
	}
}

// flags holds the values of the flags.
type flags struct {
	digests, segment, unique string
	drop                     bool
	near                     int // least number of super-shingles that near-duplicates share; 0: off
	aside                    string
	copies                   string
	mostPlaces               int // largest number of places of a body on a server
}

func setup(fs *flag.FlagSet) stage.Body {
	var f flags
	fs.StringVar(&f.digests, "digests", "",
		"read the known bodies from the segments listed in `FILE`; without it, or if FILE is empty, no body is known")
	fs.StringVar(&f.segment, "new", "", "write the new segment to `FILE`; without it no body is remembered")
	fs.StringVar(&f.unique, "unique", "-", "write the answers to `FILE`")
	fs.BoolVar(&f.drop, "drop", false, "drop duplicates instead of writing revisit records")
	fs.IntVar(&f.near, "near", 0,
		"mark pages that share `N` of 6 super-shingles with an earlier one; 2 is usual, 0 looks for none")
	fs.StringVar(&f.aside, "aside", "", "with -near: write near-duplicates to `FILE`, not to -unique")
	fs.StringVar(&f.copies, "copies", "", "write duplicates whose links may differ to `FILE` too, with body")
	fs.IntVar(&f.mostPlaces, "places", 1000, "with -copies: write a body for at most `N` paths of a server")
	return func(ctx context.Context, env *stage.Env) error {
		if f.near < 0 || f.near > near.Keys {
			return stage.Usagef("-near %d: want 0 to %d", f.near, near.Keys)
		}
		if f.aside != "" && f.near == 0 {
			return stage.Usagef("-aside works only with -near: give both")
		}
		if f.mostPlaces < 1 {
			return stage.Usagef("-places %d: want 1 or more; to write no duplicates, omit -copies", f.mostPlaces)
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return f.run(ctx, env)
	}
}

func main() { stage.Main(tool(), setup) }

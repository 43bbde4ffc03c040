// Command xdup keeps one copy of each body (thesis, section 3.2.2).
//
// Two answers are duplicates when the digests of their payloads are equal: the body without
// transfer encoding, before content encoding is undone. The digest is SHA-1, which archives name
// their payloads by, where the thesis has MD5. Only answers that are a page's whole content are
// judged: status 2xx but 206, a payload digest (which package warc gives to whole payloads only),
// not cut, not empty. Redirects, errors and the like often share one body and differ in their
// headers; they pass.
//
// A duplicate becomes a revisit record: some 700 bytes that say that the URL was asked for, what
// the server answered, and where in the archive the body is. So archives can be replayed whole, and
// extract knows the record and takes no links from it. The thesis discards duplicates: -drop does.
//
// # Links of a duplicate
//
// Two answers with one body have the same links only where their heads say the same of them and
// their URLs are the same but for the query: relative links of another URL lead elsewhere, and a
// head may have Link or Refresh. With -copies any other duplicate is written a second time, with
// its body, for extract alone; what is in -unique stays a revisit record:
//
//	[stage.xdup]
//	out = ["unique", "copies"]
//	run = "xdup -copies {copies} -unique {unique} …"
//	[stage.extract]
//	in   = ["unique", "copies"]
//	take = 2
//
// A copy carries the attribute copy, the URL of the first one: extract takes the links that this
// one has not given. It is missing where the heads differ, so that all are taken. Only answers that
// extract may read are handed on, HTML and sitemaps, and no copies of what went to -aside. A body
// is handed on once for each path of a server and what the head says, and for at most -places of a
// server, so that a server that answers all with one page ("not found" with status 200) leads no
// further.
//
// # Near-duplicates
//
// Many pages differ from another only in a date, a counter or a session's number, and a site may
// make such pages for ever. With -near N the text that a page shows is compared with those met
// before: one that shares at least N of six super-shingles with an earlier one is a near-duplicate
// (package near).
//
// That is a guess, and an archive should not lose a page by a guess: near-duplicates stay, whole,
// and carry the attribute near, the URL of the page that they are like. With -aside they leave by
// an output of their own, which a script may give to the archive and not to extract:
//
//	[stage.xdup]
//	out = ["unique", "similar"]
//	run = "xdup -near 2 -aside {similar} -unique {unique} …"
//
// A page that is visited again and has changed a little is like its earlier version. It is marked
// with its own URL, counted as near-itself, and goes to -unique; refresh -alike takes that for no
// change.
//
// # State
//
// The digests are a state of segments (package segment), whose entries are described at
// encodeEntry, encodeNear and placesKey. A body becomes known by the same transaction that hands
// its page on. A state that was begun without -near or -copies goes on with them, and the other way
// round; testdata/v2.seg must stay readable. A page costs some 90 bytes, with -near 130 more, and
// with -copies 20 for each duplicate that is handed on.
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
		Long: `Reads page batches (WARC) and writes them to -unique; an answer whose body was met before becomes
a revisit record without body, or with -drop leaves the flow (reason duplicate).

With -copies FILE a duplicate whose links may lead elsewhere than those of the first copy is written
there too, with its body, for extract alone.

With -near N a page whose text shares at least N of 6 super-shingles with an earlier one is marked
with near=URL; with -aside FILE it is written there instead. 2 is usual: it finds nearly every page of
likeness 0.98, two of five of likeness 0.9, and one of forty of likeness 0.8; 1 finds more and errs more.
Only new bodies of HTML and other text are judged, of 32 words or more, by their first 2 MiB.

Judged are whole, non-empty bodies of 2xx answers; all others pass. What is not changed is
copied as it is, still compressed. The bodies known are read from the segments that the
file -digests lists, one path a line, oldest first; those of this run go into the segment -new,
and the report says which segments it replaces.

Memory: a few records, and some 200 bytes for each new body of the run, with -copies as much for each
duplicate; with -near 600, and some 10 MB for the page that is judged.`,
		Example: `: > digests.list
xdup -digests digests.list -new digests-1 -unique unique.warc.gz pages.warc.gz
echo $PWD/digests-1 > digests.list
xdup -digests digests.list -drop -unique more.warc.gz pages-2.warc.gz`,
		Check: segment.Check("segments of -digests (not page batches: extract -verify)", verifyEntry),
	}
}

// flags say what a run does.
type flags struct {
	digests, segment, unique string
	drop                     bool
	near                     int // super-shingles that near-duplicates share; 0: not asked for
	aside                    string
	copies                   string
	mostPlaces               int // of a body on a server
}

func setup(fs *flag.FlagSet) stage.Body {
	var f flags
	fs.StringVar(&f.digests, "digests", "",
		"read the known bodies from the segments listed in `FILE`; none or empty: no body is known")
	fs.StringVar(&f.segment, "new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fs.StringVar(&f.unique, "unique", "-", "write the answers to `FILE`")
	fs.BoolVar(&f.drop, "drop", false, "drop duplicates instead of writing revisit records")
	fs.IntVar(&f.near, "near", 0,
		"mark pages that share `N` of 6 super-shingles with an earlier one; 2 is usual, 0 looks for none")
	fs.StringVar(&f.aside, "aside", "", "with -near: write near-duplicates to `FILE`, not to -unique")
	fs.StringVar(&f.copies, "copies", "", "write duplicates whose links may lead elsewhere to `FILE` too, whole")
	fs.IntVar(&f.mostPlaces, "places", 1000, "with -copies: hand on a body for at most `N` paths of a server")
	return func(ctx context.Context, env *stage.Env) error {
		if f.near < 0 || f.near > near.Keys {
			return stage.Usagef("-near %d: want 0 to %d", f.near, near.Keys)
		}
		if f.aside != "" && f.near == 0 {
			return stage.Usagef("-aside is for what -near finds: give both")
		}
		if f.mostPlaces < 1 {
			return stage.Usagef("-places %d: want 1 or more; without -copies no duplicate is handed on", f.mostPlaces)
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return f.run(ctx, env)
	}
}

func main() { stage.Main(tool(), setup) }

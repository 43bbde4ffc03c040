// Command xdup keeps one copy of each body (thesis, section 3.2.2).
//
// Two answers are duplicates when the digests of their payloads are equal: the body without transfer
// encoding, before content encoding is undone. The digest is SHA-1, which archives name their payloads
// by, where the thesis has MD5. Only answers that are a page's whole content are judged:
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
// # Links of a duplicate
//
// Two answers with one body have the same links only where their heads say the same of them and
// their URLs are the same but for the query: relative links of another URL lead elsewhere, and a
// head may have Link or Refresh. With -copies any other duplicate is written a second time, with its
// body, for extract alone; what is in -unique stays a revisit record:
//
//	[stage.xdup]
//	out = ["unique", "copies"]
//	run = "xdup -copies {copies} -unique {unique} …"
//	[stage.extract]
//	in   = ["unique", "copies"]
//	take = 2
//
// A copy carries the attribute copy, the URL of the first one: extract takes the links that this one
// has not given. It is missing where the heads differ, so that all are taken. Only answers that
// extract may read are handed on, HTML and sitemaps, and no copies of what went to -aside. A body is
// handed on once for each path of a server and what the head says, and for at most -places of a
// server; the others are counted as copies-over-limit. So a server that answers all with one page
// ("not found" with status 200) leads no further, wherever its relative links go.
//
// # Near-duplicates
//
// Many pages differ from another only in a date, a counter or a session's number. No digest finds them,
// and a site that makes such pages for ever is a trap. With -near N the text that a page shows is held
// against those met before, too: one that shares at least N of six super-shingles with an earlier one
// is a near-duplicate. With 2, the usual number, that is nearly every page of likeness 0.98, two of
// five of likeness 0.9, and one of forty of likeness 0.8; 1 finds more and errs more. How that is
// reckoned, why not by simhash, and what it found among real texts, package near tells.
//
// That is a guess, and an archive should not lose a page by a guess: near-duplicates stay, whole,
// and carry the attribute near, the URL of the page that they are like. What else becomes of them
// is the script's: with -aside they leave by an output of their own. Kept from extract but
// not from the archive, they are copies whose links nobody follows:
//
//	[stage.xdup]
//	out = ["unique", "similar"]
//	run = "xdup -near 2 -aside {similar} -unique {unique} …"
//	[stage.extract]
//	in  = "unique"
//	[stage.pack]
//	in  = ["unique", "similar"]
//
// Without -aside they go to -unique with all others, and -near only counts and marks.
//
// Where pages are visited again, one that has changed a little is like its earlier version. That is no
// near-duplicate: it goes to -unique, and what links it has new are followed. It is marked with its own URL and
// counted as near-itself; refresh -alike takes that for no change.
//
// Judged are new bodies of text/html, application/xhtml+xml and any other text, of 32 words or more, by the
// first 2 MiB of each, decompressed.
//
// # State, version 2
//
// The key of a body's entry is the first 8 bytes of its SHA-1, big-endian; its value is
//
//	1 byte      version = 2
//	12 bytes    the rest of the SHA-1
//	8 bytes     WARC-Date of the first copy, unix milliseconds, little-endian
//	4 bytes     what the first copy's head says of its links, hashed; 0 without -copies, and
//	            ff ff ff ff where that copy went to -aside
//	the rest    URL of the first copy
//
// The rest of the digest makes the judgement one of all 160 bits. Keys alone would meet by chance:
// among 100 million bodies 0.0003 pairs are expected, among ten billion 2.7. When that happens the
// later body takes the entry, and the next copy of the earlier one is kept once more; a page is
// never lost. SHA-1 does not withstand forgers, who can make two bodies of theirs equal: they harm
// their own pages.
//
// With -near each text that is like no other has six entries more. Their keys are its super-shingles (those
// that no text had before), their value is
//
//	1 byte      'n'
//	8 bytes     key of the entry of the body that had it first
//
// With -copies each server on which a body was met elsewhere than at its first copy's place has an entry. Its key is
// the first 8 bytes, big-endian, of the SHA-1 of the body's SHA-1 and the server's scheme://host; its value is
//
//	1 byte      'p'
//	4 bytes     each place: hashes of the path and of what the head says, by exclusive or; little-endian
//
// All kinds lie in one state; one that was begun without -near or -copies goes on with them, and the other way
// round. testdata/v2.seg has entries without -copies, kept for ever. A page costs some 90 bytes, and with -near
// 130 more, and with -copies 20 for each duplicate that is handed on.
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

With -near N a page whose text shares at least N of 6 super-shingles with an earlier one
(2 is usual) is marked with near=URL; with -aside FILE it is written there instead.

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

// config is what the flags say.
type config struct {
	digests, segment, unique string
	drop                     bool
	near                     int // super-shingles that near-duplicates share; 0: not asked for
	aside                    string
	copies                   string
	places                   int // of a body on a server; see -places
}

func setup(fs *flag.FlagSet) stage.Body {
	var c config
	fs.StringVar(&c.digests, "digests", "", "read the known bodies from the segments listed in `FILE`; none or empty: no body is known")
	fs.StringVar(&c.segment, "new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fs.StringVar(&c.unique, "unique", "-", "write the answers to `FILE`")
	fs.BoolVar(&c.drop, "drop", false, "drop duplicates instead of writing revisit records")
	fs.IntVar(&c.near, "near", 0, "mark pages that share `N` of 6 super-shingles with an earlier one; 2 is usual, 0 looks for none")
	fs.StringVar(&c.aside, "aside", "", "with -near: write near-duplicates to `FILE`, not to -unique")
	fs.StringVar(&c.copies, "copies", "", "write duplicates whose links may lead elsewhere to `FILE` too, whole")
	fs.IntVar(&c.places, "places", 1000, "with -copies: hand on a body for at most `N` paths of a server")
	return func(ctx context.Context, env *stage.Env) error {
		if c.near < 0 || c.near > near.Keys {
			return stage.Usagef("-near %d: want 0 to %d", c.near, near.Keys)
		}
		if c.aside != "" && c.near == 0 {
			return stage.Usagef("-aside is for what -near finds: give both")
		}
		if c.places < 1 {
			return stage.Usagef("-places %d: want 1 or more; without -copies no duplicate is handed on", c.places)
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return xdup(ctx, env, c)
	}
}

func main() { stage.Main(tool(), setup) }

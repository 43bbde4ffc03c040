// Command cdx indexes WARC files, so that replay tools find a page in them without reading them
// all.
//
// It reads finished page batches, usually those of the queue that is the crawl's product, and
// writes a CDXJ index: one line for each answer with its URL, time, status and place in its file,
// sorted. Package cdxj describes the format and the key that lines are sorted by.
//
// A line names its file by the base name alone, which the manager makes unique within a queue: give
// the files of two crawls, or of two queues, indexes of their own. A committed file never changes,
// so an index of a kept queue is valid as long as the files exist.
//
// # In a crawl
//
//	[queue.archive]
//	ext  = "warc.gz"
//	keep = true
//	[stage.index]
//	in   = "archive"
//	out  = "indexed"
//	run  = "cdx -out {indexed} -report {report} {in}"
//	[queue.indexed]
//	ext  = "cdxj"
//	[stage.merge]                 # 64 small indexes become one
//	in   = "indexed"
//	out  = "index"
//	take = 64
//	min  = 64
//	run  = "cdx -merge -out {index} -report {report} {in}"
//	[queue.index]
//	ext  = "cdxj"
//
// Replay tools read several indexes at once: a folder of a few merged ones will do, and
// cdx -merge joins them by hand. pywb takes links to both folders as a collection's indexes and
// archive.
//
// The archive files that a crawl leaves are batches joined by cat. Each batch begins with a
// warcinfo record, so a joined file has several; the first is at byte 0, and each describes the
// records behind it up to the next, which the standard allows (ISO 28500, warcinfo). A revisit
// record has a line too, with the mime type warc/revisit; its digest leads to the line of the body.
//
// A test compares the index line by line with that of warcio, and another reads each record at its
// place with a reader of another project. Tried once by hand (November 2026): wabac.js 2.20, the
// engine of ReplayWeb.page, played all 2,520 answers of the tour's archive from its index, the 158
// revisit records with the bodies that they refer to.
//
// # What is left out
//
// Records that are no answers over HTTP: request, warcinfo, and in strangers' files metadata,
// resource and dns.
//
// Records of "not modified", which fetch makes of a 304. They have no digest to find a body by, and
// pywb would play their head, a 304, to a browser that asked for a page; without a line for them it
// plays the capture before, which is what they mean. With -all they have lines, for those who want
// to know when a page was visited.
//
// An answer without a URL or a date that can be read, or whose line would be longer than 64 KiB,
// leaves with a reason.
package main

import (
	"context"
	"flag"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "cdx",
		Formats: []string{warc.Format},
		Short:   "indexes WARC files",
		Args:    "FILE ...",
		Long: `Reads page batches (WARC) and writes to -out a sorted CDXJ line for each answer: its key, time,
and as JSON url, mime, status, digest, length, offset, filename. With -merge it reads such
indexes instead and writes one of all their lines.

Leave the flow: indexed; not-modified (records of a 304, which get a line with -all); bad-date,
no-url, too-long (no line can be made); with -merge repeated (the same line once more).

-verify checks indexes: shape and order; with -archive, too, that each line leads to a record of
its URL, time and digest.

Memory: some 120 MB at most; what is more than 32 MiB of lines is written as several parts, each
sorted by itself. With -merge some 8 KiB for each input.`,
		Example: `cdx -out index.cdxj crawl/archive/*.warc.gz
cdx -merge -out all.cdxj crawl/index/*.cdxj
cdx -verify -archive crawl/archive all.cdxj`,
	}
}

// setupWith returns the stage that sorts this many bytes of lines at a time.
func setupWith(portion int) stage.Setup {
	return func(fs *flag.FlagSet) stage.Body {
		out := fs.String("out", "-", "write the index to `FILE`")
		all := fs.Bool("all", false, `give the records of "not modified" a line, too`)
		join := fs.Bool("merge", false, "the arguments are indexes: write one of all their lines")
		check := fs.Bool("verify", false, "check the arguments, indexes, and do nothing else")
		archive := fs.String("archive", "", "with -verify: hold the lines against the WARC files in `FOLDER`")
		return func(ctx context.Context, env *stage.Env) error {
			if *archive != "" && !*check || *join && *check {
				return stage.Usagef("-archive goes with -verify, and -merge does not")
			}
			if err := env.Ready(); err != nil {
				return err
			}
			switch {
			case *check:
				return verify(ctx, env, *archive)
			case *join:
				return merge(ctx, env, *out)
			}
			return index(ctx, env, *out, *all, portion)
		}
	}
}

func main() { stage.Main(tool(), setupWith(32<<20)) }

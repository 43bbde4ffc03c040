// Command cdx indexes WARC files, so that replay tools find a page without reading all files.
//
// It reads finished page batches, usually from the queue that holds the crawl's product. It writes
// a sorted CDXJ index, which has one line for each answer, with its URL, time, status and position
// in the file. Package cdxj describes the format and the sort key.
//
// A line contains only the base name of its file. The manager makes base names unique within a
// queue, so use a separate index for each queue and each crawl. A committed file never changes, so
// an index of a kept queue is valid as long as the files exist.
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
// Replay tools read several indexes at once, so a folder with a few merged indexes is enough. You
// can also merge them by hand with cdx -merge. For pywb, link the two folders as "indexes" and
// "archive" of a collection.
//
// The archive files of a crawl are batches joined by cat. Each batch begins with a warcinfo record,
// so a joined file has several. The first is at byte 0. Each describes the records after it, up to
// the next warcinfo, as the standard allows (ISO 28500, warcinfo). A revisit record has a line too,
// with the mime type warc/revisit. Its digest is the digest in the line of the body.
//
// A test compares the index line by line with the index that warcio makes. Another test uses a
// reader of another project to read each record at its position. In November 2026 one trial was
// made by hand: wabac.js 2.20, the engine of ReplayWeb.page, played all 2,520 answers of the tour's
// archive from its index. For the 158 revisit records it played the bodies that they refer to.
//
// # What is left out
//
// Records that are not HTTP answers have no line: request and warcinfo, and in files of other
// programs also metadata, resource and dns.
//
// Records of "not modified", which fetch writes for a 304, have no line by default. They have no
// digest by which to find a body. With a line, pywb would send the status 304 to a browser that
// requested a page. Without a line, it plays the earlier capture, which is correct. With -all they
// have lines, which show when a page was visited.
//
// An answer has no line if its URL or date cannot be parsed, or if its line would be longer than 64
// KiB. The report counts these answers under a reason.
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
		Long: `Reads page batches (WARC) and writes a sorted CDXJ index to -out. The line of an answer has
its key and time, and as JSON url, mime, status, digest, length, offset and filename. With
-merge the stage reads such indexes instead and writes one index with all their lines.

Records end here with these reasons: indexed; not-modified (records of a 304, which get a line
with -all); bad-date, no-url, too-long (no line can be made); with -merge also repeated (a
second line that is the same).

-verify checks the format and order of indexes. With -archive it also checks that the record
at each line's position has the line's URL, time and digest.

Memory: about 120 MB at most. More than 32 MiB of lines are written as several parts, each of
which is sorted. With -merge about 8 KiB for each input.`,
		Example: `cdx -out index.cdxj crawl/archive/*.warc.gz
cdx -merge -out all.cdxj crawl/index/*.cdxj
cdx -verify -archive crawl/archive all.cdxj`,
	}
}

// setupWith returns the setup of a stage that sorts portion bytes of lines at a time.
func setupWith(portion int) stage.Setup {
	return func(fs *flag.FlagSet) stage.Body {
		out := fs.String("out", "-", "write the index to `FILE`")
		all := fs.Bool("all", false, `also write lines for records of "not modified"`)
		join := fs.Bool("merge", false, "merge the indexes given as arguments into one")
		check := fs.Bool("verify", false, "check the indexes given as arguments, and do nothing else")
		archive := fs.String("archive", "", "with -verify: compare the lines with the WARC files in `FOLDER`")
		return func(ctx context.Context, env *stage.Env) error {
			if *archive != "" && !*check || *join && *check {
				return stage.Usagef("-archive needs -verify, and -verify does not work with -merge")
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

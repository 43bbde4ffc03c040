// Command trace tells why a URL was fetched, or why it was not, from the batches that a crawl has
// left.
//
// No stage keeps a record of what it did for this; the batches themselves tell. An answer lies in a
// WARC file with the attributes of its URL: the depth at which it was found, and the page with the
// link. A URL that was rejected, refused or given up lies in a batch with the reason. One that is
// under way waits in a queue. Every URL that filter let through is in the seen-set. trace follows
// the links from page to page back to the seed.
//
// It knows the names of files and their formats, and nothing of the manager. A folder of the crawl
// is a queue. A file NAME-TTTTTTTTTTTT-NNNNN.EXT in it is a batch of transaction T, and a folder in
// it has batches for the crawler of that name. state/NAME holds the segments of a state, and secret
// the secret of their keys. trace only reads, and may be asked while the crawl runs: it passes over
// a file that goes away meanwhile, so it may miss a URL that is just on its way.
//
// # What it costs
//
// There is no index of URLs but the one that cdx makes. Without it every batch is read once for the
// URLs asked for, and the WARC files once more for each step back to the seeds, up to where the
// pages are found; a hundred URLs asked for together cost little more than one. Of WARC files only
// the headers of records are inflated. With -cdx answers are looked up in indexes, and only the
// batches of URLs are read. Answers that are not indexed are not found then: those that came since,
// and visits that found a page "not modified", unless cdx -all indexed them.
//
// # What it prints
//
// For each URL its outcome, then what was found, in order of transactions, then the way from the
// seed:
//
//	http://h000.test/d0/p7.html
//	  fetched
//	  tx 49  archive   2026-11-21T19:07:47Z 200 text/html, depth 2, m-000000000049-00001.warc.gz at byte 344
//	  path   http://h000.test/d0/p7.html
//	         <- http://h000.test/d0/ (depth 1, tx 49)
//	         <- http://h000.test/ (depth 0, tx 49): a seed
//
// The outcome is one of
//
//	fetched           there is an answer: its status, unless it is 2xx, and where it redirects to;
//	                  of several, their number and how many have a body; or the crawler to which
//	                  its page was sent, until that one has taken it
//	duplicate         there is only a revisit record: another URL's body was the same
//	sent to NODE      it is another crawler's: it lies in a batch for that one, or, when the batch
//	                  was taken, in the state of classify links, whose segments are merged, so
//	                  that a transaction stands for earlier ones, too
//	QUEUE: REASON     it ended in that queue (rejected, refused, given_up), and this is why
//	waiting in QUEUE  it is under way, or its batch was set aside (manager status tells)
//	let through       it is in the seen-set, and in no batch: its answer was not kept, it was
//	                  dropped as a duplicate, a stage is at work on it, or its page was sent to
//	                  another crawler, which has taken it; the trace of that crawler tells
//	never met         in no batch and not in the seen-set
//
// Transactions are those of the files in which a URL was found, not all that it passed through;
// manager show tells what one did. A file that is an argument is named by its path: several
// crawlers that share a web each count their transactions, and their archives together have the
// whole way to a page that one found and another fetched. What strangers wrote is printed with
// control characters escaped.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "trace",
		Formats: []string{warc.Format, segment.Formats()},
		Short:   "tells why a URL was fetched, or why not",
		Args:    "URL ... [FILE ...]",
		Long: `Looks for URLs in the batches that a crawl has left, and tells the outcome of each: fetched, when
and how; sent to another crawler; rejected, refused or given up, and why; waiting, and where; let
through or never met; and the pages that led to it, from the seed on. Arguments with :// are URLs.
All others are batch files, to be read instead of or beside a crawl's, and named by their paths.

"tx" is the transaction that wrote the file in which the URL lies now. For an answer in an archive
that is the one that packed it, not the one that fetched it.

There is no index: it reads everything, once for each step back to the seeds. With -cdx answers
are looked up in the indexes that cdx makes.

Memory: a few records, and some 500 bytes for each batch in which a URL lies, and for each page on
its way.`,
		Example: `trace -crawl examples/tour/crawl http://h001.test/ http://h000.test/nowhere
trace -crawl crawl -cdx all.cdxj http://h000.test/d0/p00007.html
trace http://h000.test/ crawl/archive/*.warc.gz
trace http://c000.test/00004.html examples/c4/crawl/*/archive/*    # of all crawlers`,
	}
}

func setup(fs *flag.FlagSet) stage.Body {
	crawl := fs.String("crawl", "", "read all batches and the seen-set in the crawl's `FOLDER`")
	indexes := stage.StringsVar(fs, "cdx", "look answers up in the index `FILE`; may be given more than once")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		urls, files := split(env.Inputs)
		if len(urls) == 0 {
			return stage.Usagef("no URL is given: an argument with ://")
		}
		if *crawl == "" && len(files) == 0 && len(*indexes) == 0 {
			return stage.Usagef("nothing to read: give -crawl, -cdx, or batch files")
		}
		if err := env.Ready(); err != nil {
			return err
		}
		s := &searcher{log: env.Log, indexes: *indexes, hash: env.Hash}
		for _, path := range files {
			if _, err := os.Stat(path); err != nil {
				return fmt.Errorf("%w (a URL has ://)", err)
			}
			b := batchOf(path)
			b.given = true
			s.batches = append(s.batches, b)
		}
		if *crawl != "" {
			if err := s.addCrawl(*crawl); err != nil {
				return err
			}
		}
		return s.tell(ctx, env.Stdout, urls)
	}
}

// split divides the arguments into URLs and files.
func split(args []string) (urls, files []string) {
	for _, arg := range args {
		switch {
		case strings.Contains(arg, "://"):
			urls = append(urls, arg)
		case arg != "-":
			files = append(files, arg)
		}
	}
	return urls, files
}

func main() { stage.Main(tool(), setup) }

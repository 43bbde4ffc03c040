// Command trace explains why a URL was fetched or not, by reading the batches of a crawl.
//
// No stage writes extra records for this; the batches contain everything. An answer in a WARC file
// has the attributes of its URL: the depth at which it was found, and the page with the link. A URL
// that was rejected, refused or given up is in a batch with the reason. A URL that is not finished
// waits in a queue, or in the state of frontier. The seen-set contains every URL that filter let
// through. trace follows the links from page to page back to the seed.
//
// trace knows the names and formats of files, but nothing of the manager. A folder of the crawl is
// a queue. A file NAME-TTTTTTTTTTTT-NNNNN.EXT in it is a batch of transaction T. A folder in a
// queue has batches for the crawler of that name. state/NAME has the segments of a state, and the
// file secret has the secret of their keys. trace only reads, so you may use it while the crawl
// runs. It skips a file that disappears meanwhile, so it may miss a URL that is moving between
// queues.
//
// # What it costs
//
// The only index of URLs is the one that cdx makes. Without it, trace reads every batch once to
// find the URLs. It reads the WARC files once more for each step back to the seeds, up to where the
// pages are found. A search for a hundred URLs costs little more than a search for one. In WARC
// files only the headers of records are decompressed. With -cdx answers are looked up in indexes,
// and only the URL batches are read. Then answers that are not in an index are not found: recent
// answers, and, unless made with cdx -all, visits that found a page "not modified".
//
// # What it prints
//
// For each URL trace prints the outcome, then what was found, in order of transactions, then the
// path from the seed:
//
//	http://h000.test/d0/p7.html
//	  fetched
//	  tx 49  archive   2026-11-21T19:07:47Z 200 text/html, depth 2, m-000000000049-00001.warc.gz at byte 344
//	  path   http://h000.test/d0/p7.html
//	         <- http://h000.test/d0/ (depth 1, tx 49)
//	         <- http://h000.test/ (depth 0, tx 49): a seed
//
// The outcomes are
//
//	fetched           there is an answer: its status, unless it is 2xx, and its redirect target;
//	                  for several answers, their number and how many have a body; or the crawler to
//	                  which its page was sent, until that crawler has fetched it
//	duplicate         there is only a revisit record: another URL had the same body
//	sent to NODE      it belongs to another crawler: it is in a batch for that crawler, or, after
//	                  the batch was fetched, in the state of classify links; segments are merged,
//	                  so a transaction there may stand for earlier ones
//	QUEUE: REASON     it ended in that queue (rejected, refused, given_up) for this reason
//	waiting in QUEUE  it is not finished, or its batch was set aside (see manager status)
//	waiting in the state STATE, in band N
//	                  frontier has not handed it out yet; package order says what a band is
//	let through       it is in the seen-set, but in no batch: its answer was not kept, it was
//	                  dropped as a duplicate, a stage is processing it, or it or its page was
//	                  sent to and brought by another crawler; run trace on that crawl
//	never met         it is in no batch and not in the seen-set
//
// trace prints the transactions of the files that contain the URL now, not all transactions that
// the URL passed through; manager show describes a transaction. A file that is an argument is
// printed with its path, because each crawler counts its own transactions. If one crawler found a
// page and another fetched it, only their archives together have the whole path. Control characters
// in untrusted text are escaped.
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
		Short:   "explains why a URL was fetched, or why not",
		Args:    "URL ... [FILE ...]",
		Long: `Looks for URLs in the batches of a crawl and prints the outcome of each: fetched, when and
how; sent to another crawler; rejected, refused or given up, and why; waiting, and where; let
through; or never met. It also prints the pages that led to the URL, from the seed on.
Of a URL that waits in the state of frontier it prints the band, and how many URLs of its host go
before it; frontier -explain also prints why, and when it will be fetched (frontier -h).
Arguments with :// are URLs. All other arguments are batch files; trace reads them instead of
a crawl's batches, or in addition, and prints their paths.

"tx" is the transaction that wrote the file that contains the URL now. For an answer in an
archive it is the transaction that packed the answer, not the one that fetched it.

Without an index trace reads everything once for each step back to the seeds. With -cdx it
looks up answers in the indexes that cdx makes.

Memory: a few records, plus about 500 bytes for each batch that contains a URL and for each
page on its path.`,
		Example: `trace -crawl examples/tour/crawl http://h001.test/ http://h000.test/nowhere
trace -crawl crawl -cdx all.cdxj http://h000.test/d0/p00007.html
trace http://h000.test/ crawl/archive/*.warc.gz
trace http://c000.test/00004.html examples/c4/crawl/*/archive/*    # of all crawlers`,
	}
}

func setup(fs *flag.FlagSet) stage.Body {
	crawl := fs.String("crawl", "", "read all batches and the seen-set in the crawl's `FOLDER`")
	indexes := stage.StringsVar(fs, "cdx", "look up answers in the index `FILE`; may be repeated")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		urls, files := split(env.Inputs)
		if len(urls) == 0 {
			return stage.Usagef("give a URL: an argument with ://")
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

// split separates the arguments into URLs and files.
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

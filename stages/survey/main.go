package main

import (
	"context"
	"flag"

	"multitext/stages/internal/run/stage"
)

func main() { stage.Main(tool(), setup) }

func tool() stage.Tool {
	return stage.Tool{
		Name:    "survey",
		Formats: []string{"survey 1"},
		Short:   "makes a page and tables about a crawl: answers, refusals, errors, and what it waits for",
		Long: `Reads what a crawl leaves on its way: batches of pages, of URLs that are to be fetched (fresh), and
of URLs that went no further, with a reason. Sums them up in its state, and writes a page of HTML to
-html and its tables as TSV to -tsv, when a tenth more has happened since the last one and when
nothing waits.

The page tells the answers by status, type, size, depth, language or topic, day and host, what is
new, duplicate or cut short, why URLs went no further, errors by host, which hosts took longest, and
what waits: by host, with the time that is left at the pause that the host had so far. This time
is an estimate; all other numbers are exact.

A URL waits from the batch that has it without a reason to its answer, or to the batch that has it
with one. Batches in a folder of the name -rejected have URLs that were never to be fetched.

-show prints the tables of segments of the state, with all hosts, and -html makes a page now.

Leave the flow: counted (taken into the state), bad-line.
Gauges: answers, hosts, waiting.

Memory: 20 MB with the program and about 300 bytes for each host of a run.`,
		Example: `survey -html page.html -tsv tables.tsv fresh.zst pages.warc.gz refused.zst
survey -show -html now.html crawl/state/survey/m-* | awk '$1 == "status"'`,
		Check: stage.Check{Of: "segments of -state", File: verify},
	}
}

// options are the flags of survey.
type options struct {
	state, newSegment string
	html, tsv         string
	rejected          []string
	top               int
	show              bool
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{}
	fs.StringVar(&o.state, "state", "",
		"read the state from the segment listed in `FILE`; without it, or if FILE is empty, nothing was read")
	fs.StringVar(&o.newSegment, "new", "", "write the new segment of the state to `FILE`; without it nothing is remembered")
	fs.StringVar(&o.html, "html", "", "write the page to `FILE`")
	fs.StringVar(&o.tsv, "tsv", "", "write the tables to `FILE`")
	rejected := stage.StringsVar(fs, "rejected",
		"the `NAME` of a folder of URLs that were never to be fetched; may be repeated (default rejected)")
	fs.IntVar(&o.top, "top", 50, "`N`umber of hosts of a table")
	fs.BoolVar(&o.show, "show", false, "print the tables of the segments that are given in place of batches")
	return func(ctx context.Context, env *stage.Env) error {
		if o.rejected = *rejected; len(o.rejected) == 0 {
			o.rejected = []string{"rejected"}
		}
		switch {
		case o.top < 1 || o.top > 10000:
			return stage.Usagef("-top %d: want 1 to 10000", o.top)
		case o.show && (o.state != "" || o.newSegment != "" || o.tsv != ""):
			return stage.Usagef("-show takes segments as arguments, and -html alone")
		}
		if err := env.Ready(); err != nil {
			return err
		}
		if o.show {
			return o.showSegments(env)
		}
		return o.run(ctx, env)
	}
}

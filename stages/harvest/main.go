package main

import (
	"context"
	"flag"

	"multitext/stages/internal/run/stage"
)

func main() { stage.Main(tool(), setup) }

func tool() stage.Tool {
	return stage.Tool{
		Name:    "harvest",
		Formats: []string{"harvest 1"},
		Short:   "tells how much of what a crawl fetches is wanted, and whether it stagnates",
		Long: `Reads URL batches with worth=, as extract -judged writes them: what each answer was worth, from 0
to 1, in the order in which they were fetched. Keeps in its state the mean worth of the last 100
pages, of the last 1,000 and of all, as a curve of at most 500 points. Answers that are no page,
and duplicates, count as 0.

When the crawl has grown by a tenth, it writes the curve as a table to -tsv (pages, mean100,
mean1000, all) and as a picture to -svg. So their number grows only with the logarithm of the
crawl.

With -least it gives an alarm if the mean of the last 1,000 is below that, but not before -after
pages: a note, the counter stagnated, the products, and the last row of the table to -stagnant. It
gives the next alarm only after the mean was not below -least at the end of a run.

-show prints the curves in segments of the state, which it takes in place of batches, as FILE or
NAME=FILE; -svg draws them in one picture. FILE may be a pattern that one segment matches. Before
the first page was judged there is no segment.

Leave the flow: counted (taken into the state), no-worth, bad-line. Gauges: pages, and the means in
thousandths: permille-100, permille-1000, permille-all.

Memory: 14 MB with the program, however many pages there are. A million records take half a second.`,
		Example: `harvest -new curve-1 -svg harvest.svg worths.zst
harvest -show -svg both.svg soft=crawl/soft/state/curve/m-* none=crawl/none/state/curve/m-*`,
		Check: stage.Check{Of: "segments of -curve", File: verify},
	}
}

// options are the flags of harvest.
type options struct {
	curve, newSegment  string
	tsv, svg, stagnant string
	least              float64
	after              int64
	show               bool
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{}
	fs.StringVar(&o.curve, "curve", "",
		"read the state from the segment listed in `FILE`; without it, or if FILE is empty, no page was fetched")
	fs.StringVar(&o.newSegment, "new", "",
		"write the new segment of the state to `FILE`; without it nothing is remembered")
	fs.StringVar(&o.tsv, "tsv", "", "write the table to `FILE`")
	fs.StringVar(&o.svg, "svg", "", "write the picture to `FILE`")
	fs.Float64Var(&o.least, "least", 0, "the crawl stagnates if the mean of the last 1,000 is below `WORTH`; 0: never")
	fs.Int64Var(&o.after, "after", wide, "give no alarm before so many `PAGES`")
	fs.StringVar(&o.stagnant, "stagnant", "", "write a record to `FILE` when the crawl stagnates")
	fs.BoolVar(&o.show, "show", false, "print the curves in segments, and do nothing else")
	return func(ctx context.Context, env *stage.Env) error {
		if err := o.check(); err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		if o.show {
			return o.showCurves(env)
		}
		return o.run(ctx, env)
	}
}

// check says what is wrong with the flags.
func (o *options) check() error {
	switch {
	case !(o.least >= 0 && o.least <= 1):
		return stage.Usagef("-least %v: want a worth from 0 to 1", o.least)
	case o.after < 0:
		return stage.Usagef("-after %d: want a number of pages", o.after)
	case o.stagnant != "" && o.least == 0:
		return stage.Usagef("-stagnant works only with -least: give it, too")
	case o.show && (o.curve != "" || o.newSegment != "" || o.tsv != "" || o.stagnant != ""):
		return stage.Usagef("-show takes segments as arguments, and -svg alone")
	}
	return nil
}

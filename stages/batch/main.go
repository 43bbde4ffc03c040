// Command batch cuts URL batches to the size that fetch is given, and bounds a host's share in
// each (thesis, 3.2.2: the last process that works on URLs before they go round again).
//
// It cuts as few batches as both bounds allow, all of one size: so they don't crumble.
// Let there be N records, at most U a batch and H a host and batch. Then there are
//
//	P = max(⌈N/U⌉, ⌈records of the largest host/H⌉)
//
// batches of ⌈N/P⌉ records, some of a few less. The records of a host within its share keep their
// place in the input. Those of a host above its share are dealt evenly over all batches, in their
// order, so that they are fetched beside the others and not alone at the end. In a crawl of few
// hosts batches are small: three large hosts with -per-host 50 make batches of 150, whatever -urls
// says. The report notes it. (P never takes more than half of the part numbers that are left, of
// 99,999; above that a host gets more than its share, and a batch more than U.)
//
// A run cuts what it is given and no more. A run for each small batch that arrives makes small
// batches of few hosts, and the slowest host of each delays a whole run of fetch. So in a script
// this stage waits until there is enough:
//
//	[stage.batch]
//	in   = "mixed"
//	out  = "frontier"
//	take = 64
//	min  = 64    # fewer only when nothing else can start
//	run  = "batch -urls 400 -out {frontier} -report {report} {in}"
//
// Records above the shares are held, so that one large host does not make all batches small: the
// first H records of each host are cut into batches that are due at once, the rest into batches
// that are due one -hold after another. With -again the latter go there, and round once more, to be
// mixed with what other hosts have by then:
//
//	out = ["frontier", "again"]
//	run = "batch -urls 400 -out {frontier} -again {again} -report {report} {in}"
//
// -hold should be H times fetch's -delay. A shorter one brings back what fetch cannot ask for yet.
// A longer one leaves large hosts idle, since at most H held URLs of a host come in a -hold: 50 a
// minute by default, however short the -delay. Without -again what is held goes to -out; there each
// part is a run of fetch for the large hosts alone, and should come rarely. Nothing is held where
// half of the hosts or more exceed their share, so a crawl of one site, or of three large ones,
// does not wait. (A run that has held something goes on holding.)
//
// Inputs are cut in portions of a quarter of a million records, which bound the memory of a run. N
// above is that of a portion.
package main

import (
	"context"
	"flag"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:  "batch",
		Short: "cuts URL batches, with a bound on each host's share",
		Long: `Reads URL batches and writes their records, in order, to the parts of -out: the file named,
then x-00002.zst and so on beside x.zst. It cuts as few parts as -urls and -per-host allow, all of
one size. Where fewer than half of the hosts exceed their share, what exceeds it goes to parts of its
own, in -again if that is given, due one -hold after another; else it is dealt evenly over all parts.
Of what is held no more than -per-host URLs of a host come in a -hold: shorten it with fetch's -delay.

Leave the flow: bad-line.

Memory: mostly under 100 MB, at most some 140 MB where every record has a host of its own, for
262,144 records or 32 MiB of them are cut at a time; a part never holds more.`,
		Example: `batch -urls 1000 -per-host 20 -out b.zst mixed.zst && ls b*.zst`,
	}
}

// options are the flags.
type options struct {
	out, again    string
	urls, perHost int
	hold          time.Duration
}

// parseHold reads -hold. Its default is the time in which fetch has had a share, or some times that
// where what is held comes back alone.
func (o options) parseHold(text string) (time.Duration, error) {
	switch {
	case text != "":
		return time.ParseDuration(text)
	case o.again != "":
		return time.Minute, nil
	}
	return 5 * time.Minute, nil
}

// setupWith returns the stage with the clock that tells when a part is due, and the portion that it
// cuts at a time.
func setupWith(now func() time.Time, portion urlbatch.Portion) stage.Setup {
	return func(fs *flag.FlagSet) stage.Body {
		var o options
		fs.StringVar(&o.out, "out", "-", "write the first part to `FILE`; - is standard output, and uncut")
		fs.IntVar(&o.urls, "urls", 5000, "put at most `N` records into a part; 0 is no bound")
		fs.IntVar(&o.perHost, "per-host", 50,
			"put at most `N` records of one host (name and port) into a part; 0 is no bound")
		fs.StringVar(&o.again, "again", "", "write what is held to `FILE`; without it to -out")
		hold := fs.String("hold", "", "hold what exceeds the hosts' shares, each part for one more `DURATION`; "+
			"0 holds nothing (default 1m with -again, else 5m)")
		return func(ctx context.Context, env *stage.Env) error {
			var err error
			if o.hold, err = o.parseHold(*hold); err != nil {
				return stage.Usagef("-hold: %w", err)
			}
			if o.urls < 0 || o.perHost < 0 || o.hold < 0 {
				return stage.Usagef("-urls, -per-host and -hold must not be negative")
			}
			if err := env.Ready(); err != nil {
				return err
			}
			return batch(ctx, env, portion, o, now())
		}
	}
}

func main() {
	stage.Main(tool(), setupWith(time.Now, urlbatch.Portion{Records: 256 << 10, Bytes: 32 << 20}))
}

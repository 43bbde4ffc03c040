// Command batch cuts URL batches to the size that fetch is given, and limits the share of each host
// in a batch. In the thesis (3.2.2) it is the last process that handles URLs before they are
// fetched again.
//
// It cuts as few batches as both bounds allow. All batches have the same size, so none is a small
// remainder. With N records, at most U records in a batch, and at most H records of one host in a
// batch, it cuts
//
//	P = max(⌈N/U⌉, ⌈records of the largest host/H⌉)
//
// batches of ⌈N/P⌉ records; some batches have a few less. Records of a host within its share keep
// their place in the input. Records of a host above its share are spread evenly over all batches,
// in input order. They are then fetched beside the records of other hosts and not alone at the end.
// In a crawl of few hosts batches are small: three large hosts with -per-host 50 make batches of
// 150, whatever the value of -urls. The report notes this. (A run can write 99,999 parts, and P
// never exceeds half of the part numbers that are left. Beyond that, a host gets more than its
// share and a batch more than U records.)
//
// A run cuts only its own input. If a run starts for each small batch that arrives, it makes small
// batches of few hosts, and the slowest host in each batch delays a whole run of fetch. So in a
// script this stage waits until enough batches have arrived:
//
//	[stage.batch]
//	in   = "mixed"
//	out  = "frontier"
//	take = 64
//	min  = 64    # fewer only when nothing else can start
//	run  = "batch -urls 400 -out {frontier} -report {report} {in}"
//
// Records above their host's share are held, so that one large host does not make all batches
// small. The first H records of each host go into batches that are due at once. The rest go into
// batches that become due one by one, one -hold apart. With -again these batches go to a second
// output, which leads back through scramble. There they are mixed with new URLs of other hosts:
//
//	out = ["frontier", "again"]
//	run = "batch -urls 400 -out {frontier} -again {again} -report {report} {in}"
//
// -hold should be H times fetch's -delay. A shorter -hold brings back URLs that fetch cannot
// request yet. A longer one leaves large hosts idle, because in each -hold only H held URLs of a
// host come back: 50 a minute by default, whatever the -delay. Without -again held records go to
// -out. Each of these parts then becomes a run of fetch with large hosts only, so the parts should
// come rarely. If half of the hosts or more exceed their share, nothing is held, so a crawl of one
// site or of three large ones does not wait. (Once a run has held records, it continues to hold.)
//
// The stage reads its inputs in portions of a quarter of a million records, which limits its
// memory. N above is the number of records in one portion.
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
		Short: "cuts URL batches to size and limits each host's share",
		Long: `Reads URL batches and writes their records, in order, to the parts of -out. The first part is
the file named; for x.zst the next are x-00002.zst and so on. The stage cuts as few parts as
-urls and -per-host allow, all of the same size. If fewer than half of the hosts exceed their
share, the records above the shares go to separate parts, which become due one -hold apart.
These parts go to -again if it is given, else to -out. Otherwise the records above the shares
are spread evenly over all parts. In each -hold at most -per-host held URLs of a host come
back, so if you shorten fetch's -delay, shorten -hold too.

Records end here with one reason: bad-line.

Memory: usually under 100 MB; about 140 MB at most, if every record has a different host. The
stage cuts at most 262,144 records or 32 MiB of records at a time; a part never holds more.`,
		Example: `batch -urls 1000 -per-host 20 -out b.zst mixed.zst && ls b*.zst`,
	}
}

// options holds the values of the flags.
type options struct {
	out, again    string
	urls, perHost int
	hold          time.Duration
}

// parseHold parses -hold. The default is the time that fetch needs for the share of one host. If
// held records come back without other hosts' records, the default is a multiple of it.
func (o options) parseHold(text string) (time.Duration, error) {
	switch {
	case text != "":
		return time.ParseDuration(text)
	case o.again != "":
		return time.Minute, nil
	}
	return 5 * time.Minute, nil
}

// setupWith returns the setup of the stage. now is the clock by which parts become due; portion
// limits the records that are cut at a time.
func setupWith(now func() time.Time, portion urlbatch.Portion) stage.Setup {
	return func(fs *flag.FlagSet) stage.Body {
		var o options
		fs.StringVar(&o.out, "out", "-", "write the first part to `FILE`; - writes all to standard output, uncut")
		fs.IntVar(&o.urls, "urls", 5000, "put at most `N` records into a part; 0 means no bound")
		fs.IntVar(&o.perHost, "per-host", 50,
			"put at most `N` records of one host (name and port) into a part; 0 means no bound")
		fs.StringVar(&o.again, "again", "", "write held records to `FILE` (default: to -out)")
		hold := fs.String("hold", "", "hold records above their host's share, each part one `DURATION` longer than "+
			"the part before; "+
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

package main

import (
	"context"
	"flag"
	"slices"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

// pullVerb is the stage.
func pullVerb() stage.Verb {
	return stage.Verb{Name: "pull", Setup: setupPull, Tool: stage.Tool{
		Name:    "gofer pull",
		Formats: []string{warc.Format, segment.Formats()},
		Short:   "brings the batches that other crawlers hold for this one",
		Args:    "[-verify SEGMENT ...]",
		Long: `Reads no input. It visits all other nodes of the file -nodes, and brings what they hold for -node:
page batches (WARC) to -pages, URL batches to -urls, joined, and cut at -cut. The URLs of the pages
go to -arrived, marked arrived=1, for filter, so that they are not fetched here, too. It removes
there what was brought by an earlier run, as the ledger says, the segments listed in -ledger. What
this run brings goes into the segment -new. So nothing is removed before it is safe here, and nothing
is brought twice.

With -outgoing it tells the others with which nodes and -model this crawler works, by a file agreed-…
in the folder of each, and brings nothing from a peer that works with others, or has not said so.

Not brought, and left there: torn batches (their bytes do not have the hash in their name), unfit
ones (their records cannot be read), names that are no batch's.

Counts: batches, bytes, removed, torn, unfit, failed (one batch could not be read or removed this
time), left (for the next run), large (beyond -largest), foreign (other names), from-NODE-batches,
-bytes and -records, peers-absent (no folder for us yet), -disagree (another model or other nodes),
-unreachable, -refused, -slow, -failed.

Memory: some 10 MB for each of the -at-once, and 1 MB for 10,000 batches; 350 MB while records of the
largest size, 64 MiB, are read. Temporary files: a batch for each of the -at-once.`,
		Example: `: > ledger.list
gofer pull -nodes nodes.toml -node arts -ledger ledger.list -new ledger-1 -pages in.warc.gz -urls in.zst &&
  echo $PWD/ledger-1 >> ledger.list`,
		Check: segment.Check("segments of the ledger", verifyEntry),
	}}
}

// config is what the flags say.
type config struct {
	crew
	ledgerList, segment string
	pages, urls         string
	arrived             string
	outgoing, model     string
	digest              string // of nodes and model; "": nobody asks
	cut                 *stage.Size
	most, largest       int64
	limit, jitter       time.Duration
	atOnce              int
	now                 time.Time
}

// bounds are wide: other crawlers cut their batches at some 64 MB, packed or of text.
func (c *config) bounds() bounds { return bounds{cut: int64(*c.cut), pages: 4 << 30, urls: 1 << 30} }

// memory is where the collector works harder: one batch is read at a time, and four records of it
// are held at once.
const memory = 4 * warc.MaxRecord

func setupPull(fs *flag.FlagSet) stage.Body {
	c := &config{}
	c.crew.declare(fs)
	fs.StringVar(&c.ledgerList, "ledger", "", "read what was brought from the segments listed in `FILE`; none or"+
		" empty: nothing was")
	fs.StringVar(&c.segment, "new", "", "write the new segment to `FILE`; without it nothing is remembered, and"+
		" nothing will be removed")
	fs.StringVar(&c.pages, "pages", "", "write pages to `FILE`, and x-00002.warc.gz and so on beside x.warc.gz;"+
		" without it page batches are left there")
	fs.StringVar(&c.urls, "urls", "", "write URLs to `FILE`, in the same way; without it URL batches are left there")
	fs.StringVar(&c.arrived, "arrived", "", "write the URLs of the pages to `FILE`, for filter to learn; without it"+
		" they may be fetched here as well")
	fs.StringVar(&c.outgoing, "outgoing", "", "say in `FOLDER`/NODE/, for each other node, with which nodes and model"+
		" this crawler works; without it nothing is compared")
	fs.StringVar(&c.model, "model", "", "with -outgoing: the model of the topics is in `FILE`")
	c.cut = stage.SizeVar(fs, "cut", 64e6, "begin a new part after `SIZE`, of URLs as text")
	most := stage.SizeVar(fs, "most", 512e6, "fetch no further batch from a peer after `SIZE` in one run")
	largest := stage.SizeVar(fs, "largest", 256e6, "leave a batch of more than `SIZE` there")
	fs.DurationVar(&c.limit, "for", 10*time.Minute, "end a visit to one peer after this `DURATION`")
	fs.DurationVar(&c.jitter, "jitter", 0, "wait for a random part of this `DURATION` first, where many gofers start"+
		" by one clock")
	fs.IntVar(&c.atOnce, "at-once", 4, "visit `N` peers at once")
	now := fs.String("now", "", "take this `TIME` (RFC 3339) for now")
	return func(ctx context.Context, env *stage.Env) (err error) {
		if c.now = time.Now(); *now != "" {
			if c.now, err = time.Parse(time.RFC3339, *now); err != nil {
				return stage.Usagef("-now: %w", err)
			}
		}
		defer stage.LimitMemory(memory)()
		c.most, c.largest = int64(*most), int64(*largest)
		if err := c.check(env); err != nil {
			return err
		}
		if err := c.load(); err != nil {
			return err
		}
		if c.outgoing != "" {
			if c.digest, err = digestOf(c.nodes, c.model); err != nil {
				return err
			}
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return pull(ctx, env, c)
	}
}

func (c *config) check(env *stage.Env) error {
	switch {
	case !slices.Equal(env.Inputs, []string{"-"}):
		return stage.Usagef("it reads no files; without -verify there are no arguments")
	case c.pages == "" && c.urls == "":
		return stage.Usagef("-pages FILE or -urls FILE must be given")
	case c.arrived != "" && c.pages == "":
		return stage.Usagef("-arrived is of the pages that -pages takes: give both")
	case *c.cut < 1 || c.most < 1 || c.largest < 1 || c.limit <= 0 || c.atOnce < 1 || c.jitter < 0:
		return stage.Usagef("-cut, -most, -largest, -for and -at-once must be above 0, -jitter not below")
	}
	return nil
}

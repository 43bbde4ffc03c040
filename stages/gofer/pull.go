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

// pullVerb returns the stage that fetches batches.
func pullVerb() stage.Verb {
	return stage.Verb{Name: "pull", Setup: setupPull, Tool: stage.Tool{
		Name:    "gofer pull",
		Formats: []string{warc.Format, segment.Formats()},
		Short:   "fetches the batches that other crawlers hold for this one",
		Args:    "[-verify SEGMENT ...]",
		Long: `Has no input. It visits all other nodes in the file -nodes and fetches the batches that they
hold for -node. Page batches (WARC) are joined and go to -pages, URL batches to -urls; a new
part begins after -cut. The URLs of the pages go to -arrived, marked with arrived=1, so that
filter does not let them be fetched here, too. The ledger, a list of segments in -ledger, has
the batches that earlier runs fetched; the stage removes them there. The batches of this run
go into the new segment -new. So a batch is removed only after it is safe here, and none is
fetched twice.

With -outgoing it writes a file agreed-… to the folder of each other node, which says which
nodes and -model this crawler uses. It then fetches nothing from a peer that uses others or
has no such file.

Not fetched but left there: torn batches (their bytes do not have the hash in the name), unfit
batches (their records cannot be parsed), and other names.

Counters: batches, bytes, removed, torn, unfit, failed (a batch could not be read or removed
this time), left (for the next run), large (larger than -largest), foreign (other names),
from-NODE-batches, -bytes and -records, peers-absent (no folder for this node yet), -disagree
(another model or other nodes), -unreachable, -refused, -slow, -failed.

Memory: about 10 MB for each visit of -at-once, plus 1 MB for 10,000 batches; 350 MB while
records of the largest size, 64 MiB, are read. Temporary files: one batch for each visit.`,
		Example: `: > ledger.list
gofer pull -nodes nodes.toml -node arts -ledger ledger.list -new ledger-1 -pages in.warc.gz -urls in.zst &&
  echo $PWD/ledger-1 >> ledger.list`,
		Check: segment.Check("segments of the ledger", verifyEntry),
	}}
}

// config holds the values of the flags.
type config struct {
	crew
	ledgerList, segment string
	pages, urls         string
	arrived             string
	outgoing, model     string
	digest              string // digest of nodes and model; "" without -outgoing
	cut                 *stage.Size
	most, largest       int64
	limit, jitter       time.Duration
	atOnce              int
	now                 time.Time
}

// bounds returns the limits for a batch. They are wide: other crawlers cut their batches at about
// 64 MB, compressed pages or text.
func (c *config) bounds() bounds { return bounds{cut: int64(*c.cut), pages: 4 << 30, urls: 1 << 30} }

// memory is the memory use above which the garbage collector works harder. One batch is read at a
// time, and four of its records are in memory at once.
const memory = 4 * warc.MaxRecord

func setupPull(fs *flag.FlagSet) stage.Body {
	c := &config{}
	c.crew.declare(fs)
	fs.StringVar(&c.ledgerList, "ledger", "", "read what was fetched before from the segments listed in `FILE`;"+
		" without it, or if FILE is empty, nothing was")
	fs.StringVar(&c.segment, "new", "", "write the new segment to `FILE`; without it no batch is remembered, and"+
		" none will be removed")
	fs.StringVar(&c.pages, "pages", "", "write pages to `FILE` (for x.warc.gz, then x-00002.warc.gz and so on);"+
		" without it page batches are left there")
	fs.StringVar(&c.urls, "urls", "", "write URLs to `FILE`, in the same way; without it URL batches are left there")
	fs.StringVar(&c.arrived, "arrived", "", "write the URLs of the pages to `FILE`, for filter; without it"+
		" they may be fetched here as well")
	fs.StringVar(&c.outgoing, "outgoing", "", "write to `FOLDER`/NODE/, for each other node, which nodes and model"+
		" this crawler uses; without it nothing is compared")
	fs.StringVar(&c.model, "model", "", "with -outgoing: `FILE` is the model of the topics")
	c.cut = stage.SizeVar(fs, "cut", 64e6, "begin a new part after `SIZE`; URLs are measured as text")
	most := stage.SizeVar(fs, "most", 512e6, "after `SIZE` in one run, fetch no further batch from a peer")
	largest := stage.SizeVar(fs, "largest", 256e6, "do not fetch batches larger than `SIZE`")
	fs.DurationVar(&c.limit, "for", 10*time.Minute, "end a visit to one peer after this `DURATION`")
	fs.DurationVar(&c.jitter, "jitter", 0, "first wait for a random part of this `DURATION`, if many gofers start"+
		" at the same time")
	fs.IntVar(&c.atOnce, "at-once", 4, "visit at most `N` peers at once")
	now := fs.String("now", "", "use this `TIME` (RFC 3339) as the current time")
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
		return stage.Usagef("give no arguments, except files with -verify")
	case c.pages == "" && c.urls == "":
		return stage.Usagef("-pages FILE or -urls FILE is required")
	case c.arrived != "" && c.pages == "":
		return stage.Usagef("-arrived works only with -pages: give both")
	case *c.cut < 1 || c.most < 1 || c.largest < 1 || c.limit <= 0 || c.atOnce < 1 || c.jitter < 0:
		return stage.Usagef("-cut, -most, -largest, -for and -at-once must be above 0, -jitter 0 or more")
	}
	return nil
}

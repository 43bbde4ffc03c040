package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
)

// lookVerb returns the verb that lists the batches held for this node. It changes nothing.
func lookVerb() stage.Verb {
	return stage.Verb{Name: "look", Setup: setupLook, Tool: stage.Tool{
		Name:  "gofer look",
		Short: "lists what other crawlers hold for this one; fetches and removes nothing",
		Args:  "[NODE ...]",
		Long: `Visits the other nodes in the file -nodes, or only those named as arguments, one after
another. For each node it prints a line about the batches that it holds for -node: pages and
URLs that were not fetched yet, and their bytes; done, which the next run of gofer pull
removes; torn and unfit batches, which stay; and names that are not names of batches. Without
-ledger all batches count as new.`,
		Example: `MT_SECRET=crawl/arts/secret gofer look -nodes nodes.toml -node arts \
  -ledger <(ls crawl/arts/state/ledger/*)`,
	}}
}

func setupLook(flags *flag.FlagSet) stage.Body {
	var c crew
	c.declare(flags)
	model := flags.String("model", "", "also report nodes with another nodes.toml, or another model than `FILE`")
	list := flags.String("ledger", "", "read what was fetched before from the segments listed in `FILE`")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		if err := c.load(); err != nil {
			return err
		}
		only, err := c.named(env.Inputs)
		if err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		ours := ""
		if *model != "" {
			if ours, err = digestOf(c.nodes, *model); err != nil {
				return err
			}
		}
		ledger, err := openLedger(*list, env.Hash)
		if err != nil {
			return err
		}
		defer ledger.set.Close()
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "pages\tURLs\tbytes\tdone\ttorn\tunfit\tforeign\t\tat")
		for _, peer := range c.peers() {
			if len(only) > 0 && !slices.Contains(only, peer.Name) {
				continue
			}
			h := holding{}
			said := "answers"
			if err := h.count(ctx, &c, peer, ledger); errors.Is(err, fs.ErrNotExist) {
				said = "holds nothing yet"
			} else if err != nil {
				said = strconv.Quote(err.Error()) // text from another machine
			} else if why := disagreement(h.agreed, ours, int(h.fresh[pages]+h.fresh[urls])); why != "" {
				said = why
			}
			fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t\t%s: %s\n", h.fresh[pages], h.fresh[urls], h.bytes,
				h.by[taken], h.by[torn], h.by[unfit], h.foreign, peer.Name, said)
		}
		return w.Flush()
	}
}

// named returns the nodes named in the arguments, or none if there are no arguments.
func (c *crew) named(args []string) ([]string, error) {
	if slices.Equal(args, []string{"-"}) {
		return nil, nil
	}
	for _, name := range args {
		if _, err := c.nodes.ByName(name); err != nil {
			return nil, stage.Usagef("%w", err)
		}
	}
	return args, nil
}

// A holding counts the batches that one peer holds for this crawler.
type holding struct {
	listing
	fresh [kinds]int64
	bytes int64 // size of the fresh batches
	by    [torn + 1]int64
}

func (h *holding) count(ctx context.Context, c *crew, peer *nodes.Node, l *ledger) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	place, err := c.open(ctx, peer)
	if err != nil {
		return err
	}
	defer place.Close()
	for b, err := range h.batches(ctx, place) {
		if err != nil {
			return err
		}
		met, err := l.find(peer.Name, b.name)
		if err != nil {
			return err
		}
		if h.by[met.fate]++; met.fate == unmet {
			h.fresh[b.kind]++
			h.bytes += b.size
		}
	}
	return nil
}

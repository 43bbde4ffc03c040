// Package keeper is what the stages rank and distill have in common: a run that takes links into a
// graph of pages (package webgraph), does something with all of it when it has grown by a tenth, and
// saves it; the records for frontier that come of it; and a run that only shows the graph.
package keeper

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/webgraph"
	"multitext/stages/internal/run/stage"
)

// memory is what a run takes about, in bytes, without the files that it maps.
const memory = 112 << 20

// portion is the links that are taken in at once.
func portion() urlbatch.Portion { return urlbatch.Portion{Records: 64 << 10, Bytes: 8 << 20} }

// A Keeper is the flags of the stage that say where the graph is.
type Keeper struct {
	graph, newSegment string
	Show              bool
}

// Flags adds the flags.
func (k *Keeper) Flags(fs *flag.FlagSet) {
	fs.StringVar(&k.graph, "graph", "",
		"read the state from the segments listed in `FILE`; without it, or if FILE is empty, no page is known")
	fs.StringVar(&k.newSegment, "new", "",
		"write the new segment of the state to `FILE`; without it nothing is remembered")
	fs.BoolVar(&k.Show, "show", false, "print the pages of -graph, and do nothing else")
}

// Run takes in the inputs, and calls due if the links have grown by a tenth since it was called last.
// take says of each record by which reason it ends here, and whether the graph takes it in.
func (k *Keeper) Run(ctx context.Context, env *stage.Env, take func(*urlbatch.Record) (reason string, ok bool),
	due func(*webgraph.State) error) error {
	defer stage.LimitMemory(memory)()
	spill := ""
	if k.newSegment != "" {
		spill = filepath.Dir(k.newSegment)
	}
	graph, err := webgraph.Open(k.graph, env.Hash, spill)
	if err != nil {
		return err
	}
	defer graph.Close()
	reasons, taken := map[string]int64{}, &urlbatch.Buffer{}
	err = portion().Each(ctx, env.Inputs, env.Stdin, env.Report, func(b *urlbatch.Buffer) error {
		taken.Reset()
		for i := range b.Len() {
			rec := b.Record(i)
			reason, ok := take(&rec)
			if reasons[reason]++; ok {
				taken.Add(&rec)
			}
		}
		return graph.Take(taken)
	})
	if err != nil {
		return err
	}
	for reason, n := range reasons {
		env.Report.Reason(reason, n)
	}
	env.Report.Gauge("pages", int64(graph.Pages()))
	env.Report.Gauge("links", int64(graph.Links()))
	if graph.Due() {
		if err := due(graph); err != nil {
			return err
		}
	}
	return graph.Save(env.Files, k.newSegment, env.Report)
}

// Look calls show with the graph, which is not changed.
func (k *Keeper) Look(env *stage.Env, show func(*webgraph.State) error) error {
	env.NoReport = true
	if k.graph == "" {
		return stage.Usagef("-show needs -graph")
	}
	if _, err := os.Stat(k.graph); err != nil {
		return fmt.Errorf("-graph: %w", err) // for a run it would be an empty state
	}
	graph, err := webgraph.Open(k.graph, env.Hash, "")
	if err != nil {
		return err
	}
	defer graph.Close()
	return show(graph)
}

package main

import (
	"context"
	"path/filepath"
	"strconv"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/webgraph"
	"multitext/stages/internal/run/stage"
)

// memory is what a run takes about, in bytes, without the files that it maps.
const memory = 112 << 20

// portion is the links that are taken in at once.
func portion() urlbatch.Portion { return urlbatch.Portion{Records: 64 << 10, Bytes: 8 << 20} }

// most is how many records are in a batch of -ranked, at most.
const most = 20_000

// run is the stage's Body.
func (o *options) run(ctx context.Context, env *stage.Env) error {
	defer stage.LimitMemory(memory)()
	spill := ""
	if o.newSegment != "" {
		spill = filepath.Dir(o.newSegment)
	}
	graph, err := webgraph.Open(o.graph, env.Hash, spill)
	if err != nil {
		return err
	}
	defer graph.Close()
	linked := 0
	err = portion().Each(ctx, env.Inputs, env.Stdin, env.Report, func(b *urlbatch.Buffer) error {
		linked += b.Len()
		return graph.Take(b)
	})
	if err != nil {
		return err
	}
	env.Report.Reason("linked", int64(linked))
	env.Report.Gauge("pages", int64(graph.Pages()))
	env.Report.Gauge("links", int64(graph.Links()))
	if graph.Due() {
		if err := o.rank(env, graph); err != nil {
			return err
		}
	}
	return graph.Save(env.Files, o.newSegment, env.Report)
}

// rank ranks the pages and writes those that have risen.
func (o *options) rank(env *stage.Env, graph *webgraph.State) error {
	w, written := urlbatch.NewWriter(env.Files, o.ranked, env.Report.Made), 0
	outcome, err := graph.Rank(func(url []byte, score float32) error {
		rec := urlbatch.New(string(url))
		rec.Set(urlbatch.Known, "1")
		//failpoint:known-unmarked rec.Del(urlbatch.Known)
		rec.Set(urlbatch.Score, strconv.FormatFloat(float64(score), 'g', -1, 32))
		if written++; written%most == 1 && written > 1 {
			if err := w.Cut(); err != nil {
				return err
			}
		}
		return w.Write(rec)
	})
	if err != nil {
		return err
	}
	env.Report.Count("passes", int64(outcome.Passes))
	return w.Close()
}

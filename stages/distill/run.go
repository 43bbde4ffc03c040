package main

import (
	"bytes"
	"context"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/keeper"
	"multitext/stages/internal/frontier/webgraph"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/registered"
)

// run is the stage's Body.
func (o *options) run(ctx context.Context, env *stage.Env) error {
	return o.Run(ctx, env, take, func(graph *webgraph.State) error { return o.distill(env, graph) })
}

// take says how a record ends here, and whether it counts.
func take(rec *urlbatch.Record) (reason string, ok bool) {
	switch {
	case rec.Has(urlbatch.Worth):
		return "judged", true
	case !between(rec):
		return "within-site", false
	}
	return "linked", true
}

// between tells whether a record is of a link from one site to another.
func between(rec *urlbatch.Record) bool {
	via, _ := rec.Raw(urlbatch.Via) // a host has no bytes that are escaped
	//failpoint:sites-ignored return len(via) > 0
	from, to := canon.Hostname(via), canon.Hostname(rec.URLBytes())
	if len(from) == 0 || bytes.Equal(from, to) {
		return false
	}
	return !bytes.Equal(registered.Domain(via), registered.Domain(rec.URLBytes()))
}

// distill writes what is to be fetched because of the hubs.
func (o *options) distill(env *stage.Env, graph *webgraph.State) error {
	out, lifted, again := keeper.NewLifts(env, o.distilled), 0, 0
	outcome, err := graph.Distill(o.by, func(w webgraph.Wanted) error {
		if w.Visit == 0 {
			lifted++
			return out.Lift(w.URL, 1)
		}
		again++
		rec := urlbatch.New(string(w.URL))
		rec.SetInt(urlbatch.Depth, int64(w.Depth))
		rec.SetInt(urlbatch.Visit, int64(w.Visit))
		rec.Set(urlbatch.Score, "1")
		return out.Write(rec)
	})
	if err != nil {
		return err
	}
	env.Report.Count("rounds", int64(outcome.Rounds))
	env.Report.Count("lifted", int64(lifted))
	env.Report.Count("visited-again", int64(again))
	return out.Close()
}

package main

import (
	"context"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/keeper"
	"multitext/stages/internal/frontier/webgraph"
	"multitext/stages/internal/run/stage"
)

// run is the stage's Body.
func (o *options) run(ctx context.Context, env *stage.Env) error {
	all := func(*urlbatch.Record) (string, bool) { return "linked", true }
	return o.Run(ctx, env, all, func(graph *webgraph.State) error { return o.rank(env, graph) })
}

// rank ranks the pages and writes those that have risen.
func (o *options) rank(env *stage.Env, graph *webgraph.State) error {
	risen := keeper.NewLifts(env, o.ranked)
	outcome, err := graph.Rank(risen.Lift)
	if err != nil {
		return err
	}
	env.Report.Count("passes", int64(outcome.Passes))
	return risen.Close()
}

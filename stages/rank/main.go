package main

import (
	"context"
	"flag"

	"multitext/stages/internal/frontier/keeper"
	"multitext/stages/internal/frontier/webgraph"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/ordered"
)

func main() { stage.Main(tool(), setup) }

func tool() stage.Tool {
	return stage.Tool{
		Name:    "rank",
		Formats: []string{ordered.Formats()},
		Short:   "ranks the pages that are known, for a frontier that goes by PageRank",
		Long: `Reads URL batches of links, each with via=, the page that it is on. Keeps the graph of all pages and
links in its state. When the links have grown by a tenth, it ranks all pages anew and writes to
-ranked the URL of each page that was not fetched yet and whose rank has risen, with known=1 and
score=, for frontier -order pagerank.

The rank of a page p is R(p) = 0.15 + 0.85 Σ R(t)/c(t), where the sum is over the pages t that link to
p, and c(t) is the number of pages that t links to (Cho, Garcia-Molina and Page 1998). Pages that
were not fetched, or have no links, have a rank and pass none on. The score is 1/63 for each quarter
of a doubling of the rank, from 0 for 0.15 to 1 for 8,266 and more.

It should read all links that the crawl may follow, those to known URLs too: what restrict writes, as
a second reader beside filter. Links stay in the graph when a page is fetched again without them, at
most about 10,000 of a page.

-show prints all pages of -graph in the order in which they became known: rank, "fetched" or "pending",
URL, with tabs between. The rank is that of the last time, - for a page that became known later.

Leave the flow: linked (taken into the state), bad-line.

Memory: at most 128 MB, and the files of the state, which are mapped. Ranking needs room for
temporary files in TMPDIR: 5 bytes a link and 8 a page. The state takes about 40 bytes a page and 3 a
link.`,
		Example: `: > graph.list
rank -graph graph.list -new graph-1 -ranked - links.zst && echo $PWD/graph-1 > graph.list
rank -show -graph graph.list | sort -gr | head`,
		Check: ordered.Check("segments of -graph", webgraph.Verify),
	}
}

// options are the flags of rank.
type options struct {
	keeper.Keeper
	ranked string
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{}
	o.Flags(fs)
	fs.StringVar(&o.ranked, "ranked", "-", "write the URLs that have risen to `FILE`")
	return func(ctx context.Context, env *stage.Env) error {
		env.Gives(stage.Ranks, o.ranked)
		if err := env.Ready(); err != nil {
			return err
		}
		if o.Show {
			return o.Look(env, func(graph *webgraph.State) error { return showPages(env.Stdout, graph) })
		}
		return o.run(ctx, env)
	}
}

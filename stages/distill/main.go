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
		Name:    "distill",
		Formats: []string{ordered.Formats()},
		Short:   "finds the hubs and authorities of a topic, and has what hubs link to fetched first",
		Long: `Reads URL batches of links, each with via=, the page that it is on; and of pages that were judged, each
with worth=, from 0 to 1 (extract -judged). Keeps both in its state. When the links have grown by a
tenth, it distills: it finds the hubs, which link to the best authorities, and the authorities,
which the best hubs link to. It writes to -distilled, for frontier -order score, the URL of each
page that was not fetched yet and that one of the best hubs links to, with known=1 and score=1; and
the URLs of these hubs, to be visited again, whenever the links have doubled since the last time.

With R(p), what a page was worth, and 0 for one that was not judged:
  a(v) = R(v) Σ h(u), over the pages u that link to v, if R(v) is above -relevant; else 0
  h(u) = R(u) Σ a(v), over the pages v that u links to
each brought to unit length, again and again, until a round moves h by less than 0.001, at most 50
times (Chakrabarti, van den Berg and Dom, Focused crawling, 1999). Only links between different
sites count; a site is a registered domain, such as example.co.uk.

-show prints the best hubs and the best authorities of -graph, as many as -hubs says of each: "hub" or
"authority", its value, what it was worth, the number of authorities that it links to, or of hubs
that link to it, and its URL, with tabs between; and below each, indented, the best ten of these.
The values are those of the last time.

Leave the flow: linked and judged (taken into the state), within-site (and what is no link), bad-line.

Memory: at most 128 MB, a bit for each page, and the files of the state, which are mapped; with -hubs
above 100 more, at most 0.2 MB for each. Distilling needs room for temporary files in TMPDIR: 5 bytes
a link and 24 a page. The state takes about 50 bytes a page and 3 a link.`,
		Example: `: > graph.list
distill -graph graph.list -new graph-1 -distilled - links.zst worths.zst && echo $PWD/graph-1 > graph.list
distill -show -graph graph.list`,
		Check: ordered.Check("segments of -graph", webgraph.Verify),
	}
}

// options are the flags of distill.
type options struct {
	keeper.Keeper
	distilled string
	by        webgraph.Distilling
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{}
	o.Flags(fs)
	fs.StringVar(&o.distilled, "distilled", "-", "write the URLs to fetch first, and hubs to visit again, to `FILE`")
	fs.IntVar(&o.by.Hubs, "hubs", 100, "follow the `N` best hubs, 1 to 1000")
	fs.Float64Var(&o.by.Relevant, "relevant", 0.5, "a page can be an authority if it was worth more than `R`, from 0 to 1")
	return func(ctx context.Context, env *stage.Env) error {
		switch {
		case o.by.Hubs < 1 || o.by.Hubs > 1000:
			return stage.Usagef("-hubs must be from 1 to 1000")
		case !(o.by.Relevant >= 0 && o.by.Relevant < 1):
			return stage.Usagef("-relevant must be from 0 to below 1: a page is worth at most 1")
		}
		if err := env.Ready(); err != nil {
			return err
		}
		if o.Show {
			return o.Look(env, func(graph *webgraph.State) error { return showPages(env.Stdout, graph, o.by.Hubs) })
		}
		return o.run(ctx, env)
	}
}

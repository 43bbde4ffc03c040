package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"multitext/stages/classify/internal/links"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/sharing/partition"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/web/canon"
)

// linksVerb returns the stage that assigns links, before they are fetched. Package links describes
// what the stage does, and its state.
func linksVerb() stage.Verb {
	return stage.Verb{Name: "links", Setup: linksSetup, Tool: stage.Tool{
		Name:  "classify links",
		Short: "sends links to the crawlers that own them, before they are fetched",
		Long: `Reads URL batches in canonical form, as restrict writes them. The links that this crawler owns
go to -mine. A link of another crawler goes to a URL batch in that crawler's folder beside
-outgoing, NODE/HASH-TTTTTTTTTTTT-NNNNN.zst, from which its gofer fetches it. A link keeps its
attributes except owner, which is removed.

-others says what becomes of the links of other crawlers (Cho and Garcia-Molina 2002):
  send   exchange: they are sent to their owners, as above
  drop   firewall: they end here
  aside  cross-over: they go to -aside, each once, in parts of at most 1,000, for a stage
         "classify links -by none" that copies them to filter when this crawler has nothing else
         to do: take = 1, and min so large that it is never reached
  later  exchange in batches: they go to -later, each once, for a stage "classify links" with the
         same -by that sends them

With -sum all links of a run to a URL of another become one, with inlinks=N, for an order of frontier
that counts links. Nothing is remembered then, and what later runs find is sent again.

-by decides who owns a link:
` + partition.Help + `
Nodes with joined = true own no links here: filter -nodes sends them what they fetch.

The segments listed in -sent have the links sent in earlier runs. The links sent in this run
go into the new segment -new. With -explain the arguments are URLs, and the node that fetches each
is printed. With -verify the arguments are segments, which are checked.

Records end here with these reasons: sent-before (sent to the same crawler, or set aside, in this
run or an earlier one), others (-others drop), replicated, summed (with another link of the
run), bad-line. Counters: to-NODE, the links sent to each node; owner-unknown, links whose owner=
names an unknown node, which are kept.

Memory: about 25 MB, plus 2 MB for each crawler with links (at most 64 at a time), plus about
40 bytes for each link sent in the run, and for each URL in -replicated; 20 MB more with -sum.
Segments with earlier links are mapped from their files.`,
		Example: `: > sent.list
classify links -nodes nodes.toml -node arts -by host -sent sent.list -new sent-1 \
    -mine mine.zst -outgoing outgoing/m.zst inscope.zst
classify links -nodes nodes.toml -node arts -by host -explain http://example.org/`,
		Check: segment.Check("segments of what was sent", nil),
	}}
}

// linksFlags holds the flags of classify links.
type linksFlags struct {
	links.Config
	nodes   nodes.Flags
	by      string
	later   string // Config.Aside of -others later
	explain bool
}

func linksSetup(fs *flag.FlagSet) stage.Body {
	f := &linksFlags{}
	f.nodes.Declare(fs)
	fs.StringVar(&f.by, "by", "", "the `PARTITION`: "+strings.Join(partition.Names(), ", "))
	fs.StringVar(&f.Sent, "sent", "",
		"read the links sent before from the segments listed in `FILE`; without it, or if FILE is empty, none was")
	fs.StringVar(&f.New, "new", "", "write the new segment to `FILE`; without it no link is remembered")
	fs.StringVar(&f.Mine, "mine", "-", "write this crawler's own links to `FILE`")
	fs.StringVar(&f.Outgoing, "outgoing", "",
		"write the links of others to folders beside `FILE`, whose name contains the number of the transaction")
	fs.StringVar(&f.Others, "others", partition.Send,
		"what becomes of the links of others, a `MODE`: "+strings.Join(partition.Modes(), ", "))
	fs.StringVar(&f.Aside, "aside", "", "with -others aside: write the links of others to `FILE`")
	fs.StringVar(&f.later, "later", "", "with -others later: write the links of others to `FILE`")
	fs.BoolVar(&f.Sum, "sum", false, "send how many links lead to each URL of others, each time anew")
	fs.StringVar(&f.Replicated, "replicated", "",
		"do not send the URLs in `FILE`, which all crawlers have as seeds: the most linked of an earlier crawl")
	fs.BoolVar(&f.explain, "explain", false, "print who owns the URLs given as arguments, and do nothing else")
	return f.run
}

func (f *linksFlags) run(ctx context.Context, env *stage.Env) error {
	set, me, err := f.nodes.Load()
	if err != nil {
		return err
	}
	f.Me = me
	owners := set.Remembering() // they let a URL through, and send it on to the one that fetches it
	//failpoint:memory-moves owners = set.Fetching()
	if f.explain {
		owners = set.Fetching()
	}
	if f.Partition, err = partition.New(f.by, owners, me); err != nil {
		return stage.Usagef("-by: %w", err)
	}
	if err := partition.CheckMode(f.Others); err != nil {
		return err
	}
	switch {
	case f.explain && f.by == "owner":
		return stage.Usagef("-explain reads only URLs, which do not have the attribute owner")
	case f.explain && env.Inputs[0] == "-":
		return stage.Usagef("-explain needs URLs as arguments")
	case f.explain || f.by == "none":
	case f.Others == partition.Send && f.Outgoing == "":
		return stage.Usagef("-outgoing is required, for the links of others")
	case f.Others == partition.Aside && f.Aside == "", f.Others == partition.Later && f.later == "":
		return stage.Usagef("-others %s needs -%[1]s, for the links of others", f.Others)
	}
	if err := env.Ready(); err != nil {
		return err
	}
	if f.explain {
		return explainLinks(env, f.Partition)
	}
	if f.Others == partition.Later {
		f.Aside = f.later
	}
	return links.Run(ctx, env, f.Config)
}

// explainLinks prints the owner of each URL.
func explainLinks(env *stage.Env, p partition.Partition) error {
	env.NoReport = true
	for _, ref := range env.Inputs {
		url, err := canon.Parse(ref)
		if err != nil {
			return fmt.Errorf("%q: %w", ref, err)
		}
		fmt.Fprintf(env.Stdout, "%s\t%s\n", p(urlbatch.New(url)).Name, url)
	}
	return nil
}

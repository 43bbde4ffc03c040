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

// linksVerb is the stage that assigns links, before they are fetched. What it does, and its state,
// are described in package links.
func linksVerb() stage.Verb {
	return stage.Verb{Name: "links", Setup: linksSetup, Tool: stage.Tool{
		Name:  "classify links",
		Short: "sends links to the crawlers that own them, before they are fetched",
		Long: `Reads URL batches, in canonical form as restrict gives it, and writes the links that are this
crawler's own to -mine. A link of another goes to a URL batch in the folder of that one beside
-outgoing, NODE/HASH-TTTTTTTTTTTT-NNNNN.zst, from which its gofer takes it. Attributes travel
with the link, all but owner, which is removed.

Who owns a link, -by tells:
` + partition.Help + `

The segments that -sent lists tell what was sent in earlier runs; what this one sends is added, as the
new segment -new. With -explain URLs are arguments, and the owner of each is printed; with -verify
arguments are segments, and are checked.

Leave the flow: sent-before (sent to the same crawler, in this run or an earlier one), bad-line.
Counted: to-NODE, the links sent to each; owner-unknown, those that name a node that there is not, which are
ours.

Memory: about 25 MB, 2 MB for each crawler with links (at most 64 at a time), and some 40 bytes for each
link sent in the run. What was sent before is mapped from its files.`,
		Example: `: > sent.list
classify links -nodes nodes.toml -node arts -by host -sent sent.list -new sent-1 \
    -mine mine.zst -outgoing outgoing/m.zst inscope.zst
classify links -nodes nodes.toml -node arts -by host -explain http://example.org/`,
		Check: segment.Check("segments of what was sent", nil),
	}}
}

// linksFlags are the flags of classify links.
type linksFlags struct {
	links.Config
	nodes   nodes.Flags
	by      string
	explain bool
}

func linksSetup(fs *flag.FlagSet) stage.Body {
	f := &linksFlags{}
	f.nodes.Declare(fs)
	fs.StringVar(&f.by, "by", "", "the `PARTITION`: "+strings.Join(partition.Names(), ", "))
	fs.StringVar(&f.Sent, "sent", "",
		"read what was sent before from the segments listed in `FILE`; none or empty: nothing was")
	fs.StringVar(&f.New, "new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fs.StringVar(&f.Mine, "mine", "-", "write our own links to `FILE`")
	fs.StringVar(&f.Outgoing, "outgoing", "",
		"write the links of others to folders beside `FILE`, the name of which gives the number of the transaction")
	fs.BoolVar(&f.explain, "explain", false, "print who owns the URLs that are the arguments, and do nothing else")
	return f.run
}

func (f *linksFlags) run(ctx context.Context, env *stage.Env) error {
	set, me, err := f.nodes.Load()
	if err != nil {
		return err
	}
	f.Me = me
	if f.Partition, err = partition.New(f.by, set, me); err != nil {
		return stage.Usagef("-by: %w", err)
	}
	switch {
	case f.explain && f.by == "owner":
		return stage.Usagef("-explain sees URLs alone: a link's attribute owner is not among them")
	case f.explain && env.Inputs[0] == "-":
		return stage.Usagef("-explain tells about the URLs given as arguments, and there is none")
	case !f.explain && f.Outgoing == "" && f.by != "none":
		return stage.Usagef("-outgoing is needed, for the links of others")
	}
	if err := env.Ready(); err != nil {
		return err
	}
	if f.explain {
		return explainLinks(env, f.Partition)
	}
	return links.Send(ctx, env, f.Config)
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

package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"multitext/classify"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// routeVerb returns the verb that prints where pages would go.
func routeVerb() stage.Verb {
	return stage.Verb{Name: "route", Tool: stage.Tool{
		Name:  "classify route",
		Short: "prints to which node pages would go",
		Args:  "[PAGE ...]",
		Long: `Prints a line for each page: the node to which it would go, what decided (the label of its
topic or language, invalid, no-text, short, unsure, not-judged), how sure the topic is, and
the page's name. The flags are those of classify pages; of the partitions only topic and
language are available.

With -tree it prints how relevant each page is (- without -good), its most probable leaf, or
why it is not judged, the probability of that leaf, and the page's name. Without -good the
pages are examples of what is wanted, and it proposes which topics are good: the fewest leaves
that hold 80 % of the examples' probability, and a topic instead of all its leaves.

A page is an HTML or text file, with or without a header above it, or an answer in a page
batch (WARC). Without arguments the page is read from standard input. Nothing is written.
Control characters in pages are escaped.`,
		Example: `classify route -nodes nodes.toml -node arts -model topics.model *.html pages.warc.gz | sort | head
classify route -tree topics.tree examples.warc.gz`,
	}, Setup: setupRoute}
}

func setupRoute(fs *flag.FlagSet) stage.Body {
	var o options
	o.declare(fs)
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		if o.tree != "" {
			return o.relevant(ctx, env)
		}
		if o.by == "" {
			o.by = byTopic
		}
		if o.by != byTopic && o.by != byLanguage {
			return stage.Usagef("-by %.40q: want %s or %s", o.by, byTopic, byLanguage)
		}
		set, me, err := o.nodes.Load()
		if err != nil {
			return err
		}
		s, err := o.assigner(set, me)
		if err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		pages := &source.Reader{Max: int64(o.maxPage), Stdin: env.Stdin}
		return pages.Each(ctx, env.Inputs, func(p *source.Page) error {
			return printPlace(env.Stdout, s.place(p.Page), o.unsure, p.Name)
		})
	}
}

// relevant prints how relevant pages are.
func (o *options) relevant(ctx context.Context, env *stage.Env) error {
	if o.by != "" || o.nodes.File != "" {
		return stage.Usagef("give -tree, or -nodes and -by: the one tells how relevant pages are, the others whose")
	}
	f, err := o.focus(&o.reading)
	if err != nil {
		return err
	}
	if err := env.Ready(); err != nil {
		return err
	}
	return relevant(ctx, env, f)
}

// printPlace writes the line of a page.
func printPlace(w io.Writer, to place, unsure, name string) error {
	node, why, sure := unsure, to.kind, "-"
	if to.node != nil {
		node = to.node.Name
	}
	if to.label != "" && to.kind != "unsure" {
		why = to.label
	}
	if to.sure > 0 {
		sure = fmt.Sprintf("%.3f", to.sure)
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", node, classify.Plain(why), sure, classify.Plain(name))
	return err
}

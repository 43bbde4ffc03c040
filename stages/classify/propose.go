package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"multitext/classify"
	"multitext/classify/topics"
	"multitext/stages/classify/internal/focus"
	"multitext/stages/classify/internal/source"
	"multitext/stages/internal/run/stage"
)

// most is the share of the examples' probability that the proposed topics hold at least.
const most = 0.8

// relevant prints how relevant pages are by the focus. Without good topics it then prints which to
// choose, if the pages are examples of what is wanted.
func relevant(ctx context.Context, env *stage.Env, f *focus.Focus) error {
	var examples topics.Examples
	pages := &source.Reader{Max: f.Max, Stdin: env.Stdin}
	err := pages.Each(ctx, env.Inputs, func(p *source.Page) error {
		r := f.Page(p.Page)
		if r.Best != "" {
			examples.Add(f.Judgement())
		}
		return printRelevance(env.Stdout, p.Name, r, f.Good != nil)
	})
	if err != nil || f.Good != nil {
		return err
	}
	if examples.Len() == 0 {
		return errors.New("none of the pages can be judged, so no topic can be proposed")
	}
	return printProposal(env.Stdout, f.Model.Tree, &examples)
}

// printRelevance writes the line of a page.
func printRelevance(w io.Writer, name string, r focus.Relevance, good bool) error {
	worth, best, sure := "-", r.Kind, "-"
	if r.Best != "" {
		best, sure = classify.Plain(r.Best), share(r.Sure)
		if good {
			worth = share(r.Worth)
		}
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", worth, best, sure, classify.Plain(name))
	return err
}

// printProposal writes the topics that hold at least a hundredth of the examples' probability,
// those proposed with a +, and the flag for them.
func printProposal(w io.Writer, tree *topics.Tree, e *topics.Examples) error {
	good := e.Propose(most)
	var b, names strings.Builder
	fmt.Fprintf(&b, "\nthe mean probability of the topics for %d pages; the proposed ones have a +\n", e.Len())
	for topic := 1; topic < tree.Len(); topic++ {
		mark := " "
		if len(good) > 0 && good[0] == topic {
			mark, good = "+", good[1:]
			fmt.Fprintf(&names, ",%s", tree.Name(topic))
		}
		if mark == "+" || e.Mean(topic) >= 0.01 {
			fmt.Fprintf(&b, "%5.1f %% %s %s%s\n", 100*e.Mean(topic), mark, strings.Repeat("  ", tree.Depth(topic)-1),
				classify.Plain(tree.Name(topic)))
		}
	}
	fmt.Fprintf(&b, "\n-good %s\n", quoted(strings.TrimPrefix(names.String(), ",")))
	_, err := io.WriteString(w, b.String())
	return err
}

// quoted returns s as a word of a shell and of a command line in a script. A name with invisible
// characters is escaped for the terminal, and cannot be given as it stands.
func quoted(s string) string {
	switch {
	case strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789,._-/") == "":
		return s
	case strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsGraphic(r) }):
		return classify.Plain(s)
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

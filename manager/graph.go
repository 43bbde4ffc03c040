package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/view"
	"multitext/script"
	"multitext/script/draw"
)

const graphHelp = `Draws the flow of a script to stdout: as text, in the languages of Graphviz (dot)
and Mermaid, or as an SVG picture. It goes by the file; programs need not be there.`

// drawings are the forms of a drawing.
func drawings() map[string]func(io.Writer, *script.Script) error {
	return map[string]func(io.Writer, *script.Script) error{
		"text": draw.Text, "dot": draw.Dot, "mermaid": draw.Mermaid, "svg": draw.SVG,
	}
}

func graphVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	form := fs.String("o", "text", "`form` of the drawing: text, dot, mermaid or svg")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		write := drawings()[*form]
		if write == nil {
			forms := slices.Sorted(maps.Keys(drawings()))
			return crawl.ExitBad, fmt.Errorf("%w: there is no form %q; there are: %s", errUsage, *form, strings.Join(forms, ", "))
		}
		s, err := view.Script(path, m.vars.list)
		if err != nil {
			return codeOf(err), err
		}
		if err := write(m.out, s); err != nil {
			return crawl.ExitBad, fmt.Errorf("draw %s: %w", path, err)
		}
		return crawl.ExitDone, nil
	}
}

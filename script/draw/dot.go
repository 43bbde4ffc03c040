package draw

import (
	"fmt"
	"io"
	"strings"

	"multitext/script"
)

// Dot writes the flow in the language of Graphviz: stages as boxes, queues as
// ellipses, seeds as notes, shown states as dashed edges.
func Dot(w io.Writer, s *script.Script) error {
	f := newFlow(s)
	var b strings.Builder
	b.WriteString("digraph flow {\n\trankdir=LR\n\tnode [fontname=\"sans-serif\" fontsize=11]\n\tedge [fontname=\"sans-serif\" fontsize=9]\n")
	for _, n := range f.nodes {
		label := dotQuote(n.label)
		if n.note != "" {
			label = dotQuote(n.label + "\n" + n.note)
		}
		fmt.Fprintf(&b, "\t%s [label=%s %s]\n", n.id, label, dotShape(n))
	}
	for _, l := range f.links {
		fmt.Fprintf(&b, "\t%s -> %s", l.from.id, l.to.id)
		if l.state != "" {
			fmt.Fprintf(&b, " [style=dashed label=%s]", dotQuote(l.state))
		}
		b.WriteByte('\n')
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotShape returns the attributes of a node.
func dotShape(n *node) string {
	switch {
	case n.kind == stageNode:
		return "shape=box style=filled fillcolor=lightsteelblue"
	case n.kind == seedNode:
		return "shape=note"
	case n.queue.Export:
		return "shape=ellipse peripheries=2 style=dashed"
	case n.queue.Keep || len(n.queue.Readers) == 0:
		return "shape=ellipse peripheries=2"
	}
	return "shape=ellipse"
}

// dotQuote makes a string of the language; a line feed in it breaks the line.
func dotQuote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

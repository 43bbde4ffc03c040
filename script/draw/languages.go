package draw

import (
	"fmt"
	"io"
	"strings"

	"multitext/script"
)

// A language is a text format that other programs draw.
type language struct {
	head, tail string
	breaks     string // between a label and its note
	escape     *strings.Replacer
	node       func(n *node, label string) string
	link       func(from, to, state string) string
}

func (g language) write(w io.Writer, s *script.Script) error {
	f := newFlow(s)
	var b strings.Builder
	b.WriteString(g.head)
	for _, n := range f.nodes {
		label := g.escape.Replace(n.label)
		if n.note != "" {
			label = fmt.Sprintf(g.breaks, label, g.escape.Replace(n.note))
		}
		b.WriteString(g.node(n, label) + "\n")
	}
	for _, l := range f.links {
		b.WriteString(g.link(l.from.id, l.to.id, g.escape.Replace(l.state)) + "\n")
	}
	b.WriteString(g.tail)
	_, err := io.WriteString(w, b.String())
	return err
}

// Dot writes the graph in the language of Graphviz. Stages are boxes, queues are ellipses, seeds
// are notes, and shown states are dashed edges.
func Dot(w io.Writer, s *script.Script) error {
	return language{
		head: "digraph flow {\n\trankdir=LR\n\tnode [fontname=\"sans-serif\" fontsize=11]\n" +
			"\tedge [fontname=\"sans-serif\" fontsize=9]\n",
		tail:   "}\n",
		breaks: `%s\n%s`,
		escape: strings.NewReplacer(`\`, `\\`, `"`, `\"`),
		node: func(n *node, label string) string {
			return fmt.Sprintf("\t%s [label=\"%s\" %s]", n.id, label, dotShape(n))
		},
		link: func(from, to, state string) string {
			if state != "" {
				state = fmt.Sprintf(" [style=dashed label=\"%s\"]", state)
			}
			return "\t" + from + " -> " + to + state
		},
	}.write(w, s)
}

// dotShape returns the attributes of a node.
func dotShape(n *node) string {
	switch class(n) {
	case "stage", "stage clock":
		return "shape=box style=filled fillcolor=lightsteelblue"
	case "seed":
		return "shape=note"
	case "queue export":
		return "shape=ellipse peripheries=2 style=dashed"
	case "queue product":
		return "shape=ellipse peripheries=2"
	}
	return "shape=ellipse"
}

// Mermaid writes the graph as a Mermaid flowchart, which many Markdown viewers draw. Stages are
// boxes, queues are stadiums, products are cylinders, seeds are slanted boxes, and shown states are
// dotted arrows.
func Mermaid(w io.Writer, s *script.Script) error {
	return language{
		head:   "flowchart LR\n",
		breaks: "%s<br/><small>%s</small>",
		escape: strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;"),
		node: func(n *node, label string) string {
			left, right := mermaidShape(n)
			return fmt.Sprintf("    %s%s\"%s\"%s", n.id, left, label, right)
		},
		link: func(from, to, state string) string {
			arrow := "-->"
			if state != "" {
				arrow = "-. " + state + " .->"
			}
			return fmt.Sprintf("    %s %s %s", from, arrow, to)
		},
	}.write(w, s)
}

// mermaidShape returns the brackets that give a node its shape.
func mermaidShape(n *node) (left, right string) {
	switch class(n) {
	case "stage", "stage clock":
		return "[", "]"
	case "seed":
		return "[/", "/]"
	case "queue product", "queue export":
		return "[(", ")]"
	}
	return "([", "])"
}

package draw

import (
	"fmt"
	"io"
	"strings"

	"multitext/script"
)

// Mermaid writes the flow as a Mermaid flowchart, which many Markdown viewers
// draw: stages as boxes, queues as stadiums, products as cylinders, seeds as
// slanted boxes, shown states as dotted arrows.
func Mermaid(w io.Writer, s *script.Script) error {
	f := newFlow(s)
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for _, n := range f.nodes {
		label := mermaidEscape(n.label)
		if n.note != "" {
			label += "<br/><small>" + mermaidEscape(n.note) + "</small>"
		}
		left, right := mermaidShape(n)
		fmt.Fprintf(&b, "    %s%s\"%s\"%s\n", n.id, left, label, right)
	}
	for _, l := range f.links {
		arrow := "-->"
		if l.state != "" {
			arrow = fmt.Sprintf("-. %s .->", mermaidEscape(l.state))
		}
		fmt.Fprintf(&b, "    %s %s %s\n", l.from.id, arrow, l.to.id)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mermaidShape returns the brackets that give a node its shape.
func mermaidShape(n *node) (left, right string) {
	switch {
	case n.kind == stageNode:
		return "[", "]"
	case n.kind == seedNode:
		return "[/", "/]"
	case n.queue.Keep || n.queue.Export || len(n.queue.Readers) == 0:
		return "[(", ")]"
	}
	return "([", "])"
}

// mermaidEscape writes what would end or mark up a label as an entity.
func mermaidEscape(text string) string {
	return strings.NewReplacer(
		"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;",
	).Replace(text)
}

package draw

import (
	"cmp"
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"multitext/script"
)

// style is the picture's style sheet. It is light or dark, as the viewer prefers.
//
//go:embed style.css
var style string

// SVG writes the graph as a self-contained picture: no scripts, no fonts and nothing from the
// network. It is light or dark, as the viewer prefers.
func SVG(w io.Writer, s *script.Script) error {
	return Lay(s).write(w, func(b *strings.Builder, width, height float64, name string) {
		fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %[1]s %[2]s\" "+
			"width=\"%[1]s\" height=\"%[2]s\" role=\"img\">\n", num(width), num(height))
		fmt.Fprintf(b, "<title>The flow of %s</title>\n<style>\n%s</style>\n", name, style)
	}, nil)
}

// A Layout has the places of the boxes and arrows of a script. Finding them takes much longer than
// drawing them. It is safe for concurrent use.
type Layout struct {
	name          string // of the script's file, escaped
	nodes         []*node
	routes        []*route
	width, height float64
}

// Lay finds the layout of a script.
func Lay(s *script.Script) *Layout {
	f := newFlow(s)
	ring := place(f, s)
	const title, legend = 34.0, 40.0
	width, height := frame(f.nodes, margin+title)
	all := routes(f, ring)
	width, height = widen(f.nodes, all, margin+title, width, height)
	return &Layout{xmlText(filepath.Base(s.Path)), f.nodes, all, width, height + margin + legend}
}

// write writes the picture with its head. marks may be nil.
func (l *Layout) write(w io.Writer, head func(b *strings.Builder, width, height float64, name string),
	marks *Marks) error {
	width, height, name := l.width, l.height, l.name
	var b strings.Builder
	head(&b, width, height, name)
	b.WriteString(arrowHead)
	fmt.Fprintf(&b, "<rect class=\"paper\" width=\"%s\" height=\"%s\"/>\n", num(width), num(height))
	fmt.Fprintf(&b, "<text class=\"title\" x=\"%s\" y=\"%s\">%s</text>\n", num(margin), num(margin+6), name)
	for _, r := range l.routes {
		writeLink(&b, r, marks.link(r.link))
	}
	for _, n := range l.nodes {
		writeNode(&b, n, marks.of(n))
	}
	writeLegend(&b, l.nodes, height-margin)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

const arrowHead = `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7.5" refY="4" ` +
	`markerWidth="8.5" markerHeight="8.5" markerUnits="userSpaceOnUse" orient="auto">` +
	`<path class="head" d="M0,0.5 L8,4 L0,7.5 z"/></marker></defs>` + "\n"

// writeLink draws an arrow. Along the arrow of a state it writes the state's name.
func writeLink(b *strings.Builder, r *route, more string) {
	class := "link"
	switch {
	case r.state != "":
		class = "link shown"
	case r.main:
		class = "link main"
	}
	fmt.Fprintf(b, "<path class=\"%s%s\" d=\"%s\" marker-end=\"url(#arrow)\"/>\n", class, more, r.path())
	if r.state != "" {
		way := r.way()
		p := way[len(way)/2]
		fmt.Fprintf(b, "<text class=\"note halo middle\" x=\"%s\" y=\"%s\">%s</text>\n", num(p.x), num(p.y+3),
			xmlText(r.state))
	}
}

// writeNode draws a box with its texts, and what is marked there.
func writeNode(b *strings.Builder, n *node, m Mark) {
	begin, end := m.around()
	fmt.Fprintf(b, "%s<g><title>%s</title>", begin, xmlText(cmp.Or(m.Title, tooltip(n))))
	writeBox(b, class(n)+m.class(), n.x, n.y, n.w, n.h, n.role)
	m.write(b, n)
	y := n.y + 4.5
	if n.note != "" {
		y -= 6.5
		fmt.Fprintf(b, "<text class=\"note middle\" x=\"%s\" y=\"%s\">%s</text>", num(n.x), num(n.y+12),
			xmlText(n.note))
	}
	weight := "label"
	if n.role == stageNode {
		weight = "label strong"
	}
	fmt.Fprintf(b, "<text class=\"%s middle\" x=\"%s\" y=\"%s\">%s</text></g>%s\n", weight, num(n.x), num(y),
		xmlText(n.label), end)
}

// writeBox draws the outline of a node: a stage is square, a queue is round, and seeds have a
// folded corner.
func writeBox(b *strings.Builder, class string, x, y, w, h float64, k role) {
	if k == seedNode {
		const fold = 9
		fmt.Fprintf(b, "<path class=\"%s\" d=\"M%s H%s L%s V%s H%s z\"/>", class, xy(point{x - w/2, y - h/2}),
			num(x+w/2-fold), xy(point{x + w/2, y - h/2 + fold}), num(y+h/2), num(x-w/2))
		return
	}
	round := min(6, h/5)
	if k == queueNode {
		round = h / 2
	}
	fmt.Fprintf(b, "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\"/>",
		class, num(x-w/2), num(y-h/2), num(w), num(h), num(round))
}

// class returns the classes of a node in the style sheet.
func class(n *node) string {
	switch {
	case n.role == stageNode && len(n.stage.In) == 0:
		return "stage clock"
	case n.role == stageNode:
		return "stage"
	case n.role == seedNode:
		return "seed"
	case n.queue.Export:
		return "queue export"
	case n.queue.Keep || len(n.queue.Readers) == 0:
		return "queue product"
	case !n.queue.Full.Zero():
		return "queue full"
	}
	return "queue"
}

// tooltip returns more about a node than fits into its box.
func tooltip(n *node) string {
	switch n.role {
	case stageNode:
		return fmt.Sprintf("stage %s runs %s", n.label, filepath.Base(n.stage.Program))
	case queueNode:
		return noted("queue "+n.label+", files ."+n.queue.Ext, n.note)
	}
	return "seeds from " + n.label
}

// writeLegend explains the shapes and colours of the picture.
func writeLegend(b *strings.Builder, nodes []*node, y float64) {
	x := margin
	for _, shape := range []struct {
		class, text string
		role        role
	}{
		{"stage", "stage", stageNode}, {"stage clock", "by the clock", stageNode}, {"queue", "queue", queueNode},
		{"queue full", "bounded", queueNode}, {"queue product", "product", queueNode},
		{"queue export", "exported", queueNode}, {"seed", "seeds", seedNode},
	} {
		if !slices.ContainsFunc(nodes, func(n *node) bool { return class(n) == shape.class }) {
			continue
		}
		writeBox(b, shape.class, x+9, y, 18, 12, shape.role)
		fmt.Fprintf(b, "<text class=\"note\" x=\"%s\" y=\"%s\">%s</text>\n", num(x+23), num(y+4), shape.text)
		x += 23 + noteWidth*float64(len(shape.text)) + 14
	}
}

// xmlText escapes text for an element. It replaces characters that are not valid in XML.
func xmlText(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // writing to a Builder never fails
	return b.String()
}

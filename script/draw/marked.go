package draw

import (
	"fmt"
	"io"
	"strings"

	"multitext/script"
)

// Marks are what a picture shows besides the script, for instance the state of a crawl. The layout
// does not depend on them.
type Marks struct {
	Stages map[string]Mark // by name
	Queues map[string]Mark
}

// A Mark is what is shown at a stage or a queue.
type Mark struct {
	Class  string  // further classes in the style sheet, with spaces
	Title  string  // instead of the text that appears under the pointer
	Link   string  // where a click leads
	Text   string  // a short text below the box
	Fill   float64 // how much of the box is filled from the left, 0 to 1
	Weight int     // of a queue: its arrows have the class wN, if N is more than 0
}

// Style returns the style sheet of Marked.
func Style() string { return style }

// Marked writes the graph of a script with marks, as Layout.Marked does.
func Marked(w io.Writer, s *script.Script, marks *Marks) error { return Lay(s).Marked(w, marks) }

// Marked writes the graph as an svg element for a page of HTML, with marks. It has no style sheet
// of its own: the page has that of Style, and rules for the classes of its marks. A Fill has the
// class fill, and a Text the class count.
func (l *Layout) Marked(w io.Writer, marks *Marks) error {
	return l.write(w, func(b *strings.Builder, width, height float64, name string) {
		fmt.Fprintf(b, "<svg viewBox=\"0 0 %[1]s %[2]s\" width=\"%[1]s\" height=\"%[2]s\" role=\"group\" "+
			"aria-label=\"The flow of %[3]s\">\n", num(width), num(height), name)
	}, marks)
}

// of returns the mark of a node.
func (m *Marks) of(n *node) Mark {
	switch {
	case m == nil:
	case n.stage != nil:
		return m.Stages[n.stage.Name]
	case n.queue != nil:
		return m.Queues[n.queue.Name]
	}
	return Mark{}
}

// link returns further classes of an arrow: those of the weight of its queue, and lit between a
// queue and a stage that is lit.
func (m *Marks) link(l *link) string {
	queue, stage := m.of(l.from), m.of(l.to)
	if l.from.stage != nil {
		queue, stage = stage, queue
	}
	class := ""
	if queue.Weight > 0 && l.from.queue != nil {
		class = fmt.Sprintf(" w%d", queue.Weight)
	}
	if l.state == "" {
		class += stage.class()
	}
	return class
}

// class returns the classes of a mark, with a space before them.
func (m Mark) class() string {
	if m.Class == "" {
		return ""
	}
	return " " + xmlText(m.Class)
}

// around returns the tags of the link.
func (m Mark) around() (begin, end string) {
	if m.Link == "" {
		return "", ""
	}
	return fmt.Sprintf("<a href=\"%s\">", xmlText(m.Link)), "</a>"
}

// write draws what is within and below the box of a node.
func (m Mark) write(b *strings.Builder, n *node) {
	if m.Fill > 0 {
		const inset, thick = 8, 3
		long := (n.w - 2*inset) * min(m.Fill, 1)
		fmt.Fprintf(b, "<rect class=\"fill\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%d\"/>", num(n.x-n.w/2+inset),
			num(n.y+n.h/2-thick-1), num(long), thick)
	}
	if m.Text != "" {
		fmt.Fprintf(b, "<text class=\"note count halo middle\" x=\"%s\" y=\"%s\">%s</text>", num(n.x), num(n.y+n.h/2+11),
			xmlText(m.Text))
	}
}

// Package progress prints what the manager does. On a terminal it overwrites one line. Elsewhere it
// prints a line for each transaction. It escapes control characters.
package progress

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/txlog"
)

// A Printer prints to one writer.
type Printer struct {
	w     io.Writer
	width func() int // the width of the terminal; nil if w is not a terminal
	shown bool       // a status line is visible
	last  time.Time
	now   func() time.Time
}

// New returns a Printer. width is nil if w is not a terminal.
func New(w io.Writer, width func() int) *Printer {
	return &Printer{w: w, width: width, now: time.Now}
}

// Line prints a line that is not overwritten.
func (p *Printer) Line(text string) {
	p.Clear()
	fmt.Fprintf(p.w, "%s  %s\n", p.now().Format(time.TimeOnly), terminal.Printable(text))
}

// Status shows a line on a terminal, at most ten times a second.
func (p *Printer) Status(text func() string) {
	if p.width == nil || p.now().Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = p.now()
	line := []rune(terminal.Printable(text()))
	if n := p.width() - 1; n > 0 && len(line) > n {
		line = line[:n]
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", string(line))
	p.shown = true
}

// Clear removes the status line, before others print.
func (p *Printer) Clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Committed prints a committed transaction. On a terminal it prints nothing.
func (p *Printer) Committed(c *txlog.Commit) {
	if p.width != nil {
		return
	}
	p.Line(fmt.Sprintf("%6d  %-10s %s", c.Tx, c.Stage, Story(c)))
}

// marksShown is the maximum number of inputs on the line of one run.
const marksShown = 3

// Aborted prints an aborted run, the times until which its inputs and its stage wait, and the end
// of its stderr.
func (p *Printer) Aborted(a *txlog.Abort) {
	text := fmt.Sprintf("%6d  %-10s %s", a.Tx, a.Stage, ending(a.Why))
	for _, m := range a.Marks[:min(len(a.Marks), marksShown)] {
		text += p.fate(m)
	}
	if more := len(a.Marks) - marksShown; more > 0 {
		text += fmt.Sprintf("; the same for %s", figure.Count(more, "more input"))
	}
	if a.Rest.After(a.Run.End) {
		text += "; the stage rests until " + figure.Clock(a.Rest, p.now())
		if a.Row > 1 {
			text += fmt.Sprintf(", having failed %d times in a row", a.Row)
		}
		text += ", or until manager retry"
	}
	p.Line(text)
	lines := strings.Split(a.Run.Stderr, "\n")
	for _, line := range lines[max(0, len(lines)-5):] {
		if line != "" {
			p.Line("        | " + line)
		}
	}
}

// ending describes how an aborted run ended.
func ending(why string) string {
	switch why {
	case txlog.WhyStopped:
		return "was stopped, and is repeated by the next run of the manager"
	case txlog.WhyLater:
		return "says: " + why
	}
	return "failed: " + why
}

// fate describes what happens to an input of an aborted run.
func (p *Printer) fate(m txlog.Mark) string {
	switch {
	case m.Aside:
		return fmt.Sprintf("; %s is set aside after %s", m.Name, figure.Count(m.Fails, "try"))
	case m.Alone && m.Until.IsZero():
		return fmt.Sprintf("; %s will be run alone", m.Name)
	case !m.Until.IsZero():
		return fmt.Sprintf("; %s waits until %s", m.Name, figure.Clock(m.Until, p.now()))
	}
	return ""
}

// Summary prints the summary that print writes at the end of a run of the manager.
func (p *Printer) Summary(print func(io.Writer)) {
	p.Clear()
	var text bytes.Buffer
	print(&text)
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(p.w, terminal.Printable(strings.TrimSuffix(line, "\n")))
	}
}

// Story returns a short description of a committed run.
func Story(c *txlog.Commit) string {
	var parts []string
	if c.Read >= 0 {
		parts = append(parts, fmt.Sprintf("%d read", c.Read))
	}
	type sum struct {
		batches, records int64
		unknown          bool // some batch has an unknown number of records
	}
	sums := map[string]*sum{}
	var order []string
	for _, o := range c.Outputs {
		q := o.Name.Queue()
		if sums[q] == nil {
			sums[q] = &sum{}
			order = append(order, q)
		}
		sums[q].batches++
		sums[q].records += o.Records
		sums[q].unknown = sums[q].unknown || o.Records < 0
	}
	for _, q := range order {
		text := fmt.Sprintf("%d → %s", sums[q].records, q)
		if sums[q].unknown {
			text = "→ " + q
		}
		if sums[q].batches > 1 {
			text += " in " + figure.Count(sums[q].batches, "batch")
		}
		parts = append(parts, text)
	}
	for _, r := range c.Reasons {
		parts = append(parts, fmt.Sprintf("%d %s", r.N, r.Name))
	}
	if parts == nil && c.Stage != "" {
		parts = append(parts, "no output")
	}
	if !c.Run.End.IsZero() && c.Stage != "" {
		parts = append(parts, c.Run.End.Sub(c.Run.Start).Round(time.Millisecond).String())
	}
	return strings.Join(parts, ", ")
}

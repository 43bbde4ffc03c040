// Package progress prints what the manager does: one line that is written over
// on a terminal, plain lines elsewhere. Whatever comes from a stage or a name is
// printed with its control characters escaped.
package progress

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"multitext/txlog"
)

// A Printer prints to one place.
type Printer struct {
	w     io.Writer
	width func() int // of the terminal; nil where there is none
	shown bool       // a status line stands on the terminal
	last  time.Time
	now   func() time.Time
}

// New makes a Printer. width is nil where w is no terminal.
func New(w io.Writer, width func() int) *Printer {
	return &Printer{w: w, width: width, now: time.Now}
}

// Line prints a line that stays.
func (p *Printer) Line(text string) {
	p.clear()
	fmt.Fprintf(p.w, "%s  %s\n", p.now().Format("15:04:05"), Printable(text))
}

// Status shows, on a terminal only, how things stand; at most ten times a second.
func (p *Printer) Status(text func() string) {
	if p.width == nil || p.now().Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = p.now()
	line := []rune(Printable(text()))
	if n := p.width() - 1; n > 0 && len(line) > n {
		line = line[:n]
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", string(line))
	p.shown = true
}

func (p *Printer) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Committed prints a transaction that counts; on a terminal the status says it.
func (p *Printer) Committed(c *txlog.Commit) {
	if p.width != nil {
		return
	}
	p.Line(fmt.Sprintf("%6d  %-10s %s", c.Tx, c.Stage, Story(c)))
}

// Aborted prints a run that does not count, and the end of its stderr.
func (p *Printer) Aborted(a *txlog.Abort) {
	text := fmt.Sprintf("%6d  %-10s failed: %s", a.Tx, a.Stage, a.Why)
	for _, m := range a.Marks {
		switch {
		case m.Aside:
			text += fmt.Sprintf("; %s is set aside after %d tries", m.Name, m.Fails)
		case m.Alone && m.Until.IsZero():
			text += fmt.Sprintf("; %s will be run alone", m.Name)
		case !m.Until.IsZero():
			text += fmt.Sprintf("; %s waits until %s", m.Name, m.Until.Local().Format("15:04:05"))
		}
	}
	p.Line(text)
	lines := strings.Split(a.Run.Stderr, "\n")
	for _, line := range lines[max(0, len(lines)-5):] {
		if line != "" {
			p.Line("        | " + line)
		}
	}
}

// Summary prints what stands at the end of everything.
func (p *Printer) Summary(print func(io.Writer)) {
	p.clear()
	var text bytes.Buffer
	print(&text)
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(p.w, Printable(strings.TrimSuffix(line, "\n")))
	}
}

// Story says in a few words what a committed run did.
func Story(c *txlog.Commit) string {
	var parts []string
	if c.Read >= 0 {
		parts = append(parts, fmt.Sprintf("%d read", c.Read))
	}
	type sum struct{ batches, records int64 }
	sums := map[string]*sum{}
	var order []string
	for _, o := range c.Outputs {
		q := o.Name.Dir()
		if sums[q] == nil {
			sums[q] = &sum{}
			order = append(order, q)
		}
		sums[q].batches++
		sums[q].records += o.Records
	}
	for _, q := range order {
		text := fmt.Sprintf("%d → %s", sums[q].records, q)
		if sums[q].records < 0 {
			text = "→ " + q
		}
		if sums[q].batches > 1 {
			text += fmt.Sprintf(" in %d batches", sums[q].batches)
		}
		parts = append(parts, text)
	}
	for _, r := range c.Reasons {
		parts = append(parts, fmt.Sprintf("%d %s", r.N, r.Name))
	}
	if !c.Run.End.IsZero() {
		parts = append(parts, c.Run.End.Sub(c.Run.Start).Round(time.Millisecond).String())
	}
	return strings.Join(parts, ", ")
}

// Printable escapes what must not reach a terminal raw: control characters, those
// that turn the direction of text, and bytes that are no UTF-8.
func Printable(s string) string {
	raw := func(r rune) bool { return !unicode.IsPrint(r) || r == '\ufffd' }
	if !strings.ContainsFunc(s, raw) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if raw(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

package view

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/txlog"
)

// A Section is a table that tells one side of a transaction.
type Section struct {
	Head string
	Rows [][]string
}

// Print prints everything about a transaction.
func (t *Transaction) Print(w io.Writer) {
	terminal.Line(w, "%s", t.Title())
	table := terminal.NewTable(w)
	for _, fact := range t.Facts() {
		table.Row("  "+fact[0], fact[1])
	}
	table.Flush()
	if len(t.Command) > 0 {
		fmt.Fprintf(w, "\ncommand\n  %s\n", t.Shell())
	}
	for _, s := range t.Sections() {
		s.print(w)
	}
	if t.Stderr != "" {
		fmt.Fprintln(w, "\nend of what it printed")
		terminal.Quote(w, t.Stderr)
	}
}

// Title returns the number, the result and the stage of a transaction.
func (t *Transaction) Title() string {
	return fmt.Sprintf("transaction %d: %s", t.Tx, strings.TrimSpace(t.Result+" "+t.Stage))
}

// Facts returns pairs of a name and a value.
func (t *Transaction) Facts() (facts [][2]string) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, [2]string{name, value})
		}
	}
	add("what", t.What)
	if !t.Start.IsZero() {
		add("started", figure.Stamp(t.Start))
	}
	if t.Command != nil && !t.End.IsZero() {
		add("took", t.End.Sub(t.Start).Round(time.Millisecond).String())
		add("exit", t.Exit)
		add("CPU", time.Duration(t.CPU*float64(time.Second)).Round(time.Millisecond).String())
		add("peak memory", figure.Bytes(t.Memory))
	}
	if t.Pid > 0 {
		add("process", fmt.Sprint(t.Pid))
	}
	if t.Read != nil {
		add("records read", figure.Known(t.Read))
	}
	add("seed", t.Seed)
	add("request", t.Request)
	if !t.Rest.IsZero() {
		add("stage rests until", figure.Stamp(t.Rest))
	}
	return facts
}

// The heads of the sections whose files have a history of their own.
const (
	Inputs  = "inputs"
	Outputs = "outputs"
)

// Sections returns the tables that are not empty.
func (t *Transaction) Sections() []Section {
	var all []Section
	for _, s := range []Section{
		section(Inputs, t.Inputs, Input.cells),
		section(Outputs, t.Outputs, Output.cells),
		section("segments of state "+t.State, t.Segments, Output.cells),
		section("segments replaced", t.Replaced, name[txlog.Name]),
		section("left the flow here", t.Reasons, count),
		section("counters", t.Counts, count),
		section("gauges", t.Gauges, count),
		section("went no further", t.Because, func(b txlog.Because) []string {
			return []string{b.Name, fmt.Sprint(b.N), b.Example, b.Remedy}
		}),
		section("files it was shown", t.Shown, func(s txlog.Shown) []string {
			return []string{s.Name, cmp.Or(s.Hash, "could not be read, or changed meanwhile")}
		}),
		section("notes", t.Notes, name[string]),
		section("charged", t.Marks, mark),
		section("put back", t.Reset, func(m txlog.Mark) []string {
			if m.Name == "" {
				return []string{"stage " + m.Stage}
			}
			return []string{string(m.Name), "for " + m.Stage}
		}),
		section("forgotten", t.Forgot, name[string]),
		section("removed", t.Gone, name[txlog.Name]),
	} {
		if len(s.Rows) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// section returns a table with a row for each member of a list.
func section[T any](head string, list []T, cells func(T) []string) Section {
	s := Section{Head: head}
	for _, member := range list {
		s.Rows = append(s.Rows, cells(member))
	}
	return s
}

func (s Section) print(w io.Writer) {
	fmt.Fprintln(w)
	terminal.Line(w, "%s", s.Head)
	t := terminal.NewTable(w)
	for _, row := range s.Rows {
		row[0] = "  " + row[0]
		t.Row(row...)
	}
	t.Flush()
}

func name[S ~string](text S) []string { return []string{string(text)} }

func count(c txlog.Count) []string { return []string{c.Name, fmt.Sprint(c.N)} }

func (i Input) cells() []string {
	fate := ""
	if i.Gone {
		fate = "read by all and removed"
	}
	return []string{i.Name, records(i.Records), fate}
}

func (o Output) cells() []string {
	row := []string{o.Name, records(o.Records), figure.Bytes(o.Bytes), o.Hash}
	if o.Made {
		row = append(row, "of another unit")
	}
	if o.Export {
		row = append(row, "exported")
	}
	if !o.Due.IsZero() {
		row = append(row, "due "+figure.Stamp(o.Due)+latest(o.Latest))
	}
	return row
}

func latest(is bool) string {
	if is {
		return " at the latest"
	}
	return ""
}

func records(n *int64) string {
	if n == nil {
		return "- records"
	}
	return figure.Count(*n, "record")
}

func mark(m txlog.Mark) []string {
	text := figure.Count(m.Fails, "failure")
	switch {
	case m.Aside:
		text += ", set aside"
	case m.Alone:
		text += ", to be run alone"
	}
	if m.Laters > 0 {
		text += fmt.Sprintf(", %d times \"try later\"", m.Laters)
	}
	if !m.Until.IsZero() && !m.Aside {
		text += ", not before " + figure.Stamp(m.Until)
	}
	return []string{string(m.Name), text}
}

// Shell returns a run's command line in a form that can be pasted into bash. It inserts the inputs;
// the log leaves them out of the command line because it lists them elsewhere.
func (t *Transaction) Shell() string {
	var in []string
	for _, i := range t.Inputs {
		in = append(in, terminal.Word(filepath.Join(t.root, i.Name)))
	}
	files := strings.Join(in, " ")
	shell := len(t.Command) == 5 && t.Command[3] == "-c"
	var words []string
	for i, word := range t.Command {
		switch {
		case word == "{in}" && !shell:
			words = append(words, in...)
		case shell && i == 4:
			words = append(words, terminal.Word(strings.ReplaceAll(word, "'{in}'", files)))
		default:
			words = append(words, terminal.Word(word))
		}
	}
	return "cd " + terminal.Word(t.folder) + " && " + strings.Join(words, " ")
}

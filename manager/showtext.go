package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
)

func writeTransaction(w io.Writer, t *view.Transaction, c *view.Crawl) {
	terminal.Line(w, "transaction %d: %s", t.Tx, strings.TrimSpace(t.Result+" "+t.Stage))
	facts := terminal.NewTable(w)
	for _, f := range transactionFacts(t) {
		facts.Row("  "+f[0], f[1])
	}
	facts.Flush()
	if len(t.Command) > 0 {
		fmt.Fprintln(w, "\ncommand")
		fmt.Fprintf(w, "  cd %s && %s\n", terminal.Word(c.Script.Folder), shellCommand(t, c.Root))
	}
	writeFiles(w, "inputs", inputRows(t.Inputs))
	writeFiles(w, "outputs", outputRows(t.Outputs))
	writeFiles(w, "segments of state "+t.State, outputRows(t.Segments))
	writeFiles(w, "segments replaced", nameRows(t.Replaced))
	writeFiles(w, "left the flow here", countRows(t.Reasons))
	writeFiles(w, "counters", countRows(t.Counts))
	writeFiles(w, "went no further", becauseRows(t.Because))
	writeFiles(w, "files it was shown", shownRows(t.Shown))
	writeFiles(w, "notes", nameRows(t.Notes))
	writeFiles(w, "charged", markRows(t.Marks))
	writeFiles(w, "put back", resetRows(t.Reset))
	writeFiles(w, "let go of", nameRows(append(t.Forgot, t.Gone...)))
	if t.Stderr != "" {
		fmt.Fprintln(w, "\nend of what it printed")
		for l := range strings.SplitSeq(t.Stderr, "\n") {
			terminal.Line(w, "  | %s", l)
		}
	}
}

// transactionFacts are the small facts, each a name and a value.
func transactionFacts(t *view.Transaction) (facts [][2]string) {
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
	}
	if t.Command != nil && !t.End.IsZero() {
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

func writeFiles(w io.Writer, head string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	terminal.Line(w, "%s", head)
	t := terminal.NewTable(w)
	for _, row := range rows {
		row[0] = "  " + row[0]
		t.Row(row...)
	}
	t.Flush()
}

func inputRows(in []view.Input) (rows [][]string) {
	for _, i := range in {
		fate := ""
		if i.Gone {
			fate = "read by all and removed"
		}
		rows = append(rows, []string{i.Name, records(i.Records), fate})
	}
	return rows
}

func outputRows(out []view.Output) (rows [][]string) {
	for _, o := range out {
		row := []string{o.Name, records(o.Records), figure.Bytes(o.Bytes), o.Hash}
		if o.Made {
			row = append(row, "of another unit")
		}
		if o.Export {
			row = append(row, "exported")
		}
		if !o.Due.IsZero() {
			row = append(row, "due "+figure.Stamp(o.Due))
		}
		rows = append(rows, row)
	}
	return rows
}

func records(n *int64) string {
	if n == nil {
		return "- records"
	}
	return figure.Count(*n, "record")
}

func nameRows(names []string) (rows [][]string) {
	for _, name := range names {
		rows = append(rows, []string{name})
	}
	return rows
}

func countRows(counts []view.Count) (rows [][]string) {
	for _, c := range counts {
		rows = append(rows, []string{c.Name, fmt.Sprint(c.N)})
	}
	return rows
}

func becauseRows(because []view.Reason) (rows [][]string) {
	for _, b := range because {
		rows = append(rows, []string{b.Name, fmt.Sprint(b.N), b.Example, b.Remedy})
	}
	return rows
}

func shownRows(files []view.Shown) (rows [][]string) {
	for _, s := range files {
		hash := s.Hash
		if hash == "" {
			hash = "could not be read, or changed meanwhile"
		}
		rows = append(rows, []string{s.Name, hash})
	}
	return rows
}

// resetRows are the batches and stages that a retry put back.
func resetRows(reset []view.Mark) (rows [][]string) {
	for _, m := range reset {
		if m.Batch == "" {
			rows = append(rows, []string{"stage " + m.Stage})
		} else {
			rows = append(rows, []string{m.Batch, "for " + m.Stage})
		}
	}
	return rows
}

func markRows(marks []view.Mark) (rows [][]string) {
	for _, m := range marks {
		text := figure.Count(m.Failures, "failure")
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
		rows = append(rows, []string{m.Batch, text})
	}
	return rows
}

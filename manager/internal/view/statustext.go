package view

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/progress"
	"multitext/manager/internal/terminal"
)

// Print writes a status for people.
func (s *Status) Print(w io.Writer) {
	writeManager(w, s)
	writeStages(w, s.Stages, s.now)
	for _, st := range s.Stages {
		writeRunning(w, st.Name, st.Running, s.now)
	}
	writeQueues(w, s.Queues, s.now)
	writeCounters(w, s.Stages)
	progress.PrintReasons(w, s.Because)
	writeAsides(w, s.Asides)
	PrintForeign(w, s.Foreign)
}

func writeManager(w io.Writer, s *Status) {
	switch {
	case s.Manager != nil:
		since := s.Manager.Since
		if t, err := time.Parse(time.RFC3339, since); err == nil {
			since = fmt.Sprintf("%s (%s)", figure.Stamp(t), figure.Age(t, s.now))
		}
		terminal.Line(w, "%s: manager %d runs it, since %s", s.Dir, s.Manager.Pid, since)
	case s.Begun:
		terminal.Line(w, "%s: no manager runs it", s.Dir)
	default:
		terminal.Line(w, "%s: not begun", s.Dir)
	}
	fmt.Fprintf(w, "%s ended\n", figure.Count(s.Ended, "transaction"))
	if s.Left > 0 {
		fmt.Fprintf(w, "waiting records need at least %s at the pace of the last half hour\n", figure.Seconds(s.Left))
	}
	for _, tx := range s.Cut {
		fmt.Fprintf(w, "transaction %d was cut off; the next start rolls it back\n", tx)
	}
}

func writeStages(w io.Writer, stages []Stage, now time.Time) {
	fmt.Fprintln(w)
	t := terminal.NewTable(w, "STAGE", "NOW", "READY", "HELD", "ASIDE", "WAITING", "RUNS", "FAILED", "RECORDS",
		"PER S", "CPU", "MEMORY", "WHY NOT")
	for _, st := range stages {
		why := st.Why
		if !st.Until.IsZero() {
			why = strings.TrimPrefix(why+", until "+figure.Until(st.Until, now), ", ")
		}
		t.Row(st.Name, st.State, figure.Number(st.Ready), figure.Number(st.Held), figure.Number(st.Aside), waiting(st),
			figure.Number(st.Runs), figure.Number(st.Failures), figure.Number(st.Records), perSecond(st.Pace),
			figure.Seconds(st.CPU), figure.Size(st.Memory), why)
	}
	t.Flush()
}

// waiting prints the number of records that wait. It prints "-" for none. It adds "+" if the
// records of some batches are unknown.
func waiting(st Stage) string {
	if st.Unknown > 0 {
		return strings.TrimPrefix(figure.Number(st.Waiting)+"+", "-")
	}
	return figure.Number(st.Waiting)
}

func perSecond(pace float64) string {
	if pace == 0 {
		return "-"
	}
	return strconv.FormatFloat(pace, 'g', 3, 64)
}

func writeRunning(w io.Writer, stage string, running []UnderWay, now time.Time) {
	for _, r := range running {
		pid := ""
		if r.Pid > 0 {
			pid = fmt.Sprintf(" as process %d", r.Pid)
		}
		terminal.Line(w, "running: transaction %d, %s%s, %s, for %s", r.Tx, stage, pid,
			figure.Count(r.Inputs, "input"), figure.Age(r.Start, now))
	}
}

func writeQueues(w io.Writer, queues []Queue, now time.Time) {
	fmt.Fprintln(w)
	t := terminal.NewTable(w, "QUEUE", "KIND", "BATCHES", "BYTES", "OWED", "FULL", "HELD", "ASIDE", "OLDEST",
		"NEXT DUE", "RECORDS EVER")
	for _, q := range queues {
		kind := q.Kind
		if kind == "gone" {
			kind = "not in the script"
		}
		t.Row(q.Name, cmp.Or(kind, "-"), figure.Number(q.Batches), figure.Size(q.Bytes), figure.Number(q.Owed),
			cmp.Or(q.Full, "-"), figure.Number(q.Held), figure.Number(q.Aside), figure.Age(q.Oldest, now),
			figure.Until(q.Next, now), figure.Number(q.Ever.Records))
	}
	t.Flush()
}

// writeCounters prints why records were dropped, and the stages' own counters.
func writeCounters(w io.Writer, stages []Stage) {
	head := "\nleft the flow, by reason, and (other counters)\n"
	for _, st := range stages {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(st.Reasons)) {
			parts = append(parts, fmt.Sprintf("%s %d", name, st.Reasons[name]))
		}
		for _, name := range slices.Sorted(maps.Keys(st.Counts)) {
			parts = append(parts, fmt.Sprintf("(%s %d)", name, st.Counts[name]))
		}
		if parts != nil {
			fmt.Fprint(w, head)
			head = ""
			terminal.Line(w, "  %s: %s", st.Name, strings.Join(parts, ", "))
		}
	}
}

func writeAsides(w io.Writer, asides []Aside) {
	if len(asides) == 0 {
		return
	}
	fmt.Fprintf(w, "\nset aside (manager retry puts them back, manager drop removes one)\n")
	for _, a := range asides {
		terminal.Line(w, "  %s by %s after %s: %s", a.Batch, a.Stage, figure.Count(a.Failures, "failure"), a.Why)
		switch {
		case a.Stderr != "":
			terminal.Line(w, "    transaction %d; the end of what it printed is in %s", a.Tx, terminal.Near(a.Stderr))
		case a.Tx > 0:
			terminal.Line(w, "    transaction %d", a.Tx)
		}
	}
}

// PrintForeign lists files in queues that are not in the log.
func PrintForeign(w io.Writer, foreign []string) {
	if len(foreign) > 0 {
		fmt.Fprintf(w, "\n%s in queues that are not in the log, left alone\n", figure.Count(len(foreign), "file"))
		terminal.List(w, foreign)
	}
}

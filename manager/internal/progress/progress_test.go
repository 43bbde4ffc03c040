package progress

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"multitext/txlog"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)

// printer prints into a buffer, at noon, on a terminal of some width or on none.
func printer(width int) (*Printer, *bytes.Buffer) {
	var out bytes.Buffer
	p := New(&out, nil)
	if width > 0 {
		p.width = func() int { return width }
	}
	p.now = func() time.Time { return noon }
	return p, &out
}

// The line of progress stands on a terminal alone, is cut to its width, is
// written at most ten times a second, and gives way to lines that stay.
func TestStatus(t *testing.T) {
	p, out := printer(0)
	p.Status(func() string { t.Error("asked without a terminal"); return "" })
	p, out = printer(10)
	p.Status(func() string { return "→23456789 cut\x1b[2J" })
	p.Status(func() string { t.Error("asked again at once"); return "" })
	p.Line("stays")
	p.Line("stays, too")
	noon2 := noon.Add(100 * time.Millisecond)
	p.now = func() time.Time { return noon2 }
	p.Status(func() string { return "b" })
	want := "\r\x1b[K→23456789\r\x1b[K12:00:00  stays\n12:00:00  stays, too\n\r\x1b[Kb"
	if out.String() != want {
		t.Errorf("%q, want %q", out, want)
	}
}

// Nothing that a stage says is printed raw, neither in lines nor in the summary.
func TestNothingIsRaw(t *testing.T) {
	p, out := printer(0)
	evil := "\x1b]0;evil\a"
	p.Line(evil)
	p.Aborted(&txlog.Abort{Tx: 1, Stage: evil, Why: evil, Run: txlog.Run{Stderr: evil + "\n" + evil}})
	p.Committed(&txlog.Commit{Tx: 2, Reasons: []txlog.Count{{Name: evil, N: 1}}})
	p.Summary(func(w io.Writer) { fmt.Fprintf(w, "one\n%s\n", evil) })
	if strings.ContainsAny(out.String(), "\x1b\a") {
		t.Errorf("raw: %q", out)
	}
	if n := strings.Count(out.String(), "evil"); n != 7 {
		t.Errorf("said %d times, want 7:\n%s", n, out)
	}
}

func TestStory(t *testing.T) {
	out := func(queue string, part int, records int64) txlog.Output {
		return txlog.Output{Name: txlog.Name(queue + "/" + txlog.FileName("m", 1, part, "")), Records: records}
	}
	for want, c := range map[string]*txlog.Commit{
		"":       {Read: -1},
		"0 read": {},
		"3 read, 2 → b, 1 seen": {Read: 3, Outputs: []txlog.Output{out("b", 1, 2)},
			Reasons: []txlog.Count{{Name: "seen", N: 1}}},
		"7 → b in 2 batches, → c": {Read: -1, Outputs: []txlog.Output{out("b", 1, 3), out("c", 1, -1), out("b", 2, 4)}},
		"→ b in 2 batches":        {Read: -1, Outputs: []txlog.Output{out("b", 1, -1), out("b", 2, 4)}},
		"1 read, 1.5s": {Read: 1, Stage: "a",
			Run: txlog.Run{Start: noon, End: noon.Add(1500 * time.Millisecond)}},
		"no output, 1.5s": {Read: -1, Stage: "a",
			Run: txlog.Run{Start: noon, End: noon.Add(1500 * time.Millisecond)}},
	} {
		if got := Story(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// However many inputs a run had, its line names three and counts the others.
func TestAbortedOfMany(t *testing.T) {
	p, out := printer(0)
	a := &txlog.Abort{Tx: 5, Stage: "fetch", Why: "exit 1"}
	for i := range 64 {
		a.Marks = append(a.Marks, txlog.Mark{Name: txlog.Name(fmt.Sprintf("a/%d", i)), Alone: true})
	}
	p.Aborted(a)
	want := "12:00:00       5  fetch      failed: exit 1; a/0 will be run alone; " +
		"a/1 will be run alone; a/2 will be run alone; the same for 61 more inputs\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

// A line says that a stage rests, until when, and what ends it. What is no failure is not called
// one.
func TestAbortedAndResting(t *testing.T) {
	p, out := printer(0)
	run := txlog.Run{End: noon}
	p.Aborted(&txlog.Abort{Tx: 5, Stage: "fetch", Why: "exit 1", Run: run, Row: 5, Rest: noon.Add(5 * time.Minute)})
	p.Aborted(&txlog.Abort{Tx: 6, Stage: "tick", Why: txlog.WhyLater, Run: run, Rest: noon.Add(14 * time.Hour)})
	p.Aborted(&txlog.Abort{Tx: 7, Stage: "fetch", Why: txlog.WhyStopped, Run: run, Row: 5, Rest: noon})
	want := "12:00:00       5  fetch      failed: exit 1; " +
		"the stage rests until 12:05:00, having failed 5 times in a row, or until manager retry\n" +
		"12:00:00       6  tick       says: try later; " +
		"the stage rests until 2026-11-22 02:00:00, or until manager retry\n" +
		"12:00:00       7  fetch      was stopped, and is repeated by the next run of the manager\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

// A failure says what happens to each input, and the last five lines of stderr.
func TestAborted(t *testing.T) {
	p, out := printer(0)
	p.Aborted(&txlog.Abort{Tx: 5, Stage: "fetch", Why: "exit 1", Run: txlog.Run{Stderr: "1\n2\n3\n\n5\n6"},
		Marks: []txlog.Mark{
			{Name: "a/1", Fails: 4, Aside: true}, {Name: "a/2", Alone: true},
			{Name: "a/3", Fails: 1, Until: noon.Add(time.Minute)}}})
	want := "12:00:00       5  fetch      failed: exit 1; a/1 is set aside after 4 tries; " +
		"a/2 will be run alone; a/3 waits until 12:01:00\n" +
		"12:00:00          | 2\n12:00:00          | 3\n12:00:00          | 5\n12:00:00          | 6\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

package runner

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/pace"
	"multitext/manager/internal/progress"
	"multitext/manager/internal/testkit"
	"multitext/txlog"
)

const twoWriters = `
seeds = { a = "seed" }
[stage.one]
in  = "a"
out = ["b", "both"]
run = "cp {in} {b} {both}"
[stage.two]
in  = "b"
out = "both"
run = "cp {in} {both}"
`

// The summary and the line of progress show what was not counted as unknown, what
// two stages made together, stages that the script names no more, and which stage
// rests until when; runs that were stopped are no failures.
func TestSummary(t *testing.T) {
	w := newWorld(t, twoWriters)
	c := w.open()
	rest := time.Now().Add(time.Hour).Truncate(time.Second)
	for _, r := range []txlog.Record{
		&txlog.Commit{Tx: 1, Stage: "former", Read: 5, Reasons: []txlog.Count{{Name: "ended", N: 5}}},
		&txlog.Commit{Tx: 2, Stage: "one", Read: -1, Outputs: []txlog.Output{
			{Name: "b/m-000000000002-00001.zst", Size: 10, Records: -1},
			{Name: "both/m-000000000002-00001.zst", Size: 10, Records: 7}}},
		&txlog.Abort{Tx: 3, Stage: "two", Why: txlog.WhyStopped},
		&txlog.Abort{Tx: 4, Stage: "two", Why: txlog.WhyLater},
		&txlog.Abort{Tx: 5, Stage: "two", Why: "exit 1", Rest: rest, Row: 5},
	} {
		w.Must(c.state.Apply(r))
	}
	c.rebuild()
	var b bytes.Buffer
	c.summary(&b, crawl.ExitStopped)
	said := strings.Join(strings.Fields(b.String()), " ")
	testkit.Says(t, said,
		"5 transactions since the crawl began",
		"one 1 0 - 0s - 1 batch → b two 0 1 - 0s -",
		"former (no more in the script) 1 0 5 0s - 5 ended",
		"7 → both, by one and two together",
		"both 7 records 1 batch 10 B "+c.Dir.Path("both"),
		"More: bin/manager status crawl.toml; and log, ls, why To continue: bin/manager run crawl.toml")
	testkit.Says(t, c.status(), "running: -", "both: 7 (10 B)", "waiting: two 1 batch",
		"resting: two until "+figure.Clock(rest, time.Now()))
}

// What was exported is told as it was committed, and that it need not lie there any more.
func TestSummaryOfExports(t *testing.T) {
	c := newWorld(t, `
seeds = { a = "seed" }
[stage.one]
in  = "a"
out = ["b", "kept"]
run = "cp {in} {b} {kept}"
[queue.b]
export = true
`).open()
	err := c.state.Apply(&txlog.Commit{Tx: 1, Stage: "one", Read: -1, Outputs: []txlog.Output{
		{Name: "b/m-000000000001-00001.zst", Size: 10, Records: 7, Export: true},
		{Name: "kept/m-000000000001-00001.zst", Size: 10, Records: 6}}})
	if err != nil {
		t.Fatal(err)
	}
	c.rebuild()
	var b bytes.Buffer
	c.summary(&b, crawl.ExitDone)
	said := strings.Join(strings.Fields(b.String()), " ")
	testkit.Says(t, said, "What it leaves: b 7 records 1 batch 10 B "+c.Dir.Path("b")+", from which others take it "+
		"kept 6 records 1 batch 10 B "+c.Dir.Path("kept")+" More")
}

// However a run ends, no line of progress is left on the terminal for an error to be
// printed behind.
func TestNoProgressIsLeft(t *testing.T) {
	w := newWorld(t, `
seeds = { a = "seed" }
[stage.one]
in    = "a"
out   = ["b", "c"]
shell = "cp {in} {b}; cp {in} {c}; sleep 0.15"
[stage.two]
in    = "b"
out   = "d"
shell = "rmdir crawl/d; sleep 0.15; cp {in} {d}"
[stage.three]
in    = "c"
min   = "1GB"
shell = ": {in}"
`)
	out := progress.New(&w.Said, func() int { return 80 })
	code, err := Run(Config{Script: w.Script, Disk: txlog.OS{}, Out: out, Call: call})
	if code != crawl.ExitBroken {
		t.Fatalf("code %d, %v", code, err)
	}
	said := w.Said.String()
	if !strings.Contains(said, "running: one") || !strings.HasSuffix(said, "\r\x1b[K") {
		t.Errorf("it ends with %q", said[max(0, len(said)-100):])
	}
}

// The line of progress tells how much waits in records, how fast a stage reads, and how long that
// takes.
func TestStatusTellsHowFar(t *testing.T) {
	c := newWorld(t, copyStage).open()
	out := func(n int, records int64) txlog.Output {
		return txlog.Output{Name: txlog.Name("a/" + txlog.FileName("m", 1, n, "zst")), Size: 1, Records: records}
	}
	commit := &txlog.Commit{Tx: 1, Outputs: []txlog.Output{out(1, 700), out(2, 500), out(3, -1)}}
	if err := c.state.Apply(commit); err != nil {
		t.Fatal(err)
	}
	c.rebuild()
	c.pace = pace.New(time.Now().Add(-100 * time.Second))
	c.pace.Add("one", time.Now(), 2000)
	testkit.Says(t, strings.Replace(c.status(), "1m00s", "59s", 1),
		"left: 59s at least, for one  running: -  waiting: one 1200 records and 1 batch")
	k := c.table.Next(c.environment())
	c.runs[9] = &run{take: k}
	testkit.Says(t, c.status(), "running: one 20/s", "waiting: one 500 records and 1 batch")
}

// The line of progress tells how near the nearest limit of [stop] is, and when it will be reached
// at the pace of this run: what was there before does not count for that.
func TestStatusTellsTheNearestLimit(t *testing.T) {
	c := newWorld(t, copyStage+"[stop]\ntime = \"1h\"\nrecords = { b = 1000, a = 9000 }\nbytes = { b = \"1kB\" }\n").open()
	commit := func(tx uint64, records int64) {
		t.Helper()
		if err := c.state.Apply(&txlog.Commit{Tx: tx, Outputs: []txlog.Output{
			{Name: txlog.Name("b/" + txlog.FileName("m", tx, 1, "zst")), Size: 100, Records: records}}}); err != nil {
			t.Fatal(err)
		}
	}
	commit(1, 400)
	c.before["b"] = c.state.Queue("b")
	c.started = time.Now().Add(-6 * time.Minute)
	testkit.Says(t, c.status(), "limit: 40 % of 1000 records in b  running")
	commit(2, 200)
	testkit.Says(t, strings.Replace(c.status(), "11m59s", "12m00s", 1), "limit: 60 % of 1000 records in b, 12m00s left  running")
	c.started = time.Now().Add(-45 * time.Minute)
	testkit.Says(t, c.status(), "limit: 75 % of 1h00m, 14m59s left")
}

// The stage that needs the longest time is the one that is told.
func TestStatusTellsTheSlowest(t *testing.T) {
	c := newWorld(t, twoWriters).open()
	err := c.state.Apply(&txlog.Commit{Tx: 1, Outputs: []txlog.Output{
		{Name: "a/m-000000000001-00001.zst", Size: 1, Records: 1200}, {Name: "b/m-000000000001-00002.zst", Size: 1, Records: 10}}})
	if err != nil {
		t.Fatal(err)
	}
	c.rebuild()
	c.pace = pace.New(time.Now().Add(-100 * time.Second))
	c.pace.Add("one", time.Now(), 2000)
	c.pace.Add("two", time.Now(), 2000)
	testkit.Says(t, c.status(), " at least, for one  running: -  waiting: one 1200 records, two 10 records")
}

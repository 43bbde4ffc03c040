package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/testkit"
	"multitext/txlog"
)

// Outputs that cannot be made durable, or work/ that they lie in, are nobody's fault: the
// run is rolled back, charged to none, and tried again with other files. What was committed
// is only to be read from then on.
func TestOutputsThatCannotBeSynced(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	for part, seeds := range map[string]int{"/b/m-": 0, "/work\n": 1} {
		w := newWorld(t, copyStage)
		disk := &testkit.BadDisk{Part: part, After: seeds, Times: 1, Err: syscall.EIO}
		if code, err := w.run(disk, nil); code != crawl.ExitDone || err != nil {
			t.Fatalf("code %d, %v\n%s", code, err, w.Said.String())
		}
		w.SaidAll("its files could not be made durable: sync", "input/output error; it is retried in")
		if disk.Times != 0 {
			t.Error("the fault never fired")
		}
		files, err := filepath.Glob(w.Path("b/*"))
		if w.Must(err); len(files) != 1 || !strings.HasSuffix(files[0], "m-000000000003-00001.zst") {
			t.Fatalf("the product is %v, want that of the third transaction", files)
		}
		info, err := os.Stat(files[0])
		if w.Must(err); info.Mode() != 0o444 {
			t.Errorf("the product has mode %s", info.Mode())
		}
	}
}

// The directory of a run that failed is there when its line is written: until then it
// alone keeps the number from being used again.
func TestAbortedRunKeepsItsNumber(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"false {in} {b}\"\n")
	aborts := 0
	code, err := w.run(&onAppend{before: func(lines string) error {
		if !strings.Contains(lines, " abort\t") {
			return nil
		}
		aborts++
		works, err := os.ReadDir(w.Path("work"))
		if err != nil || len(works) != 1 || works[0].Name() != "000000000002" {
			t.Errorf("work/ holds %v, %v", works, err)
		}
		return nil
	}}, nil)
	if code != crawl.ExitFailed || err != nil || aborts != 1 {
		t.Errorf("code %d, %v after %d aborts\n%s", code, err, aborts, w.Said.String())
	}
}

// onAppend calls before with lines that are about to be written to the log. On an error they are not.
type onAppend struct {
	txlog.OS
	before func(lines string) error
}

func (d *onAppend) Append(path string) (txlog.File, error) {
	f, err := d.OS.Append(path)
	return appended{f, d.before}, err
}

type appended struct {
	txlog.File
	before func(lines string) error
}

func (f appended) Write(p []byte) (int, error) {
	if err := f.before(string(p)); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

// A stage without inputs that says "try later" is not charged, however often: the
// crawl waits for it and does not count it as failed.
func TestClockStageSaysLater(t *testing.T) {
	w := newWorld(t, `
[queue.b]
ext = "txt"
[stage.tick]
out   = "b"
every = "10ms"
retry = 1
wait  = "10ms"
shell = "echo x >> $PWD/tries; test $(wc -l < $PWD/tries) -gt 4 || exit 75"
`)
	w.done()
	w.SaidAll("says: try later")
}

// A stage without inputs that says so even after the longest rest does not keep the crawl from its
// end: a crawler whose peers are gone would never end. What it said before a run that went well
// does not count, and once is not in a row, though its first rest is the longest. A crawl that
// never ends waits for ever.
func TestClockStageSaysLaterForHours(t *testing.T) {
	for script, tc := range map[string]struct {
		well []bool
		lost int // after as many runs
	}{
		"wait = \"30m\"\n":                      {[]bool{false, false, false}, 3}, // 30 minutes, an hour, another
		"wait = \"1h\"\n":                       {[]bool{false, true, false, false}, 4},
		"wait = \"1h\"\n[stop]\nnever = true\n": {[]bool{false, false, false}, 0},
	} {
		w := newWorld(t, "[stage.tick]\nevery = \"1ms\"\nshell = \"test -e up || exit 75\"\n"+script)
		c := w.open()
		up := filepath.Join(w.Script.Folder, "up")
		for n, well := range tc.well {
			if os.Remove(up); well {
				w.Must(os.WriteFile(up, nil, 0o666))
			}
			w.tick(c)
			lost := n+1 == tc.lost
			said := strings.Contains(w.Said.String(),
				" times in a row; when nothing else is left to do the crawl ends without it")
			done, failed := c.table.Done()
			if failed != lost || said != lost || lost && !done || !lost && done && tc.lost == 3 {
				t.Errorf("%q, run %d: done %v, failed %v, said %v; want %v", script, n+1, done, failed, said, lost)
			}
		}
		c.rebuild()
		if done, failed := c.table.Done(); failed || done && tc.lost == 3 {
			t.Errorf("%q: after a request it is not waited for", script)
		}
	}
}

// endRest ends the rest of a stage, whose failures in a row stay.
func (w *world) endRest(c *runner, stage string) {
	w.T.Helper()
	row := c.state.Stage(stage).Row
	w.Must(c.state.Apply(&txlog.Abort{Tx: c.state.Next(), Stage: stage, Why: txlog.WhyStopped, Row: row}))
}

// tick runs the stage tick, whose rest has passed.
func (w *world) tick(c *runner) {
	w.T.Helper()
	time.Sleep(2 * time.Millisecond)
	w.endRest(c, "tick")
	k := c.table.Next(c.environment())
	if k == nil {
		w.T.Fatal("it does not start")
	}
	w.Must(c.start(k))
	w.Must((<-c.events).handle(c))
}

// Waits double up to an hour.
func TestDoubling(t *testing.T) {
	var got []time.Duration
	for _, n := range []int{0, 1, 2, 5, 9, 10, 1000} {
		got = append(got, doubling(10*time.Second, n))
	}
	want := []time.Duration{10 * time.Second, 10 * time.Second, 20 * time.Second, 160 * time.Second,
		2560 * time.Second, time.Hour, time.Hour}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// bring commits n batches of queue a, and returns their names.
func (w *world) bring(c *runner, n int) (names []txlog.Name) {
	w.T.Helper()
	for range n {
		tx := c.state.Next()
		name := txlog.Name("a/" + txlog.FileName("m", tx, 1, ""))
		w.Must(c.state.Apply(&txlog.Commit{Tx: tx, Outputs: []txlog.Output{{Name: name, Size: 1}}}))
		names = append(names, name)
	}
	c.rebuild()
	return names
}

// fail has the next run of stage one fail on so many batches, and charges it.
func (w *world) fail(c *runner, batches int, end time.Time) *txlog.Abort {
	w.T.Helper()
	k := c.table.Next(c.environment())
	if k == nil || len(k.Batches()) != batches {
		w.T.Fatalf("taken %+v, want %d batches", k, batches)
	}
	rec := &txlog.Abort{Tx: c.state.Next(), Stage: "one", Row: c.state.Stage("one").Row}
	c.charge(rec, &run{take: k, record: txlog.Run{End: end}})
	w.Must(c.state.Apply(rec))
	c.table.Aborted(k, time.Now())
	return rec
}

// A failure is charged to the one who can be blamed; see the package's rules.
func TestCharge(t *testing.T) {
	w := newWorld(t, strings.Replace(copyStage, "retry = 0", "retry = 1\ntake = 2", 1))
	c := w.open()
	end := time.Date(2020, 11, 21, 12, 0, 0, 0, time.UTC)
	names := w.bring(c, 2)
	both := w.fail(c, 2, end)
	for _, m := range both.Marks {
		if !m.Alone || m.Fails != 0 || m.Aside {
			t.Errorf("of two: %+v, want to be run alone and nothing charged", m)
		}
	}
	first := w.fail(c, 1, end)
	if m := first.Marks[0]; m.Fails != 1 || m.Aside || !m.Until.Equal(end.Add(10*time.Millisecond)) {
		t.Errorf("the first: %+v", m)
	}
	again := w.fail(c, 1, end)
	if again.Marks[0].Name != first.Marks[0].Name || !again.Marks[0].Aside || again.Row != first.Row {
		t.Errorf("the same again: %+v, want it set aside and not counted as another", again)
	}
	if other := w.fail(c, 1, end); other.Marks[0].Name != names[1] || other.Row != first.Row+1 {
		t.Errorf("the other: %+v", other)
	}
}

// Five failures in a row on different batches rest the stage, not the batches.
func TestBreaker(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	w.bring(c, breakAfter)
	end := time.Now()
	for n := 1; n <= breakAfter; n++ {
		rec := w.fail(c, 1, end)
		if want := n == breakAfter; rec.Rest.Equal(end.Add(breakFor)) != want || rec.Row != n {
			t.Errorf("failure %d: row %d, rest %v", n, rec.Row, rec.Rest)
		}
	}
}

// A program that refuses its command rests at once, and its inputs are charged with nothing: they
// wait for the next start when the crawl ends without it. Bash says 2 for the commands in it, and
// is charged.
func TestWrongCommand(t *testing.T) {
	w := newWorld(t, strings.Replace(oneStage, "retry = 0", "retry = 1", 1)+
		"run = \"grep --no-such-option {in} {b}\"\n")
	c := w.open()
	w.Must(c.Begin(c.out.Line))
	c.rebuild()
	stage := c.Script.Stages[0]
	for n := 1; n <= 2; n++ {
		w.endRest(c, stage.Name)
		k := c.table.Next(c.environment())
		if k == nil {
			t.Fatal("it does not start")
		}
		w.Must(c.start(k))
		w.Must((<-c.events).handle(c))
		if rest := time.Until(c.state.Stage(stage.Name).Rest); rest < breakFor-time.Minute {
			t.Errorf("after %d refusals the stage rests for %v", n, rest)
		}
		for _, b := range c.state.Batches() {
			if !b.Mark(stage.Name).Zero() {
				t.Errorf("%s is charged: %+v", b.Name, b.Mark(stage.Name))
			}
		}
		if done, failed := c.table.Done(); done != (n == 2) || failed != done {
			t.Errorf("after %d refusals: done %v, failed %v", n, done, failed)
		}
	}
	w.SaidAll("exit 2: its command is wrong, or a file that it names is wrong; this counts against no input; "+
		"the stage rests until",
		"has refused its command 2 times in a row; when nothing else is left to do the crawl ends without it")
}

// A Go program that crashes ends with 2 as well: that is a failure of its inputs like any other.
func TestCrashIsNoWrongCommand(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"sh crash {in} {b}\"\n")
	const crash = `printf 'main.deep(0x1)\n\t/src/main.go:11 +0x1a fp=0xc0 sp=0xc0\n' >&2; exit 2`
	w.Must(os.WriteFile(filepath.Join(w.Script.Folder, "crash"), []byte(crash), 0o666))
	if code, err := w.run(txlog.OS{}, nil); code != crawl.ExitFailed || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
	w.SaidAll("exit 2; a/m-000000000001-00001 is set aside after 1 try")
}

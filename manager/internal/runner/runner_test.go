package runner

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/progress"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/testkit"
	"multitext/txlog"
)

const oneStage, copyStage = testkit.OneStage, testkit.CopyStage

// A world is a script in a folder of its own.
type world struct{ *testkit.World }

func newWorld(t testing.TB, flow string) *world {
	t.Helper()
	return &world{testkit.New(t, flow)}
}

// open makes a crawl that nothing drives.
func (w *world) open() *runner {
	w.T.Helper()
	return w.openOn(txlog.OS{})
}

func (w *world) openOn(disk txlog.Disk) *runner {
	w.T.Helper()
	store, err := crawl.Open(w.Script, disk, crawl.Opening{Say: func(string) {}})
	w.Must(err)
	w.T.Cleanup(func() { store.Close() })
	runtime.LockOSThread() // processes die with the thread that started them
	w.T.Cleanup(runtime.UnlockOSThread)
	c := newRunner(store, Config{Script: w.Script, Disk: disk, Out: progress.New(&w.Said, nil), Call: call})
	c.rebuild()
	return c
}

// run runs the crawl to its end, on a disk and with signals.
func (w *world) run(disk txlog.Disk, signals chan os.Signal) (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	watch := time.AfterFunc(time.Minute, func() {
		debug.SetTraceback("all")
		panic("the crawl has not ended after a minute")
	})
	defer watch.Stop()
	return Run(Config{Script: w.Script, Disk: disk, Out: progress.New(&w.Said, nil), Signals: signals, Call: call})
}

// done runs the crawl to its end, at which nothing is left to do.
func (w *world) done() {
	w.T.Helper()
	if code, err := w.run(txlog.OS{}, nil); code != crawl.ExitDone || err != nil {
		w.T.Fatalf("code %d, %v\n%s", code, err, w.Said.String())
	}
}

func call(verb string) string { return "bin/manager " + verb + " crawl.toml" }

// A batch that becomes due while the loop looks at the clock twice is no reason
// to call the crawl stuck.
func TestDueBetweenTwoLooks(t *testing.T) {
	c := newWorld(t, copyStage).open()
	due := time.Now().Add(-time.Millisecond)
	name := txlog.Name("a/m-000000000001-00001.txt")
	err := c.state.Apply(&txlog.Commit{Tx: 1, Outputs: []txlog.Output{{Name: name, Size: 1, Due: due}}})
	if err != nil {
		t.Fatal(err)
	}
	env := sched.Environment{Now: due.Add(-time.Microsecond), Free: 1 << 40}
	c.table = sched.New(c.Script, c.state, nil, env.Now)
	if k := c.table.Next(env); k != nil {
		t.Fatal("it starts before it is due; nothing is tested")
	}
	if over, err := c.over(env); over || err != nil {
		t.Errorf("over: %v, %v", over, err)
	}
	if pause := c.pause(env); pause > 10*time.Millisecond {
		t.Errorf("it sleeps for %s", pause)
	}
}

// A stage that takes longer than the period of its clock is always due again, and
// does not keep a crawl that is done from its end. A run that begins when one is
// due starts it.
func TestClockStageThatIsAlwaysDue(t *testing.T) {
	w := newWorld(t, `
[stage.tick]
every = "1ms"
shell = "sleep 0.02; echo x >> ticks"
[stage.tock]
every = "24h"
shell = "echo x >> tocks"
[stop]
time = "30s"
`)
	for run := range 2 {
		if w.done(); strings.Contains(w.Said.String(), "as [stop] says") {
			t.Fatal(w.Said.String())
		}
		ticks, err := os.ReadFile(filepath.Join(w.Script.Folder, "ticks"))
		w.Must(err)
		if n := strings.Count(string(ticks), "x"); n <= run {
			t.Errorf("after run %d it has ticked %d times", run, n)
		}
	}
	tocks, err := os.ReadFile(filepath.Join(w.Script.Folder, "tocks"))
	w.Must(err)
	if string(tocks) != "x\n" {
		t.Errorf("the other clock struck %q", tocks)
	}
}

// A replaced segment stays for as long as a run is under way that was handed it.
func TestReplacedSegmentStaysWhileInUse(t *testing.T) {
	c := newWorld(t, oneStage+"state = \"seen\"\nrun = \"true {in} {b} {seen} {seen.new}\"\n").open()
	old := txlog.Name("state/seen/m-000000000001-00001.seg")
	if err := os.WriteFile(c.Dir.Path(string(old)), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	reader, writer := &run{segments: []txlog.Name{old}}, &run{segments: []txlog.Name{old}}
	c.runs = map[uint64]*run{1: writer, 2: reader}
	for _, rec := range []*txlog.Commit{
		{State: "seen", Segments: []txlog.Output{{Name: old, Size: 1}}},
		{State: "seen", Replaced: []txlog.Name{old}},
	} {
		if err := c.state.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
	c.replaced = append(c.replaced, old)
	there := func() bool { _, err := os.Stat(c.Dir.Path(string(old))); return err == nil }
	for _, step := range []struct {
		ended uint64
		there bool
	}{{1, true}, {2, false}} {
		delete(c.runs, step.ended)
		if err := c.removeReplaced(); err != nil {
			t.Fatal(err)
		}
		if there() != step.there {
			t.Errorf("there: %v, want %v", there(), step.there)
		}
	}
	if slices.Contains(slices.Collect(c.state.ToRemove()), old) || len(c.replaced) != 0 {
		t.Errorf("to remove %v, replaced %v", slices.Collect(c.state.ToRemove()), c.replaced)
	}
}

// BenchmarkEnd is the end of a run with few and with many removals that no
// checkpoint has forgotten yet: it costs the same.
func BenchmarkEnd(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		b.Run(fmt.Sprintf("removed=%d", n), func(b *testing.B) {
			c := newWorld(b, copyStage).open()
			come, gone := &txlog.Commit{}, &txlog.Commit{}
			for tx := range n {
				o := txlog.Output{Name: txlog.Name("a/" + txlog.FileName("m", uint64(tx), 1, ""))}
				come.Outputs, gone.Gone = append(come.Outputs, o), append(gone.Gone, o.Name)
			}
			if err := errors.Join(c.state.Apply(come), c.state.Apply(gone)); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := c.removeReplaced(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A sealed log that cannot be removed is left lying, and the crawl goes on.
func TestHistoryThatStays(t *testing.T) {
	w := newWorld(t, copyStage+"[limit]\nhistory = \"1KiB\"\n")
	for range 2 { // the second start seals what the first run has told
		w.done()
		w.Must(os.MkdirAll(w.Path("history/log-000000.zst/kept"), 0o700)) // as good as an immutable one
	}
	w.SaidAll("it cannot be removed; remove it by hand: remove a sealed log: remove ")
}

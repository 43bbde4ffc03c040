package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/progress"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A world is a script in a folder of its own.
type world struct {
	t      testing.TB
	script *script.Script
	said   bytes.Buffer
}

// newWorld reads a script; the seed file "seed" is there.
func newWorld(t testing.TB, flow string) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t}
	w.must(os.WriteFile(filepath.Join(dir, "seed"), []byte("1\n"), 0o666))
	var err error
	w.script, err = script.Parse(filepath.Join(dir, "crawl.toml"), []byte("flow = 1\ndir = \"crawl\"\n"+flow), func(program string) (string, []string) {
		path, _ := exec.LookPath(program)
		return path, nil
	})
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v; it said\n%s", err, w.said.String())
	}
}

// open makes a crawl that nothing drives.
func (w *world) open() *Crawl {
	w.t.Helper()
	store, err := Open(w.script, txlog.OS{}, func(*txlog.State) error { return nil }, func(string) {})
	w.must(err)
	w.t.Cleanup(func() { store.Close() })
	c := newCrawl(store, Config{Script: w.script, Disk: txlog.OS{}, Out: progress.New(&w.said, nil)})
	c.rebuild()
	return c
}

// run runs the crawl to its end, on a disk and with signals.
func (w *world) run(disk txlog.Disk, signals chan os.Signal) (int, error) {
	runtime.LockOSThread() // processes die with the thread that started them
	defer runtime.UnlockOSThread()
	return Run(Config{Script: w.script, Disk: disk, Out: progress.New(&w.said, nil), Signals: signals})
}

func (w *world) path(name string) string { return filepath.Join(w.script.Dir, name) }

func (w *world) saidAll(parts ...string) {
	w.t.Helper()
	for _, part := range parts {
		if !strings.Contains(w.said.String(), part) {
			w.t.Errorf("it did not say %q but\n%s", part, w.said.String())
		}
	}
}

const oneStage = `
seeds = { a = "seed" }
[stage.one]
in    = "a"
out   = "b"
retry = 0
wait  = "10ms"
`

// A batch that becomes due while the loop looks at the clock twice is no reason
// to call the crawl stuck.
func TestDueBetweenTwoLooks(t *testing.T) {
	c := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n").open()
	due := time.Now().Add(-time.Millisecond)
	name := txlog.Name("a/m-000000000001-00001.txt")
	if err := c.state.Apply(&txlog.Commit{Tx: 1, Outputs: []txlog.Output{{Name: name, Size: 1, Due: due}}}); err != nil {
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

// badDisk fails the sync of files whose path holds a text, so many times.
type badDisk struct {
	txlog.OS
	part  string
	times int
	err   error
}

func (d *badDisk) Sync(path string) error {
	if strings.Contains(path, d.part) && d.times > 0 {
		d.times--
		return &os.PathError{Op: "sync", Path: path, Err: d.err}
	}
	return d.OS.Sync(path)
}

// Outputs that cannot be made durable are nobody's fault: the run is rolled back,
// charged to none, and tried again with other files.
func TestOutputsThatCannotBeSynced(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	disk := &badDisk{part: "/b/m-", times: 1, err: syscall.EIO}
	if code, err := w.run(disk, nil); code != ExitDone || err != nil {
		t.Fatalf("code %d, %v\n%s", code, err, w.said.String())
	}
	w.saidAll("its files could not be made durable: sync", "input/output error; it is tried again in")
	if disk.times != 0 {
		t.Error("the fault never fired")
	}
	files, err := filepath.Glob(w.path("b/*"))
	if w.must(err); len(files) != 1 || !strings.HasSuffix(files[0], "m-000000000003-00001.zst") {
		t.Errorf("the product is %v, want that of the third transaction", files)
	}
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
	if code, err := w.run(txlog.OS{}, nil); code != ExitDone || err != nil {
		t.Errorf("code %d, %v\n%s", code, err, w.said.String())
	}
	w.saidAll("failed: try later")
}

// A replaced segment stays for as long as a run is under way that was handed it.
func TestReplacedSegmentStaysWhileInUse(t *testing.T) {
	c := newWorld(t, oneStage+"state = \"seen\"\nrun = \"true {in} {b} {seen} {seen.new}\"\n").open()
	old := txlog.Name("state/seen/m-000000000001-00001.seg")
	if err := os.WriteFile(c.Dir.Path(string(old)), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	reader, writer := &run{segments: []txlog.Name{old}}, &run{segments: []txlog.Name{old}}
	c.inUse[old] = 2
	c.state.Remove[old] = false
	c.replaced = append(c.replaced, old)
	there := func() bool { _, err := os.Stat(c.Dir.Path(string(old))); return err == nil }
	for _, step := range []struct {
		run   *run
		there bool
	}{{writer, true}, {reader, false}} {
		if err := c.letGo(step.run); err != nil {
			t.Fatal(err)
		}
		if there() != step.there {
			t.Errorf("there: %v, want %v", there(), step.there)
		}
	}
	if !c.state.Remove[old] || len(c.replaced) != 0 || len(c.inUse) != 0 {
		t.Errorf("remove %v, replaced %v, in use %v", c.state.Remove, c.replaced, c.inUse)
	}
}

// BenchmarkEnd is the end of a run with few and with many removals that no
// checkpoint has forgotten yet: it costs the same.
func BenchmarkEnd(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		b.Run(fmt.Sprintf("removed=%d", n), func(b *testing.B) {
			c := newWorld(b, oneStage+"run = \"cp {in} {b}\"\n").open()
			for tx := range n {
				c.state.Remove[txlog.Name("a/"+txlog.FileName("m", uint64(tx), 1, ""))] = true
			}
			for b.Loop() {
				if err := c.letGo(&run{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Signals are heeded while a service gets ready.
func TestSignalWhileServiceStarts(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n[service.slow]\nrun = \"sleep 100\"\n")
	signals := make(chan os.Signal, 1)
	signals <- os.Interrupt
	begun := time.Now()
	if code, err := w.run(txlog.OS{}, signals); code != ExitStopped || err != nil || time.Since(begun) > 30*time.Second {
		t.Errorf("code %d, %v after %s\n%s", code, err, time.Since(begun), w.said.String())
	}
}

// A service whose first line is long is ready after it.
func TestLongFirstLine(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n[service.loud]\nshell = \"head -c 100000 /dev/zero | tr '\\\\\\\\0' x; echo; exec sleep 100\"\n")
	done := make(chan struct{})
	signals := make(chan os.Signal, 1)
	go func() {
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			signals <- os.Interrupt
		}
	}()
	if code, err := w.run(txlog.OS{}, signals); code != ExitDone || err != nil {
		t.Errorf("code %d, %v\n%s", code, err, w.said.String())
	}
	close(done)
}

// A request whose files cannot be brought in is refused by a note, leaves nothing,
// and the crawl goes on.
func TestRequestThatCannotBeCarriedOut(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	id, err := Leave(c.Dir, Request{Verb: "add", Name: "a", Files: []string{filepath.Join(w.script.Folder, "seed")}})
	w.must(err)
	w.must(os.Remove(w.path("inbox/" + id + "/00001")))
	broken := "0123"
	w.must(os.Mkdir(w.path("inbox/"+broken), 0o777))
	n, err := c.TakeInbox(func(string) {})
	w.must(err)
	if n != 2 {
		t.Errorf("%d requests were taken", n)
	}
	var notes []string
	_, err = txlog.History(w.script.Dir, txlog.Position{}, func(r txlog.Record) error {
		notes = append(notes, r.(*txlog.Commit).Notes...)
		return nil
	}, nil)
	w.must(err)
	if len(notes) != 2 || !strings.HasPrefix(notes[0], RefusedNote) || !strings.Contains(notes[0]+notes[1], "bring 00001 into a: open") {
		t.Errorf("notes %q", notes)
	}
	for _, dir := range []string{"work", "inbox", "a"} {
		if entries, err := os.ReadDir(w.path(dir)); err != nil || len(entries) > 0 {
			t.Errorf("%s holds %v (%v)", dir, entries, err)
		}
	}
}

// A request is whole or not there: one that cannot be written leaves nothing.
func TestLeaveLeavesNothingBehind(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	disk := &badDisk{part: "inbox/.", times: 1, err: syscall.ENOSPC}
	dir := &workdir.Dir{Root: c.Dir.Root, Disk: disk}
	if _, err := Leave(dir, Request{Verb: "add", Name: "a", Files: []string{filepath.Join(w.script.Folder, "seed")}}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v, want no space", err)
	}
	if entries, err := os.ReadDir(w.path("inbox")); err != nil || len(entries) > 0 {
		t.Errorf("inbox holds %v (%v)", entries, err)
	}
}

// What is forgotten goes at once: a state with its segments.
func TestForgottenStateGoes(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	seg := txlog.Output{Name: "state/old/m-000000000001-00001.seg", Size: 1}
	w.must(c.Log.Append(&txlog.Commit{Tx: 1, Read: -1, State: "old", Segments: []txlog.Output{seg}}))
	w.must(os.MkdirAll(w.path("state/old"), 0o777))
	w.must(os.WriteFile(w.path(string(seg.Name)), []byte("x"), 0o666))
	_, err := Leave(c.Dir, Request{Verb: "forget", Name: "old"})
	w.must(err)
	_, err = c.TakeInbox(func(string) {})
	w.must(err)
	if _, err := os.Stat(w.path(string(seg.Name))); err == nil {
		t.Error("its segment is still there")
	}
	if len(c.state.Segments["old"]) != 0 || !c.state.Remove[seg.Name] {
		t.Errorf("segments %v, remove %v", c.state.Segments, c.state.Remove)
	}
}

// Waits double up to an hour.
func TestDoubling(t *testing.T) {
	var got []time.Duration
	for _, n := range []int{0, 1, 2, 5, 9, 10, 1000} {
		got = append(got, doubling(10*time.Second, n))
	}
	want := []time.Duration{10 * time.Second, 10 * time.Second, 20 * time.Second, 160 * time.Second, 2560 * time.Second, time.Hour, time.Hour}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A batch that was brought in keeps what its name says of its content.
func TestExtension(t *testing.T) {
	for file, want := range map[string]string{
		"seeds": "", "a/seeds.txt": "txt", "x.warc.gz": "warc.gz", "x.": "", ".hidden": "hidden", "x.t-x_t": "txt",
		"x.a/../..": "", "v1.2.3.a-long-name.warc.gz": "longname.warc.gz", "x.\x1b[2J": "2J",
	} {
		got := Extension(file)
		if got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
		if _, _, ext, ok := txlog.ParseFileName(txlog.FileName("m", 1, 1, got)); !ok || ext != got {
			t.Errorf("%q: the log would not give the name with %q", file, got)
		}
	}
}

// A failure is charged to the one who can be blamed; see the package's rules.
func TestCharge(t *testing.T) {
	w := newWorld(t, strings.Replace(oneStage, "retry = 0", "retry = 1\ntake = 2", 1)+"run = \"cp {in} {b}\"\n")
	c := w.open()
	end := time.Date(2020, 11, 21, 12, 0, 0, 0, time.UTC)
	names := []txlog.Name{"a/m-000000000001-00001.txt", "a/m-000000000002-00001.txt"}
	for i, name := range names {
		w.must(c.state.Apply(&txlog.Commit{Tx: uint64(i + 1), Outputs: []txlog.Output{{Name: name, Size: 1}}}))
	}
	c.rebuild()
	fail := func(wantInputs int) *txlog.Abort {
		t.Helper()
		k := c.table.Next(c.environment())
		if k == nil || len(k.Batches()) != wantInputs {
			t.Fatalf("taken %+v, want %d batches", k, wantInputs)
		}
		rec := &txlog.Abort{Tx: c.state.Next, Stage: "one", Row: c.state.Stage("one").Row}
		c.charge(rec, &run{take: k, record: txlog.Run{End: end}})
		w.must(c.state.Apply(rec))
		c.table.Aborted(k, time.Now())
		return rec
	}
	both := fail(2)
	for _, m := range both.Marks {
		if !m.Alone || m.Fails != 0 || m.Aside {
			t.Errorf("of two: %+v, want to be run alone and nothing charged", m)
		}
	}
	first := fail(1)
	if m := first.Marks[0]; m.Fails != 1 || m.Aside || !m.Until.Equal(end.Add(10*time.Millisecond)) {
		t.Errorf("the first: %+v", m)
	}
	if again := fail(1); again.Marks[0].Name != first.Marks[0].Name || !again.Marks[0].Aside || again.Row != first.Row {
		t.Errorf("the same again: %+v, want it set aside and not counted as another", again)
	}
	if other := fail(1); other.Marks[0].Name != names[1] || other.Row != first.Row+1 {
		t.Errorf("the other: %+v", other)
	}
}

// Five failures in a row on different batches rest the stage, not the batches.
func TestBreaker(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	for tx := uint64(1); tx <= breakAfter; tx++ {
		w.must(c.state.Apply(&txlog.Commit{Tx: tx, Outputs: []txlog.Output{{Name: txlog.Name("a/" + txlog.FileName("m", tx, 1, "")), Size: 1}}}))
	}
	c.rebuild()
	end := time.Now()
	for n := 1; n <= breakAfter; n++ {
		k := c.table.Next(c.environment())
		rec := &txlog.Abort{Tx: c.state.Next, Stage: "one", Row: c.state.Stage("one").Row}
		c.charge(rec, &run{take: k, record: txlog.Run{End: end}})
		w.must(c.state.Apply(rec))
		c.table.Aborted(k, end)
		if want := n == breakAfter; rec.Rest.Equal(end.Add(breakFor)) != want || rec.Row != n {
			t.Errorf("failure %d: row %d, rest %v", n, rec.Row, rec.Rest)
		}
	}
}

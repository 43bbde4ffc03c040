package view

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

const flow = `
flow  = 1
dir   = "crawl"
seeds = { a = "nowhere" }
[queue.a]
full = 3
[queue.away]
export = true
[stage.one]
in  = "a"
out = ["b", "away"]
run = "no-such-program {in}"
[stage.two]
in  = "a"
run = "no-such-program {in}"
`

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A world is a crawl's directory that a test writes and the package reads.
type world struct {
	t    *testing.T
	path string // of the script
	root string
	log  *txlog.Log
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, path: filepath.Join(dir, "flow.toml"), root: filepath.Join(dir, "crawl")}
	w.write(w.path, flow)
	for _, name := range []string{"", "a", "b", "away", "work", "history"} {
		w.must(os.Mkdir(filepath.Join(w.root, name), 0o777))
	}
	var err error
	w.log, err = txlog.Begin(txlog.OS{}, w.root, txlog.NewState("e"), nil)
	w.must(err)
	t.Cleanup(func() { w.log.Close() })
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(path, text string) {
	w.t.Helper()
	w.must(os.WriteFile(path, []byte(text), 0o666))
}

// commit commits one batch to a queue and puts its file there.
func (w *world) commit(tx uint64, queue string, change func(*txlog.Output)) txlog.Name {
	w.t.Helper()
	o := txlog.Output{Name: txlog.Name(queue + "/" + txlog.FileName("m", tx, 1, "zst")), Size: 4,
		Hash: "00000000deadbeef", Records: 2}
	if change != nil {
		change(&o)
	}
	w.must(w.log.Append(&txlog.Commit{Tx: tx, Run: txlog.Run{Start: noon, End: noon}, Read: -1,
		Outputs: []txlog.Output{o}}))
	w.write(filepath.Join(w.root, string(o.Name)), "text")
	w.log.Done(o.Name)
	return o.Name
}

func (w *world) abort(tx uint64, mark txlog.Mark, why string) {
	w.t.Helper()
	w.must(w.log.Append(&txlog.Abort{Tx: tx, Stage: mark.Stage, Run: txlog.Run{Start: noon, End: noon}, Why: why,
		Marks: []txlog.Mark{mark}}))
}

func (w *world) open() *Crawl {
	w.t.Helper()
	s, err := script.Load(w.path, nil)
	w.must(err)
	c, err := Open(s, noon)
	w.must(err)
	return c
}

// The log decides which files in a queue are foreign, at every moment of a
// batch's life, and also when it moves on between two looks.
func TestForeign(t *testing.T) {
	w := newWorld(t)
	known := w.commit(1, "a", nil)
	w.commit(2, "away", func(o *txlog.Output) { o.Export = true })
	w.must(w.log.Checkpoint()) // the log forgets what was exported
	gone := w.commit(3, "b", nil)
	w.must(w.log.Append(&txlog.Commit{Tx: 4, Read: -1, Inputs: []txlog.Input{{Name: gone, Records: 2, Gone: true}}}))
	mine := []string{"a/far", "a/mine", "away/.far", "away/far/m-000000000099-00001.zst", "away/far/mine",
		"away/m-000000000099-00001.zst", "b/m-000000000001-00007.zst"}
	for _, dir := range []string{"a/far", "away/.far", "away/far", "away/none"} {
		w.must(os.Mkdir(filepath.Join(w.root, dir), 0o777))
	}
	w.write(filepath.Join(w.root, "away/far/any-000000000002-00003.warc.gz"), "fetched by nobody yet")
	for _, name := range mine {
		if name == "a/far" || name == "away/.far" {
			continue
		}
		w.write(filepath.Join(w.root, name), "mine")
	}
	closed := filepath.Join(w.root, "away/shut")
	w.must(os.Mkdir(closed, 0))
	defer os.Chmod(closed, 0o777)
	if os.Geteuid() != 0 { // whom nothing is closed to
		mine = append(mine, "away/shut")
		slices.Sort(mine)
	}
	got, err := w.open().Foreign()
	if w.must(err); !slices.Equal(slices.Sorted(slices.Values(got)), mine) {
		t.Errorf("foreign are %q, want %q; %s is known and %s about to be removed", got, mine, known, gone)
	}

	before := w.open()
	w.commit(5, "a", nil)
	if got, err := before.Foreign(); err != nil || len(got) != len(mine) {
		t.Errorf("a batch that was committed between two looks is foreign: %q, %v", got, err)
	}
}

// Why a batch was set aside is found in the history, however old.
func TestAsidesAreExplained(t *testing.T) {
	w := newWorld(t)
	name := w.commit(1, "a", nil)
	mark := txlog.Mark{Name: name, Stage: "one", Fails: 4, Aside: true}
	w.abort(2, mark, "exit 3")
	w.must(w.log.Checkpoint())
	w.must(w.log.Checkpoint())
	var f AsideRuns
	for range 2 {
		c := w.open()
		w.must(f.Explain(c))
		s, err := c.Status(&f)
		w.must(err)
		if len(s.Asides) != 1 || s.Asides[0].Why != "exit 3" || s.Asides[0].Tx != 2 || s.Asides[0].Failures != 4 {
			t.Fatalf("set aside are %+v", s.Asides)
		}
	}
	w.must(w.log.Append(&txlog.Commit{Tx: 3, Read: -1, Reset: []txlog.Mark{mark}}))
	w.abort(4, mark, "exit 5")
	c := w.open()
	w.must(f.Explain(c))
	s, err := c.Status(&f)
	if w.must(err); len(s.Asides) != 1 || s.Asides[0].Why != "exit 5" {
		t.Errorf("after a second time: %+v", s.Asides)
	}
	w.must(os.RemoveAll(filepath.Join(w.root, "history")))
	f = AsideRuns{}
	w.must(f.Explain(c))
	if s, err = c.Status(&f); err != nil || len(s.Asides) != 1 {
		t.Errorf("without a history: %+v, %v", s.Asides, err)
	}
}

// A queue's figures are those that the scheduler goes by.
func TestQueueCountsAsTheScheduler(t *testing.T) {
	w := newWorld(t)
	lock := &workdir.Dir{Root: w.root, Disk: txlog.OS{}}
	w.must(lock.Lock()) // this process is the manager
	defer lock.Unlock()
	w.commit(1, "a", nil)
	w.commit(2, "a", func(o *txlog.Output) { o.Due = noon.Add(time.Minute) })
	w.commit(3, "a", func(o *txlog.Output) { o.Due = noon.Add(-time.Minute) })
	for i, stage := range []string{"one", "two"} {
		tx := uint64(10 + 2*i)
		w.abort(tx+1, txlog.Mark{Name: w.commit(tx, "a", nil), Stage: stage, Fails: 4, Aside: true}, "exit 1")
	}
	taken := w.commit(5, "a", nil)
	for _, tx := range []uint64{5, 20} { // that of 5 has ended, and is not yet cleared away
		run, err := lock.Begin(tx, nil, "")
		w.must(err)
		w.must(run.WriteRun(workdir.RunFile{Stage: "one", Inputs: []txlog.Name{taken}, Start: noon}))
		w.must(run.AddPid(77))
	}

	c := w.open()
	s, err := c.Status(nil)
	w.must(err)
	q := s.Queues[slices.IndexFunc(s.Queues, func(q Queue) bool { return q.Name == "a" })]
	if q.Batches != 6 || q.Owed != 5 || q.Held != 1 || q.Aside != 2 || !q.Next.Equal(noon.Add(time.Minute)) {
		t.Errorf("got %+v", q)
	}
	one := s.Stages[0]
	if one.State != "running" || len(one.Running) != 1 || one.Running[0].Pid != 77 || one.Ready != 3 || one.Held != 1 ||
		one.Aside != 1 {
		t.Errorf("stage one: %+v", one)
	}
	if two := s.Stages[1]; two.State != "waiting" || two.Ready != 4 {
		t.Errorf("stage two: %+v", two)
	}
}

// The script of the last start decides; where it cannot, the file does, and it
// is said.
func TestStoredScript(t *testing.T) {
	w := newWorld(t)
	stored := filepath.Join(w.root, "history", "script.toml")
	for _, c := range []struct {
		text   string
		notice string
		stages int
	}{
		{flow, "", 2},
		{strings.Replace(flow, "stage.two", "stage.zwei", 1) + "[stage.three]\nin = \"b\"\nrun = \"x {in}\"\n",
			"was edited", 3},
		{"flow = 99\n", "has another version", 2},
	} {
		w.write(stored, c.text)
		got := w.open()
		if !strings.Contains(got.Notice, c.notice) || got.Notice != "" && c.notice == "" ||
			len(got.Script.Stages) != c.stages {
			t.Errorf("stored %.20q…: notice %q, %d stages; want %q, %d", c.text, got.Notice, len(got.Script.Stages),
				c.notice, c.stages)
		}
	}
	w.must(os.Remove(stored))
	if got := w.open(); got.Notice != "" || len(got.Script.Stages) != 2 {
		t.Errorf("without a stored script: %q", got.Notice)
	}
}

// Status tells how far a crawl is that a manager runs: what waits in records, the pace, and the
// time left.
func TestHowFar(t *testing.T) {
	w := newWorld(t)
	w.commit(1, "a", func(o *txlog.Output) { o.Records = 300 })
	w.commit(2, "a", func(o *txlog.Output) { o.Records, o.Due = 200, noon.Add(time.Minute) })
	w.commit(3, "a", func(o *txlog.Output) { o.Records = -1 })
	w.must(w.log.Append(&txlog.Commit{Tx: 4, Stage: "one", Run: txlog.Run{Start: noon.Add(-100 * time.Second),
		End: noon}, Read: 1000}))
	for _, holds := range []bool{false, true} {
		if holds {
			lock := &workdir.Dir{Root: w.root, Disk: txlog.OS{}}
			w.must(lock.Lock())
			defer lock.Unlock()
		}
		s, err := w.open().Status(nil)
		w.must(err)
		one, want := s.Stages[0], 50.0
		if !holds {
			want = 0
		}
		if one.Waiting != 500 || one.Unknown != 1 || one.Pace != want/5 || one.Left != want || s.Left != want {
			t.Errorf("a manager runs it: %v: %+v, left %v", holds, one, s.Left)
		}
	}
}

// TestAsideRunsInAnyOrder: the later of two runs is the reason, also under the later names of its
// stage, in whichever order the records come.
func TestAsideRunsInAnyOrder(t *testing.T) {
	abort := func(tx uint64, stage, why string) txlog.Record {
		return &txlog.Abort{Tx: tx, Stage: stage, Why: why, Marks: []txlog.Mark{{Name: "a/x", Stage: stage, Aside: true}}}
	}
	was := func(tx uint64, from, to string) txlog.Record {
		return &txlog.Commit{Tx: tx, Was: txlog.Renamed{From: from, To: to}}
	}
	records := []txlog.Record{abort(1, "one", "first"), abort(2, "one", "second"), was(3, "one", "two"),
		was(5, "two", "three"), abort(6, "one", "of another stage with the old name"), was(7, "x", "two"),
		abort(8, "y", "of y"), was(9, "y", "z"), was(10, "x", "y")}
	want := map[string]string{"one": "of another stage with the old name", "two": "", "three": "second", "none": "",
		"y": "", "z": "of y"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var f AsideRuns
		for _, i := range random.Perm(len(records)) {
			f.Add(records[i])
		}
		for stage, why := range want {
			if got := f.last("a/x", stage).why; got != why {
				t.Fatalf("%s: the reason is %q, want %q", stage, got, why)
			}
		}
	}
}

package report

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"multitext/manager/internal/follow"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/window/crawls"
	"multitext/script"
	"multitext/txlog"
)

// A world is a crawl that runs by the scheduler, at a clock of its own and without processes.
type world struct {
	testing.TB
	script *script.Script
	log    *txlog.Log
	table  *sched.Table
	now    time.Time
	takes  map[string]time.Duration // how long a run of a stage takes
	under  []under
	change func(*txlog.Commit) // of each run
	each   int                 // how many runs end between two checkpoints; 0: there are none
}

// A disk does not sync, because no test of this package cuts the power.
type disk struct{ txlog.OS }

func (disk) Sync(string) error { return nil }

func (d disk) Append(path string) (txlog.File, error) { return unsynced(d.OS.Append(path)) }

func (d disk) Create(path string) (txlog.File, error) { return unsynced(d.OS.Create(path)) }

type file struct{ txlog.File }

func (file) Sync() error { return nil }

func unsynced(f txlog.File, err error) (txlog.File, error) { return file{f}, err }

// An under is a run in progress.
type under struct {
	tx         uint64
	take       *sched.Take
	start, end time.Time
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// flow is a crawl in a circle. The verb is that of its limit.
const flow = `
flow  = 1
dir   = "crawl"
seeds = { links = "nowhere" }
[limit]
jobs = %d
[stage.restrict]
in  = "links"
out = "fresh"
run = "no-such-program {in}"
[stage.fetch]
in  = "fresh"
out = "pages"
run = "no-such-program {in}"
[stage.extract]
in  = "pages"
out = "links"
run = "no-such-program {in}"
`

func newWorld(t testing.TB, text string, takes map[string]time.Duration) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{TB: t, now: noon, takes: takes}
	for _, name := range []string{"", "links", "fresh", "pages", "work", "history"} {
		w.must(os.MkdirAll(filepath.Join(dir, "crawl", name), 0o777))
	}
	w.must(os.WriteFile(filepath.Join(dir, "flow.toml"), []byte(text), 0o666))
	var err error
	w.script, err = script.Parse(filepath.Join(dir, "flow.toml"), []byte(text), nil)
	w.must(err)
	w.log, err = txlog.Begin(disk{}, w.script.Dir, txlog.NewState("e"), nil)
	w.must(err)
	t.Cleanup(func() { w.log.Close() })
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// output is a new batch of a transaction.
func output(tx uint64, queue string) txlog.Output {
	return txlog.Output{Name: txlog.Name(queue + "/" + txlog.FileName("m", tx, 1, "zst")), Size: 1000,
		Hash: fmt.Sprintf("%016x", tx), Records: 100}
}

// seed adds batches to a queue.
func (w *world) seed(queue string, n int, due time.Time) {
	for range n {
		tx := w.log.Number()
		o := output(tx, queue)
		o.Due = due
		w.must(w.log.Append(&txlog.Commit{Tx: tx, Run: txlog.Run{Start: w.now, End: w.now}, Read: -1,
			Outputs: []txlog.Output{o}}))
	}
	w.table = sched.New(w.script, w.log.State, nil, w.now)
}

// run lets so many runs end.
func (w *world) run(n int) {
	for range n {
		for take := w.next(); take != nil; take = w.next() {
			w.under = append(w.under, under{w.log.Number(), take, w.now, w.now.Add(w.takes[take.Stage.Name])})
		}
		if len(w.under) == 0 {
			w.Fatal("nothing runs")
		}
		first := 0
		for i := range w.under {
			if w.under[i].end.Before(w.under[first].end) {
				first = i
			}
		}
		u := w.under[first]
		w.under = slices.Delete(w.under, first, first+1)
		w.now = u.end
		w.end(u)
	}
}

func (w *world) next() *sched.Take {
	return w.table.Next(sched.Environment{Now: w.now, Free: math.MaxInt64})
}

// end commits a run, which writes a batch to each of its outputs.
func (w *world) end(u under) {
	c := &txlog.Commit{Tx: u.tx, Stage: u.take.Stage.Name, Read: 100, Run: txlog.Run{Command: []string{"x"},
		Start: u.start, End: u.end, CPU: u.end.Sub(u.start) / 4, Memory: 10e6 + int64(u.tx), Exit: "0"}}
	for _, b := range u.take.Batches() {
		c.Inputs = append(c.Inputs, txlog.Input{Name: b.Name, Records: 100, Gone: true})
	}
	for _, queue := range u.take.Stage.Out {
		c.Outputs = append(c.Outputs, output(u.tx, queue))
	}
	if w.change != nil {
		w.change(c)
	}
	w.must(w.log.Append(c))
	w.table.Committed(u.take)
	for _, o := range c.Outputs {
		w.table.Add(w.log.State.Batch(o.Name), w.now)
	}
	for _, in := range c.Inputs {
		w.log.Done(in.Name)
	}
	if w.each > 0 && u.tx%uint64(w.each) == 0 {
		w.must(w.log.Checkpoint())
	}
}

// read reads what the report says, and its HTML.
func (w *world) read() (*crawl, string) {
	w.Helper()
	c := follow.New(w.script)
	defer c.Close()
	r, err := read(w.Context(), c)
	w.must(err)
	var b bytes.Buffer
	w.must(Write(w.Context(), &b, &crawls.Crawl{Name: hostile[0], Crawl: c}))
	return r, b.String()
}

// said is the sentence on the bottleneck.
func (w *world) said() string {
	r, _ := w.read()
	return cmp.Or(r.waits.bottleneck(w.script, r.series.computing), "nothing")
}

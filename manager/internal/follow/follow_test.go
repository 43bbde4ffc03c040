package follow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/script"
	"multitext/txlog"
)

const flow = `
flow  = 1
dir   = "crawl"
seeds = { a = "nowhere" }
[stage.one]
in  = "a"
out = "b"
run = "no-such-program {in}"
[stage.two]
in  = "b"
out = "a"
run = "no-such-program {in}"
`

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A world is a crawl's directory that a test writes.
type world struct {
	*testing.T
	script *script.Script
	log    *txlog.Log
	random *rand.Rand
	now    time.Time
	live   []txlog.Input
	all    []txlog.Record
	forget bool // all is not kept
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	w := &world{T: t, random: rand.New(rand.NewPCG(1, 2)), now: noon}
	for _, name := range []string{"", "a", "b", "work", "history"} {
		w.must(os.MkdirAll(filepath.Join(dir, "crawl", name), 0o777))
	}
	var err error
	w.script, err = script.Parse(filepath.Join(dir, "flow.toml"), []byte(flow), nil)
	w.must(err)
	return w
}

func (w *world) begin() {
	var err error
	w.log, err = txlog.Begin(txlog.OS{}, w.script.Dir, txlog.NewState("e"), nil)
	w.must(err)
	w.Cleanup(func() { w.log.Close() })
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// run appends a run of a stage that reads up to three live batches and writes up to three.
func (w *world) run() {
	tx := w.log.Number()
	run := txlog.Run{Command: []string{"x"}, Start: w.now, CPU: time.Millisecond * time.Duration(w.random.IntN(900)),
		Memory: w.random.Int64N(1e8), Exit: "0"}
	w.now = w.now.Add(time.Duration(w.random.IntN(5000)) * time.Millisecond)
	run.End = w.now
	stage, to := "one", "b"
	if w.random.IntN(2) == 0 {
		stage, to = "two", "a"
	}
	if w.random.IntN(8) == 0 {
		why := []string{"exit 1", txlog.WhyLater, txlog.WhyStopped}[w.random.IntN(3)]
		w.append(&txlog.Abort{Tx: tx, Stage: stage, Run: run, Why: why})
		return
	}
	c := &txlog.Commit{Tx: tx, Stage: stage, Run: run, Read: w.random.Int64N(100),
		Reasons: []txlog.Count{{Name: "dull", N: w.random.Int64N(9)}}, Counts: []txlog.Count{{Name: "met", N: 2}}}
	for range min(len(w.live), w.random.IntN(5)) {
		i := w.random.IntN(len(w.live))
		in := w.live[i]
		in.Gone = true
		c.Inputs = append(c.Inputs, in)
		w.live = append(w.live[:i], w.live[i+1:]...)
	}
	for part := range w.random.IntN(4) {
		o := txlog.Output{Name: txlog.Name(to + "/" + txlog.FileName("m", tx, part, "")), Size: w.random.Int64N(1e6),
			Hash: fmt.Sprintf("%016x", tx), Records: w.random.Int64N(1000)}
		c.Outputs = append(c.Outputs, o)
		w.live = append(w.live, txlog.Input{Name: o.Name, Records: o.Records})
	}
	w.append(c)
	for _, in := range c.Inputs {
		w.log.Done(in.Name)
	}
}

func (w *world) append(r txlog.Record) {
	w.Helper()
	w.must(w.log.Append(r))
	if !w.forget {
		w.all = append(w.all, r)
	}
}

// complete waits until the history of c is summed.
func complete(t *testing.T, c *Crawl) {
	t.Helper()
	for range 1000 {
		share := 0.0
		if err := c.With(func(_ *view.Crawl, p *past.Past) error { share = p.Share(); return nil }); err != nil {
			t.Fatal(err)
		}
		if share == 1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the history was not summed")
}

// TestSums: whenever the crawl is looked at, the sums are those of a plain count over all records.
// At look 0 there is no log yet; later looks come after none, one or several new generations.
func TestSums(t *testing.T) {
	w := newWorld(t)
	c := New(w.script)
	defer c.Close()
	must := func(err error) { w.Helper(); w.must(err) }
	must(c.With(func(v *view.Crawl, p *past.Past) error {
		if begin, _ := p.Bounds(); v.Begun || !begin.IsZero() {
			t.Error("a crawl that was never started has begun")
		}
		return nil
	}))
	w.begin()
	for look := range 12 {
		for range []int{0, 1, 2, 3, 1}[look%5] {
			for range w.random.IntN(20) {
				w.run()
			}
			must(w.log.Checkpoint())
		}
		for range w.random.IntN(20) {
			w.run()
		}
		complete(t, c)
		must(c.With(func(v *view.Crawl, p *past.Past) error { compare(t, w, v, p); return nil }))
		late := New(w.script) // opened now, it says the same
		complete(t, late)
		must(late.With(func(v *view.Crawl, p *past.Past) error { compare(t, w, v, p); return nil }))
		late.Close()
		if t.Failed() {
			t.Fatalf("at look %d", look)
		}
	}
}

func compare(t *testing.T, w *world, v *view.Crawl, p *past.Past) {
	t.Helper()
	begin, end := p.Bounds()
	want := map[string]past.Sums{}
	for _, r := range w.all {
		tx := view.FromRecord(r)
		s := want[tx.Stage]
		if tx.Result == "commit" {
			s.Runs++
			s.Records += float64(*tx.Read)
		} else if tx.Why == "exit 1" {
			s.Failed++
		}
		for _, o := range tx.Outputs {
			s.Bytes += float64(o.Bytes)
		}
		s.CPU += tx.CPU
		s.Wall += tx.End.Sub(tx.Start).Seconds()
		s.Peak = max(s.Peak, tx.Memory)
		want[tx.Stage] = s
	}
	for _, pieces := range []int{1, 7} {
		for stage, sums := range want {
			got := past.Sums{}
			for _, b := range p.Stage(stage, begin, end.Add(time.Second), pieces) {
				got.Runs += b.Runs
				got.Failed += b.Failed
				got.Records += b.Records
				got.Bytes += b.Bytes
				got.CPU += b.CPU
				got.Wall += b.Wall
				got.Peak = max(got.Peak, b.Peak)
			}
			for name, two := range map[string][2]float64{"runs": {got.Runs, sums.Runs}, "failed": {got.Failed, sums.Failed},
				"records": {got.Records, sums.Records}, "bytes": {got.Bytes, sums.Bytes}, "CPU": {got.CPU, sums.CPU},
				"wall": {got.Wall, sums.Wall}, "peak": {float64(got.Peak), float64(sums.Peak)}} {
				if math.Abs(two[0]-two[1]) > 1e-6*max(1, two[1]) {
					t.Errorf("%s of stage %s in %d pieces: %v, want %v", name, stage, pieces, two[0], two[1])
				}
			}
		}
	}
	if n := p.Count(past.Filter{}); n != len(w.all) {
		t.Errorf("%d transactions, want %d", n, len(w.all))
	}
	listed(t, w, p)
	for _, queue := range []string{"a", "b"} {
		level(t, w, v, p, queue)
	}
}

// listed compares the list with all records, backwards.
func listed(t *testing.T, w *world, p *past.Past) {
	t.Helper()
	var before *txlog.Position
	n := len(w.all)
	for {
		list, next, err := p.List(past.Filter{}, before, 7)
		w.must(err)
		for _, tx := range list {
			if n--; n < 0 || tx.Tx != w.all[n].Number() {
				t.Fatalf("transaction %d is listed at place %d from the end", tx.Tx, len(w.all)-n)
			}
		}
		if before = next; next == nil {
			break
		}
	}
	if n != 0 {
		t.Errorf("%d transactions are not listed", n)
	}
}

// level compares the lengths of a queue at its beginning and end.
func level(t *testing.T, w *world, v *view.Crawl, p *past.Past, queue string) {
	t.Helper()
	var now past.Change
	for name, b := range v.State.Batches() {
		if name.Queue() == queue {
			now.Batches++
			now.Bytes += float64(b.Size)
			now.Records += float64(b.Records)
		}
	}
	begin, end := p.Bounds()
	if begin.IsZero() {
		return
	}
	levels := p.Levels(queue, now, begin.Add(-time.Hour), end.Add(time.Second), 1000)
	if last := levels[999]; last != now {
		t.Errorf("queue %s ends with %v, want %v", queue, last, now)
	}
	if first := levels[0]; math.Abs(first.Batches) > 1e-6 || math.Abs(first.Bytes) > 1e-3 {
		t.Errorf("queue %s begins with %v, want nothing", queue, first)
	}
}

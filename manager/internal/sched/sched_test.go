package sched

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/script"
	"multitext/txlog"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)

const flow = `
flow  = 1
dir   = "crawl"
seeds = { a = "seed" }
[limit]
jobs = 2
idle = ["03:00-04:00"]
disk = "1GB"
[queue.b]
full = 2
[stage.one]
in   = "a"
out  = "b"
jobs = 1
run  = "true"
[stage.two]
in    = ["b", "d"]
out   = "c"
take  = 3
min   = 2
every = "1h"
run   = "true"
[stage.three]
in  = "c"
out = "d"
run = "true"
`

// parse reads a script text in a folder where its seed file exists.
func parse(t testing.TB, text string) *script.Script {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "seed"), []byte("x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := script.Parse(filepath.Join(dir, "flow.toml"), []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A world is a crawl in the making.
type world struct {
	t     testing.TB
	state *txlog.State
	table *Table
	env   Environment
	tx    uint64
}

func newWorld(t testing.TB, text string) *world {
	w := &world{t: t, state: txlog.NewState("e"), env: Environment{Now: noon, Free: 1 << 40}}
	w.table = New(parse(t, text), w.state, nil, noon)
	return w
}

// bring commits n batches to a queue.
func (w *world) bring(queue string, n int) {
	w.t.Helper()
	w.tx++
	c := &txlog.Commit{Tx: w.tx}
	for i := range n {
		name := txlog.Name(queue + "/" + txlog.FileName("m", w.tx, i+1, "txt"))
		c.Outputs = append(c.Outputs, txlog.Output{Name: name, Size: 10, Records: 1})
	}
	w.apply(c)
	for _, o := range c.Outputs {
		w.table.Add(w.state.Batch(o.Name), w.env.Now)
	}
}

func (w *world) apply(r txlog.Record) {
	w.t.Helper()
	if err := w.state.Apply(r); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) next() string {
	k := w.table.Next(w.env)
	if k == nil {
		return ""
	}
	return k.Stage.Name
}

// failing are the conditions that do not hold.
func (w *world) failing(stage string) (names []string) {
	for _, c := range w.table.Conditions(stage, w.env) {
		if !c.OK {
			names = append(names, c.Name)
		}
	}
	return names
}

// Each start condition, when it is the only one that does not hold, is shown by
// Conditions under its name, and keeps Next from starting the stage. A condition
// that is in one of the two only fails here; so does one without a case.
func TestEveryConditionIsShownAndObeyed(t *testing.T) {
	spoil := map[string]func(*world){
		"the manager is not stopping": func(w *world) { w.env.Stopping = "told to" },
		"inputs wait": func(w *world) {
			w.table.take(w.table.byName["two"], noon)
			w.table.byName["two"].running, w.table.running = 0, 0
			w.table.byName["two"].started = time.Time{}
		},
		"at least min wait":      func(w *world) { w.table.byName["two"].Min.Batches = 4; w.table.running = 1 },
		"no more than jobs run":  func(w *world) { w.table.byName["two"].running = 1 },
		"a process slot is free": func(w *world) { w.table.running = 2 },
		"room in the outputs": func(w *world) {
			w.table.queues["c"].Full.Batches = 1
			w.table.queues["c"].count = 1
		},
		"every has passed": func(w *world) {
			w.apply(&txlog.Abort{Stage: "two", Why: txlog.WhyStopped, Run: txlog.Run{Start: noon.Add(-time.Minute)}})
		},
		"outside idle windows": func(w *world) { w.env.Now = time.Date(2026, 11, 21, 3, 30, 0, 0, time.Local) },
		"not resting after failures": func(w *world) {
			w.apply(&txlog.Abort{Stage: "two", Rest: noon.Add(time.Minute)})
		},
		"enough disk is free": func(w *world) { w.env.Free = 1000 },
	}
	for _, c := range checks() {
		if spoil[c.name] == nil {
			t.Errorf("condition %q has no case here", c.name)
		}
	}
	for name, spoil := range spoil {
		w := newWorld(t, flow)
		w.bring("b", 3)
		if failing := w.failing("two"); failing != nil {
			t.Fatalf("before: %v do not hold", failing)
		}
		spoil(w)
		want := []string{name}
		if name == "inputs wait" {
			want = append(want, "at least min wait") // nothing is also less than min
		}
		if got := w.failing("two"); !slices.Equal(got, want) {
			t.Errorf("%q spoilt: Conditions shows %q", name, got)
		}
		if got := w.next(); got != "" {
			t.Errorf("%q spoilt: Next starts %s", name, got)
		}
	}
	w := newWorld(t, flow)
	w.bring("b", 3)
	if got := w.next(); got != "two" {
		t.Errorf("with every condition holding, Next starts %q, want two", got)
	}
}

// What Conditions calls ok starts, and what it does not, does not: in every
// state of a long random-looking life.
func TestNextAgreesWithConditions(t *testing.T) {
	w := newWorld(t, flow)
	started := 0
	for step := range 300 {
		w.env.Now = noon.Add(time.Duration(step) * 7 * time.Minute)
		if step%3 == 0 {
			w.bring([]string{"a", "b", "c", "d"}[step/3%4], 1+step%2)
		}
		may := map[string]bool{}
		for _, name := range []string{"one", "two", "three"} {
			failing := w.failing(name)
			may[name] = len(failing) == 0 || slices.Equal(failing, []string{EnoughWaits}) && w.table.Running() == 0
		}
		k := w.table.Next(w.env)
		if k == nil {
			if may["one"] || may["two"] || may["three"] {
				t.Fatalf("step %d: conditions say %v, Next starts none", step, may)
			}
			continue
		}
		started++
		if !may[k.Stage.Name] {
			t.Fatalf("step %d: Next starts %s, conditions say %v", step, k.Stage.Name, may)
		}
		w.commit(k)
	}
	if started < 60 {
		t.Errorf("only %d starts in 300 steps", started)
	}
}

func (w *world) commit(k *Take) {
	w.tx++
	c := &txlog.Commit{Tx: w.tx, Stage: k.Stage.Name}
	for _, b := range k.Batches() {
		c.Inputs = append(c.Inputs, txlog.Input{Name: b.Name, Gone: true})
	}
	w.apply(c)
	w.table.Committed(k)
}

// Inputs are taken queue by queue in turn, within a queue by name.
func TestTakeAlternates(t *testing.T) {
	w := newWorld(t, flow)
	w.bring("b", 2)
	w.bring("d", 2)
	k := w.table.Next(w.env)
	var got []string
	for _, b := range k.Batches() {
		got = append(got, string(b.Name))
	}
	want := []string{"b/m-000000000001-00001.txt", "d/m-000000000002-00001.txt", "b/m-000000000001-00002.txt"}
	if !slices.Equal(got, want) {
		t.Errorf("took %v, want %v", got, want)
	}
}

// A run is not given more inputs than a command line can name.
func TestTakeFitsACommandLine(t *testing.T) {
	w := newWorld(t, strings.Replace(flow, "take  = 3", "take  = 1000", 1))
	w.table.script.Dir = "/" + strings.Repeat("d", 200)
	w.bring("b", 1000)
	taken, bytes := 0, 0
	for k := w.table.Next(w.env); k != nil && bytes <= 120<<10; k = w.table.Next(w.env) {
		bytes = 0
		for _, b := range k.Batches() {
			bytes += len("'" + w.table.script.Dir + "/" + string(b.Name) + "' ")
		}
		taken += len(k.Batches())
		w.commit(k)
		w.table.byName["two"].started = time.Time{}
	}
	if taken != 1000 || bytes > 120<<10 {
		t.Errorf("%d of 1000 were taken, the last run by %d bytes", taken, bytes)
	}
}

// A stage starts with fewer than min only when nothing else may start.
func TestMinIsWaivedAtAStandstill(t *testing.T) {
	w := newWorld(t, flow)
	w.bring("b", 1)
	w.bring("a", 1)
	if got := w.next(); got != "one" {
		t.Fatalf("started %q, want one: two lacks its min", got)
	}
	if got := w.next(); got != "" {
		t.Fatalf("started %q while one runs", got)
	}
	w = newWorld(t, flow)
	w.bring("b", 1)
	if got := w.next(); got != "two" {
		t.Errorf("at a standstill started %q, want two", got)
	}
}

// At a standstill a batch is due whose due time is the latest, unless its stage waits after a
// failure.
func TestLatestIsDueAtAStandstill(t *testing.T) {
	for name, want := range map[string]string{"later": "", "latest": "two", "latest, failed": ""} {
		w := newWorld(t, strings.Replace(flow, "min   = 2\n", "", 1))
		b := txlog.Output{Name: "b/m-000000000001-00001.txt", Size: 10, Due: noon.Add(time.Hour), Latest: name != "later"}
		w.tx++
		w.apply(&txlog.Commit{Tx: w.tx, Outputs: []txlog.Output{b}})
		if name == "latest, failed" {
			w.tx++
			w.apply(&txlog.Abort{Tx: w.tx, Stage: "two",
				Marks: []txlog.Mark{{Name: b.Name, Stage: "two", Fails: 1, Until: noon.Add(time.Minute)}}})
		}
		w.table.Add(w.state.Batch(b.Name), noon)
		w.table.running = 1
		if got := w.next(); got != "" {
			t.Errorf("%s: started %q while one runs", name, got)
		}
		w.table.running = 0
		if got := w.next(); got != want {
			t.Errorf("%s: at a standstill started %q, want %q", name, got, want)
		}
	}
}

// A batch whose due time is the latest is due before any min is ignored.
func TestLatestIsDueBeforeMinIsIgnored(t *testing.T) {
	w := newWorld(t, flow)
	w.bring("b", 1) // for two, which lacks its min
	w.tx++
	wake := txlog.Output{Name: "c/m-000000000009-00001.txt", Size: 10, Due: noon.Add(time.Hour), Latest: true}
	w.apply(&txlog.Commit{Tx: w.tx, Outputs: []txlog.Output{wake}})
	w.table.Add(w.state.Batch(wake.Name), noon)
	if got := w.next(); got != "three" {
		t.Errorf("at a standstill started %q, want three, whose batch is due at the latest in an hour", got)
	}
	w.table.running = 0
	if got := w.next(); got != "two" {
		t.Errorf("then started %q, want two", got)
	}
}

// full counts batches that are owed and due; held ones do not stop a writer.
func TestFullCountsWhatIsDue(t *testing.T) {
	w := newWorld(t, flow)
	w.bring("a", 1)
	w.bring("b", 1)
	w.tx++
	held := txlog.Output{Name: "b/m-000000000003-00001.txt", Size: 10, Due: noon.Add(time.Hour)}
	w.apply(&txlog.Commit{Tx: w.tx, Outputs: []txlog.Output{held}})
	w.table.Add(w.state.Batch(held.Name), noon)
	if failing := w.failing("one"); failing != nil {
		t.Fatalf("one batch due and one held: %v", failing)
	}
	w.env.Now = noon.Add(time.Hour)
	if failing := w.failing("one"); !slices.Equal(failing, []string{"room in the outputs"}) {
		t.Errorf("both due: %v, want no room", failing)
	}
}

// A batch that shall be run alone is.
func TestAloneMeansAlone(t *testing.T) {
	w := newWorld(t, flow)
	w.bring("b", 3)
	name := txlog.Name("b/m-000000000001-00002.txt")
	w.apply(&txlog.Abort{Tx: 9, Stage: "two", Marks: []txlog.Mark{{Name: name, Stage: "two", Alone: true}}})
	w.table = New(w.table.script, w.state, nil, noon)
	w.table.byName["two"].Every = 0
	var sizes []int
	for range 3 {
		k := w.table.Next(w.env)
		if k == nil {
			break
		}
		sizes = append(sizes, len(k.Batches()))
		for _, b := range k.Batches() {
			if b.Name == name && len(k.Batches()) > 1 {
				t.Errorf("%s was taken with others", name)
			}
		}
		w.commit(k)
	}
	if fmt.Sprint(sizes) != "[1 1 1]" {
		t.Errorf("takes of %v batches, want three of one", sizes)
	}
}

// Done waits for held batches and for clock stages, not for what was set aside.
func TestDone(t *testing.T) {
	const tick = "[stage.tick]\nout = \"c\"\nevery = \"1h\"\nrun = \"true\"\n"
	clock := strings.Replace(flow, "[stage.three]", tick+"[stage.three]", 1)
	w := newWorld(t, clock)
	if done, _ := w.table.Done(); done {
		t.Error("done before the clock stage has run")
	}
	k := w.table.Next(w.env)
	if k == nil || k.Stage.Name != "tick" {
		t.Fatalf("started %v, want tick", k)
	}
	w.commit(k)
	if done, failed := w.table.Done(); !done || failed {
		t.Errorf("done %v, failed %v; want done", done, failed)
	}
	for tx, product := range map[uint64]bool{30: true, 31: false} {
		out := txlog.Output{Name: txlog.Name("page/" + txlog.FileName("m", tx, 1, "zst")), Records: 1, Product: product}
		w.apply(&txlog.Commit{Tx: tx, Stage: "tick", Outputs: []txlog.Output{out}})
		w.table = New(w.table.script, w.state, nil, noon)
		if done, _ := w.table.Done(); done != product {
			t.Errorf("done %v after the clock stage has made a batch that brings no work: %v", done, product)
		}
		w.apply(&txlog.Commit{Tx: tx, Stage: "tick"})
	}
	w.bring("a", 1)
	name := txlog.Name("a/" + txlog.FileName("m", w.tx, 1, "txt"))
	for _, m := range []txlog.Mark{{Until: noon.Add(time.Hour)}, {Aside: true}} {
		m.Name, m.Stage = name, "one"
		w.apply(&txlog.Abort{Tx: 20, Stage: "one", Marks: []txlog.Mark{m}})
		w.apply(&txlog.Commit{Tx: 21, Stage: "tick"})
		w.table = New(w.table.script, w.state, nil, noon)
		done, failed := w.table.Done()
		if done != m.Aside || failed != m.Aside {
			t.Errorf("with mark %+v: done %v, failed %v", m, done, failed)
		}
	}
}

// A stage that starts by the clock, has run since the last batch, and failed when it was started
// again, is tried again before the end, until it has failed for good.
func TestDoneAfterFailure(t *testing.T) {
	w := newWorld(t, "flow = 1\ndir = \"crawl\"\n[stage.gofer]\nevery = \"30m\"\nretry = 2\nrun = \"true\"\n")
	w.commit(w.table.Next(w.env))
	for row := range 4 {
		done, failed := w.table.Done()
		if want := row == 0 || row == 3; done != want || failed != (row == 3) {
			t.Errorf("after %d failures: done %v, failed %v", row, done, failed)
		}
		w.env.Now = w.env.Now.Add(time.Hour)
		k := w.table.Next(w.env)
		if k == nil {
			t.Fatal("it is not started again")
		}
		w.apply(&txlog.Abort{Tx: uint64(10 + row), Stage: "gofer", Why: "exit status 1", Row: row + 1})
		w.table.Aborted(k, w.env.Now)
	}
	w.env.Now = w.env.Now.Add(time.Hour)
	w.commit(w.table.Next(w.env))
	if done, failed := w.table.Done(); !done || failed {
		t.Errorf("after a run: done %v, failed %v; want done", done, failed)
	}
}

// A stage that starts by the clock waits for room as others do: while its readers have as much
// as full allows it brings no more, and it starts when they have read some.
func TestFullHoldsClockStage(t *testing.T) {
	w := newWorld(t, `
flow = 1
dir  = "crawl"
[queue.incoming]
full = "25B"
[stage.gofer]
every = "30m"
out   = "incoming"
run   = "true"
[stage.xdup]
in  = "incoming"
run = "true"
`)
	w.bring("incoming", 3)
	w.env.Now = noon.Add(time.Hour)
	if got := w.failing("gofer"); !slices.Equal(got, []string{"room in the outputs"}) {
		t.Errorf("with a full output these hold it: %q", got)
	}
	if done, _ := w.table.Done(); done {
		t.Error("done while it waits for room")
	}
	k := w.table.Next(w.env)
	if k == nil || k.Stage.Name != "xdup" || w.next() != "" {
		t.Fatalf("started %+v and another; want xdup alone", k)
	}
	w.commit(k)
	if got := w.next(); got != "gofer" {
		t.Errorf("with room it is %q that starts", got)
	}
}

// The end is not waited for because of a stage that starts by the clock and was lost; until
// it runs again.
func TestLost(t *testing.T) {
	w := newWorld(t, "flow = 1\ndir = \"crawl\"\n[stage.gofer]\nevery = \"30m\"\nrun = \"true\"\n")
	k := w.table.Next(w.env)
	w.apply(&txlog.Abort{Tx: 1, Stage: "gofer", Why: txlog.WhyLater})
	w.table.Aborted(k, noon)
	if done, _ := w.table.Done(); done {
		t.Error("done before it has run")
	}
	w.table.Lose(k)
	if done, failed := w.table.Done(); !done || !failed {
		t.Errorf("lost: done %v, failed %v; want both", done, failed)
	}
	w.env.Now = noon.Add(time.Hour)
	w.commit(w.table.Next(w.env))
	if done, failed := w.table.Done(); !done || failed {
		t.Errorf("after a run: done %v, failed %v; want done", done, failed)
	}
	w.bring("product", 1)
	if done, _ := w.table.Done(); done {
		t.Error("done, though it has run before the last batch")
	}
}

// BenchmarkEvent is one event: a commit that consumes a batch and leaves one,
// and the choice of the next run, with few and with many batches waiting.
func BenchmarkEvent(b *testing.B) {
	for _, waiting := range []int{10, 100_000} {
		b.Run(fmt.Sprintf("waiting=%d", waiting), func(b *testing.B) {
			w := newWorld(b, strings.NewReplacer("min   = 2", "", `every = "1h"`, "", "full = 2", "").Replace(flow))
			for i := 0; i < waiting; i += 10 {
				w.bring("a", 10)
			}
			for b.Loop() {
				k := w.table.Next(w.env)
				w.commit(k)
				w.bring("a", 1)
			}
		})
	}
}

// A table that takes another's place, as after a request, goes on with the runs
// that the other handed out: their batches are not handed out again, and their
// end frees the stage.
func TestTableTakesAnothersPlace(t *testing.T) {
	w := newWorld(t, strings.Replace(flow, "jobs = 1", "jobs = 2", 1))
	w.bring("a", 3)
	var running []Running
	var takes []*Take
	for range 2 {
		k := w.table.Next(w.env)
		takes = append(takes, k)
		running = append(running, Running{Stage: k.Stage.Name, Inputs: []txlog.Name{k.Batches()[0].Name}, Take: k})
	}
	w.table = New(w.table.script, w.state, running, w.env.Now)
	if got := w.table.Running(); got != 2 {
		t.Fatalf("%d runs under way, want 2", got)
	}
	if n := w.table.Waiting("one").Ready; n != 1 {
		t.Fatalf("%d batches ready, want the one that nobody took", n)
	}
	for _, k := range takes {
		w.commit(k)
	}
	if got := w.table.Running(); got != 0 {
		t.Errorf("%d runs under way after all ended", got)
	}
	if n := w.table.Owed("a"); n != 1 {
		t.Errorf("%d batches of a are owed, want 1", n)
	}
	if k := w.table.Next(w.env); k == nil || k.Stage.Name != "one" {
		t.Error("stage one is not started again")
	}
}

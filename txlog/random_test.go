package txlog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// What a log that is read again gives is what its writer knows, and what it was told:
// over random lives, with checkpoints and starts within them, torn ends, and names that
// leave and come again.
func TestRandomLivesAreReplayed(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dir := t.TempDir()
			l, err := Begin(&countingDisk{}, dir, NewState("e"), nil)
			if err != nil {
				t.Fatal(err)
			}
			r := &random{rand.New(rand.NewPCG(seed, 0)), nil}
			var told []Record
			for step := range 200 {
				told = append(told, r.record(l.State))
				tell(t, l, told[len(told)-1:])
				r.redo(l)
				switch {
				case r.one(40):
					if err := l.Checkpoint(); err != nil {
						t.Fatal(err)
					}
				case r.one(40):
					l = restart(t, l, dir)
				case step%5 == 0 || r.one(9):
					checkReplay(t, l, dir)
				}
			}
			checkReplay(t, l, dir)
			checkHistory(t, dir, told)
		})
	}
}

// randomLog is the log of a short life.
func randomLog(t testing.TB, seed uint64) []byte {
	t.Helper()
	r, s := &random{rand.New(rand.NewPCG(seed, 1)), nil}, NewState("e")
	var records []Record
	for range 20 {
		records = append(records, r.record(s))
		if err := s.Apply(records[len(records)-1]); err != nil {
			t.Fatal(err)
		}
	}
	return textOf(t, records)
}

// restart is a start behind a crash within a write.
func restart(t *testing.T, l *Log, dir string) *Log {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	appendRaw(t, dir, l.sum[:9])
	l, err := Begin(&countingDisk{}, dir, load(t, dir).State,
		[]Reading{{"frontier", "fetch"}, {"frontier", "a b"}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func checkReplay(t *testing.T, l *Log, dir string) {
	t.Helper()
	rp := load(t, dir)
	want := *l.State // what was done is known to its writer only
	want.toRemove, want.toPlace, want.toClear = undone(want.toRemove), undone(want.toPlace), undone(want.toClear)
	if got, want := checkpointOf(rp.State), checkpointOf(&want); got != want {
		t.Fatalf("replayed to\n%s\nwant\n%s", got, want)
	}
	if !reflect.DeepEqual(rp.State, &want) {
		t.Fatalf("replayed to\n%+v\nwant\n%+v", rp.State, &want)
	}
}

// checkpointOf is what a checkpoint would say of a state.
func checkpointOf(s *State) string {
	var text strings.Builder
	c := checkpoint{State: s, put: func(body []byte) { text.Write(append(body, '\n')) }}
	c.write()
	return text.String()
}

func undone[K comparable](pending map[K]bool) map[K]bool {
	pending = maps.Clone(pending)
	for k := range pending {
		pending[k] = false
	}
	return pending
}

func checkHistory(t *testing.T, dir string, want []Record) {
	t.Helper()
	var got []Record
	if _, err := History(dir, Position{}, func(r Record) error { got = append(got, r); return nil }, nil); err != nil {
		t.Fatal(err)
	}
	for i := range min(len(got), len(want)) {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("record %d:\n got %+v\nwant %+v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d records, want %d", len(got), len(want))
	}
}

// random makes up records that fit a state.
type random struct {
	*rand.Rand
	left []Name // the live set: they may come again
}

func (r *random) one(in int) bool { return r.IntN(in) == 0 }

// word is a name of a stage or counter: plain, escaped, empty, or longer than is remembered.
func (r *random) word() string {
	return []string{"fetch", "filter", "a b", "-", "%", "", "tab\there", "é\n", strings.Repeat("long", 20)}[r.IntN(9)]
}

func (r *random) time() time.Time {
	if r.one(3) {
		return time.Time{}
	}
	return noon.Add(time.Duration(r.Int64N(1e8)) * time.Millisecond)
}

func (r *random) run() Run {
	run := Run{Start: r.time(), CPU: time.Duration(r.IntN(1e6)) * time.Microsecond, Memory: r.Int64N(1e9),
		Exit: r.word(), Stderr: r.word()}
	if !run.Start.IsZero() {
		run.End = run.Start.Add(time.Duration(r.IntN(1e7)) * time.Millisecond)
	}
	for range r.IntN(3) {
		run.Command = append(run.Command, r.word())
		run.Shown = append(run.Shown, Shown{r.word(), r.word()})
	}
	return run
}

func (r *random) record(s *State) Record {
	switch live := slices.Sorted(maps.Keys(s.batches)); r.IntN(8) {
	case 0, 1:
		return r.abort(s.next+r.Uint64N(2), live)
	case 2:
		return r.request(s.next, live)
	default:
		return r.commit(s, live)
	}
}

func (r *random) some(live []Name) (chosen []Name) {
	for _, i := range r.Perm(len(live)) {
		if chosen = append(chosen, live[i]); r.one(3) {
			break
		}
	}
	return chosen
}

func (r *random) abort(tx uint64, live []Name) *Abort {
	a := &Abort{Tx: tx, Stage: r.word(), Run: r.run(), Why: []string{"exit 1", WhyLater, WhyStopped}[r.IntN(3)],
		Row: r.IntN(3), Rest: r.time()}
	for _, name := range r.some(live) {
		a.Inputs = append(a.Inputs, Input{Name: name, Records: r.Int64N(9) - 1})
		if r.one(2) {
			a.Marks = append(a.Marks, Mark{name, r.word(), r.IntN(3), r.IntN(2), r.time(), r.one(2), r.one(9)})
		}
	}
	return a
}

func (r *random) request(tx uint64, live []Name) *Commit {
	c := &Commit{Tx: tx, Read: -1, Request: fmt.Sprint("id ", tx)}
	if r.one(3) {
		c.Part, c.Request = Count{fmt.Sprint("id ", r.IntN(5)), int64(r.IntN(99))}, ""
	} else if r.one(3) {
		c.Request = fmt.Sprint("id ", r.IntN(5))
	}
	switch r.IntN(5) {
	case 4:
		if from := r.word(); from != "" {
			c.Was = Renamed{from, r.word()}
		}
	case 3:
		for _, name := range r.some(live) {
			c.Export = name.Queue()
		}
	case 0:
		c.Gone = r.some(live)
		r.left = append(r.left, c.Gone...)
	case 1:
		for _, name := range append(r.some(live), "") {
			c.Reset = append(c.Reset, Mark{Name: name, Stage: r.word()})
		}
	default:
		kind := []string{"stage", "reader", "state", "queue"}[r.IntN(4)]
		c.Forget = []Forgotten{{kind, r.word()}, {kind, "frontier"}, {kind, "frontier/" + r.word()}, {kind, "seen"}}
	}
	return c
}

func (r *random) commit(s *State, live []Name) *Commit {
	c := &Commit{Tx: s.next, Stage: r.word(), Run: r.run(), Read: r.Int64N(100) - 1}
	for _, name := range r.some(live) {
		if s.batches[name].HasRead(c.Stage) {
			continue
		}
		in := Input{name, r.Int64N(9) - 1, r.one(2)}
		if c.Inputs = append(c.Inputs, in); in.Gone {
			r.left = append(r.left, name)
		}
	}
	for part := range r.IntN(5) {
		c.Outputs = append(c.Outputs, r.output(r.name(c, s, part+1)))
		if o := c.Outputs[part]; r.one(9) && !o.Export {
			c.Gone = append(c.Gone, o.Name) // before it was ever read
		}
	}
	if r.one(3) {
		c.State = "seen"
		c.Segments = []Output{r.output(Name("state/seen/" + FileName("m", c.Tx, 1, "seg")))}
		segments := s.segments["seen"]
		for _, seg := range segments[len(segments)-r.IntN(len(segments)+1):] {
			c.Replaced = append(c.Replaced, seg.Name)
		}
	}
	for range r.IntN(3) {
		c.Reasons = append(c.Reasons, Count{r.word(), r.Int64N(50)})
		c.Counts = append(c.Counts, Count{r.word(), r.Int64() - r.Int64()})
		c.Gauges = append(c.Gauges, Count{r.word(), r.Int64() - r.Int64()})
		c.Notes = append(c.Notes, r.word())
		c.Because = append(c.Because, Because{r.word(), r.Int64N(50), r.word(), r.word()})
	}
	if r.one(5) {
		c.Seed = fmt.Sprint("links ", c.Tx)
	}
	return c
}

func (r *random) output(name Name) Output {
	return Output{name, r.Int64N(1e6), "00000000deadbeef", r.Int64N(99) - 1, r.one(4), r.one(4), r.time(), r.one(4), r.one(4)}
}

// name is that of an output: a new one, or one that has left and comes again, if only
// by the very record that it comes with.
func (r *random) name(c *Commit, s *State, part int) Name {
	if len(r.left) > 0 && r.one(4) {
		name := r.left[r.IntN(len(r.left))]
		goes := slices.ContainsFunc(c.Inputs, func(in Input) bool { return in.Name == name && in.Gone })
		made := slices.ContainsFunc(c.Outputs, func(o Output) bool { return o.Name == name })
		if !made && (goes || s.batches[name] == nil) {
			return name
		}
	}
	return Name([]string{"frontier/", "out going/é/"}[r.IntN(2)] + FileName("m", c.Tx, part, "zst"))
}

// redo carries out some of what is to be done.
func (r *random) redo(l *Log) {
	for _, pending := range []map[Name]bool{l.State.toRemove, l.State.toPlace} {
		for _, name := range slices.Sorted(maps.Keys(pending)) {
			if r.one(3) {
				l.Done(name)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(l.State.toClear)) {
		if r.one(3) {
			l.DoneRequest(id)
		}
	}
}

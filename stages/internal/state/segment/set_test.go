package segment

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/testkit/committed"
)

// state is a state over many runs.
type state struct {
	committed.Segments
	keep func([]byte) bool // of the Set
	hash *keyed.Hash
}

func newState(t testing.TB) *state { return &state{Segments: committed.Segments{Dir: t.TempDir()}} }

// append runs Append and commits what its report says.
func (s *state) append(t *testing.T, b Entries) {
	t.Helper()
	set, err := OpenSet(s.List(t), s.hash)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	rep := report.New()
	set.Keep = s.keep
	if err := set.Append(output.NewRun(io.Discard), s.New(), b, rep); err != nil {
		t.Fatal(err)
	}
	s.Commit(t, rep)
}

// TestKeep holds that a merge leaves out what is not wanted any more, and nothing else.
func TestKeep(t *testing.T) {
	s := newState(t)
	s.keep = func(value []byte) bool { return string(value) != "stale" }
	for n := range 3 {
		b := Entries{}
		b.Add(uint64(10+n), []byte("good"))
		b.Add(uint64(20+n), []byte("stale"))
		s.append(t, b)
	}
	s.append(t, Entries{Keys: []uint64{1}, Values: [][]byte{[]byte("stale")}})
	if len(s.Paths) != 1 {
		t.Fatalf("%d segments, want all merged", len(s.Paths))
	}
	r, err := Open(s.Paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.wholly(); err != nil || r.Len() != 4 { // the new entry is not asked about
		t.Errorf("%d entries, %v; want 1, 10, 11 and 12", r.Len(), err)
	}
	for _, key := range []uint64{1, 10, 11, 12} {
		if _, ok, err := r.Get(key); !ok || err != nil {
			t.Errorf("key %d: %v, %v", key, ok, err)
		}
	}
}

// TestSetAgainstMap adds batches to a set and to a map and compares the two.
func TestSetAgainstMap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	s, model := newState(t), map[uint64]string{}
	for range 60 {
		var b Entries
		for range rnd.IntN(3000) + 1 {
			k, v := rnd.Uint64N(20_000)*0x9e3779b97f4a7c15, fmt.Sprint(rnd.Uint64())
			b.Add(k, []byte(v))
			model[k] = v
		}
		b.Sort()
		s.append(t, b)
	}
	set, err := OpenSet(s.List(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	var keys []uint64
	for i := range uint64(20_000) {
		keys = append(keys, i*0x9e3779b97f4a7c15)
	}
	slices.Sort(keys)
	for _, key := range keys {
		value, ok, err := set.Get(key)
		if want, there := model[key]; string(value) != want || ok != there || err != nil {
			t.Fatalf("key %016x: %q, %v, %v; want %q", key, value, ok, err, want)
		}
	}
	last := uint64(0)
	err = set.Scan(func(key uint64, value []byte) error {
		if string(value) != model[key] || key < last {
			t.Fatalf("key %016x behind %016x: %q, want %q", key, last, value, model[key])
		}
		delete(model, key)
		last = key
		return nil
	})
	if err != nil || len(model) > 0 {
		t.Errorf("%d keys were not met, %v", len(model), err)
	}
	if len(s.Paths) == 60 {
		t.Error("nothing was ever merged")
	}
}

func TestEmptySet(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	os.WriteFile(empty, nil, 0o666)
	for _, list := range []string{"", empty, filepath.Join(dir, "absent")} {
		set, err := OpenSet(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := set.Get(1); ok || err != nil {
			t.Errorf("Get of %q = %v, %v", list, ok, err)
		}
		path := filepath.Join(dir, "new")
		if err := set.Append(output.NewRun(io.Discard), path, Entries{}, report.New()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("an empty batch made a segment")
		}
	}
}

// TestKeysAmongValues: who adds keys alone to a state with values, as a script may by mistake,
// takes none of them away.
func TestKeysAmongValues(t *testing.T) {
	s := newState(t)
	s.append(t, Entries{Keys: []uint64{7}, Values: [][]byte{[]byte("seven")}})
	s.append(t, Entries{Keys: []uint64{8}})
	set, err := OpenSet(s.List(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	value, ok, err := set.Get(7)
	if len(s.Paths) != 1 || !ok || string(value) != "seven" || err != nil {
		t.Errorf("in %d segments: %q, %v, %v", len(s.Paths), value, ok, err)
	}
}

func TestBatchSort(t *testing.T) {
	b := Entries{}
	for i, k := range []uint64{3, 1, 3, 2, 1} {
		b.Add(k, []byte{byte(i)})
	}
	b.Sort()
	if !slices.Equal(b.Keys, []uint64{1, 2, 3}) || !bytes.Equal(slices.Concat(b.Values...), []byte{4, 3, 2}) {
		t.Errorf("sorted: %v %v", b.Keys, b.Values)
	}
}

func BenchmarkGet(b *testing.B) {
	var all Entries
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 1 << 20 {
		all.Keys = append(all.Keys, rnd.Uint64())
	}
	all.Sort()
	r := open(b, write(b, all))
	var keys []uint64
	for range 100_000 {
		keys = append(keys, rnd.Uint64())
	}
	slices.Sort(keys)
	i := 0
	for b.Loop() {
		if _, _, err := r.Get(keys[i%len(keys)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// BenchmarkHas asks two segments, one of them sixteen times as large, for keys of which four of
// five are there.
func BenchmarkHas(b *testing.B) {
	rnd := rand.New(rand.NewPCG(9, 10))
	set := &Set{}
	var asked []uint64
	for _, n := range []int{1 << 20, 1 << 16} {
		var batch Entries
		for i := range n {
			batch.Keys = append(batch.Keys, rnd.Uint64())
			if i%16 == 0 {
				asked = append(asked, batch.Keys[i])
			}
			if i%64 == 0 {
				asked = append(asked, rnd.Uint64())
			}
		}
		batch.Sort()
		set.segments = append(set.segments, open(b, write(b, batch)))
	}
	slices.Sort(asked)
	found := make([]bool, len(asked))
	for b.Loop() {
		clear(found)
		if err := set.Has(asked, found); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(asked)*b.N)/b.Elapsed().Seconds(), "keys/s")
}

func BenchmarkMerge(b *testing.B) {
	rnd := rand.New(rand.NewPCG(7, 8))
	var readers []*Reader
	const each = 100_000
	for range 4 {
		var batch Entries
		for range each {
			batch.Keys = append(batch.Keys, rnd.Uint64())
		}
		batch.Sort()
		readers = append(readers, open(b, write(b, batch)))
	}
	b.SetBytes(4 * each * 8)
	for b.Loop() {
		w, err := Create(output.NewRun(io.Discard), output.Stdout, false, nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := w.addAll(union(readers)); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(4*each*float64(b.N)/b.Elapsed().Seconds(), "keys/s")
}

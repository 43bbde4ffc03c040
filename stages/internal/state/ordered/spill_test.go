package ordered

import (
	"os"
	"slices"
	"testing"
)

// TestSpill: what was spilled is found at once, is written by the next Append, and leaves no file.
func TestSpill(t *testing.T) {
	s := newState(t)
	entriesOf := func(value string, keys ...uint64) *Entries {
		e := &Entries{}
		for _, k := range keys {
			e.Add(Key{k, 0}, []byte(value))
		}
		return e
	}
	large := &Entries{}
	for k := range uint64(20_000) {
		large.Add(Key{1000 + k, 0}, make([]byte, 40))
	}
	want := func(set *Set, n int) {
		t.Helper()
		for k, want := range []string{1: "b", 2: "a", 3: "c", 4: "c"} {
			if value, ok, err := set.Get(Key{uint64(k), 0}); err != nil || ok != (want != "") || string(value) != want {
				t.Errorf("key %d: %q, %v, %v; want %q", k, value, ok, err, want)
			}
		}
		if len(set.segments) != n {
			t.Errorf("%d segments, want %d", len(set.segments), n)
		}
	}
	s.append(t, s.open(t), large, nil)
	s.append(t, s.open(t), entriesOf("a", 1, 2, 3), nil)
	set, folder := s.open(t), t.TempDir()
	for _, e := range []*Entries{entriesOf("b", 3, 1), entriesOf("c", 4, 3), {}} {
		if err := set.Spill(folder, e); err != nil {
			t.Fatal(err)
		}
	}
	want(set, 4)
	if left, err := os.ReadDir(folder); len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
	s.append(t, set, entriesOf("d", 5), nil)
	set.Close()
	set = s.open(t)
	want(set, 2)
	if old := slices.Clone(s.Paths); len(old) != 2 {
		t.Errorf("the state has %q", old)
	}
	set.MergeAll()
	s.append(t, set, entriesOf("d", 6), nil)
	set.Close()
	want(s.open(t), 1)
	if err := set.Spill(folder+"/absent", entriesOf("x", 1)); err == nil {
		t.Error("spilled into a folder that there is not")
	}
}

// TestSpillPolicy: what was spilled counts for the policy, so there are few segments.
func TestSpillPolicy(t *testing.T) {
	s := newState(t)
	s.ratio = 3
	for run := range uint64(20) {
		set, large, small := s.open(t), &Entries{}, &Entries{}
		for k := range uint64(5000) {
			large.Add(Key{k, run}, make([]byte, 40))
		}
		if err := set.Spill(t.TempDir(), large); err != nil {
			t.Fatal(err)
		}
		small.Add(Key{0, run}, nil)
		s.append(t, set, small, nil)
		set.Close()
	}
	if len(s.Paths) > 4 {
		t.Errorf("%d segments", len(s.Paths))
	}
}

// TestSpillAlone: segments that were spilled are replaced however large they are.
func TestSpillAlone(t *testing.T) {
	s := newState(t)
	set, large := s.open(t), &Entries{}
	for k := range uint64(20_000) {
		large.Add(Key{k, 0}, make([]byte, 40))
	}
	if err := set.Spill(t.TempDir(), large); err != nil {
		t.Fatal(err)
	}
	one := &Entries{}
	one.Add(Key{0, 1}, nil)
	s.append(t, set, one, nil)
	set.Close()
	set = s.open(t)
	defer set.Close()
	if _, ok, err := set.Get(Key{19_999, 0}); !ok || err != nil || len(set.segments) != 1 {
		t.Errorf("%v, %v, %d segments", ok, err, len(set.segments))
	}
}

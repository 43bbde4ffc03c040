package ordered

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/testkit/committed"
)

// state is a state over many runs.
type state struct {
	committed.Segments
	hash  *keyed.Hash
	ratio int64 // of the policy; 0: that of OpenSet
}

func newState(t testing.TB) *state { return &state{Segments: committed.Segments{Dir: t.TempDir()}} }

func (s *state) open(t testing.TB) *Set {
	t.Helper()
	set, err := OpenSet(s.List(t), s.hash)
	if err != nil {
		t.Fatal(err)
	}
	if s.ratio > 0 {
		set.ratio = s.ratio
	}
	return set
}

// append runs Append and commits what its report says. It returns the bytes written.
func (s *state) append(t testing.TB, set *Set, b *Entries, edit Edit) int64 {
	t.Helper()
	rep := report.New()
	if err := set.Append(output.NewRun(io.Discard), s.New(), b, edit, rep); err != nil {
		t.Fatal(err)
	}
	return s.Commit(t, rep)
}

// dropping is an Edit that drops what is marked as dead where nothing older is left, and puts an
// entry of its own at the end. It holds that a walk beside the merge has the same entries.
type dropping struct {
	all   bool
	other *Merged
	last  Key
	calls int
	end   Key
}

func (d *dropping) Begin(all bool, beside *Merged) error {
	d.all, d.other = all, beside
	return nil
}

func (d *dropping) Entry(key Key, value []byte, put Put) error {
	if d.calls > 0 && !d.last.Less(key) {
		return fmt.Errorf("key %v was shown behind %v", key, d.last)
	}
	d.last = key
	d.calls++
	if err := d.beside(key, value); err != nil {
		return err
	}
	if d.all && string(value) == "dead" || key == d.end {
		return nil
	}
	return put(key, value)
}

// beside looks at an entry from beside the merge: at one after the other, and now and then behind some that
// it has not seen.
func (d *dropping) beside(key Key, value []byte) error {
	switch d.calls % 8 {
	case 0, 1:
		return nil
	case 2:
		if err := d.other.Seek(key); err != nil {
			return err
		}
	}
	k, v, ok, err := d.other.Next()
	if err == nil && (k != key || string(v) != string(value) || !ok) {
		err = fmt.Errorf("beside the merge there is %v, %.20q, %v, and it has %v, %.20q", k, v, ok, key, value)
	}
	return err
}

func (d *dropping) End(put Put) error { return put(d.end, []byte(fmt.Sprint(d.calls))) }

// somekey is one of a few thousand keys that lie as those of a frontier do.
func somekey(rnd *rand.Rand) Key {
	switch rnd.IntN(3) {
	case 0:
		return Key{1<<63 | rnd.Uint64N(3)<<48 | rnd.Uint64N(1000), rnd.Uint64N(5)}
	case 1:
		return Key{rnd.Uint64N(300) * 0x123456789abcd, 0}
	}
	return Key{rnd.Uint64N(300) * 0x123456789abcd, 1<<56 | rnd.Uint64N(3)<<48 | rnd.Uint64N(30)}
}

// TestSetAgainstMap appends to a set and to a map, with edits that drop, and compares lookups,
// walks and seeks, forward and backward.
func TestSetAgainstMap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	s, model := newState(t), map[Key]string{}
	whole := 0
	for range 80 {
		var b Entries
		for range rnd.IntN(1<<rnd.IntN(12)) + 1 {
			key, value := somekey(rnd), "dead"
			if rnd.IntN(4) > 0 {
				value = strings.Repeat("v", rnd.IntN(90)) + fmt.Sprint(rnd.Uint64())
			}
			b.Add(key, []byte(value))
			model[key] = value
		}
		set, d := s.open(t), &dropping{end: Key{math.MaxUint64, math.MaxUint64}}
		s.append(t, set, &b, d)
		set.Close()
		if d.all {
			whole++
			maps.DeleteFunc(model, func(_ Key, value string) bool { return value == "dead" })
		}
		model[d.end] = fmt.Sprint(d.calls)
		set = s.open(t)
		compare(t, set, model, rnd)
		set.Close()
	}
	if whole < 3 || whole == 80 {
		t.Errorf("%d of 80 merges were of all segments", whole)
	}
}

// compare holds the set to the model.
func compare(t *testing.T, set *Set, model map[Key]string, rnd *rand.Rand) {
	t.Helper()
	keys := slices.SortedFunc(maps.Keys(model), Key.Compare)
	c := set.Cursor()
	for range 2 { // the second time a walk that was at its end begins anew
		for _, want := range keys {
			key, value, ok, err := c.Next()
			if key != want || string(value) != model[want] || !ok || err != nil {
				t.Fatalf("Next() = %v, %.20q, %v, %v; want %v", key, value, ok, err, want)
			}
		}
		if key, _, ok, err := c.Next(); ok || err != nil {
			t.Fatalf("behind the end there is %v, %v", key, err)
		}
		if err := c.Seek(Key{}); err != nil {
			t.Fatal(err)
		}
	}
	compareFinder(t, set, model, rnd)
	for range 300 {
		key := somekey(rnd)
		value, ok, err := set.Get(key)
		if want, there := model[key]; string(value) != want || ok != there || err != nil {
			t.Fatalf("Get(%v) = %.20q, %v, %v; want %.20q", key, value, ok, err, want)
		}
		checkSeek(t, c, key, keys)
		for range rnd.IntN(3) { // forward over a short distance, mostly; and to the same key again
			i, _ := slices.BinarySearchFunc(keys, key, Key.Compare)
			key = keys[max(0, min(i+rnd.IntN(40)-3, len(keys)-1))]
			checkSeek(t, c, key, keys)
		}
	}
}

// compareFinder looks up keys that ascend, some of them twice, most of which are there.
func compareFinder(t *testing.T, set *Set, model map[Key]string, rnd *rand.Rand) {
	t.Helper()
	var keys []Key
	for key := range model {
		if rnd.IntN(3) > 0 {
			keys = append(keys, key, somekey(rnd))
		}
	}
	slices.SortFunc(keys, Key.Compare)
	f := set.Finder()
	for _, key := range keys {
		value, ok, err := f.Get(key)
		if want, there := model[key]; string(value) != want || ok != there || err != nil {
			t.Fatalf("Finder: %v is %.20q, %v, %v; want %.20q", key, value, ok, err, want)
		}
	}
}

// checkSeek holds what comes behind a Seek to the keys of the model.
func checkSeek(t *testing.T, c *Cursor, to Key, keys []Key) {
	t.Helper()
	if err := c.Seek(to); err != nil {
		t.Fatal(err)
	}
	i, _ := slices.BinarySearchFunc(keys, to, Key.Compare)
	for ; i < len(keys) && keys[i].Lo%3 > 0; i++ { // now and then none
		if key, _, ok, err := c.Next(); key != keys[i] || !ok || err != nil {
			t.Fatalf("behind Seek(%v) comes %v, %v, %v; want %v", to, key, ok, err, keys[i])
		}
	}
}

// TestSeekBack: an entry that a walk has passed is found again, also the last one.
func TestSeekBack(t *testing.T) {
	e := &Entries{}
	e.Add(Key{1, 1}, []byte("one"))
	e.Add(Key{2, 2}, []byte("two"))
	c := newCursor([]*reader{open(t, file(t, encode(t, e, nil)))}, false)
	next := func(want uint64) {
		t.Helper()
		if key, _, ok, err := c.Next(); key.Hi != want || ok != (want > 0) || err != nil {
			t.Fatalf("%v, %v, %v; want %d", key, ok, err, want)
		}
	}
	next(1)
	c.Seek(Key{1, 1})
	next(1)
	next(2)
	next(0)
	c.Seek(Key{2, 2})
	next(2)
	next(0)
	next(0)
	c.Seek(Key{3, 0})
	next(0)
	c.Seek(Key{1, 2})
	next(2)
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
		if _, ok, err := set.Get(Key{}); ok || err != nil {
			t.Errorf("Get of %q = %v, %v", list, ok, err)
		}
		if _, _, ok, err := set.Cursor().Next(); ok || err != nil {
			t.Errorf("Next of %q = %v, %v", list, ok, err)
		}
		path := filepath.Join(dir, "new")
		if err := set.Append(output.NewRun(io.Discard), path, &Entries{}, nil, report.New()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("an empty batch made a segment")
		}
	}
}

// nothing is an Edit that drops all.
type nothing struct{ unedited }

func (nothing) Entry(Key, []byte, Put) error { return nil }

func TestNothingLeft(t *testing.T) {
	set := newState(t).open(t)
	b := &Entries{}
	b.Add(Key{1, 1}, nil)
	err := set.Append(output.NewRun(io.Discard), filepath.Join(t.TempDir(), "new"), b, nothing{}, report.New())
	if err == nil || !strings.Contains(err.Error(), "no entry is left") {
		t.Errorf("Append = %v", err)
	}
}

// TestSecrets: a state is never read with another secret than that of its keys, and what is merged
// has the mark of the set.
func TestSecrets(t *testing.T) {
	mine := secret(t)
	other, err := keyed.New(strings.Repeat("0", 32), "another")
	if err != nil {
		t.Fatal(err)
	}
	s := newState(t)
	s.hash = mine
	for n := range uint64(4) {
		b := &Entries{}
		b.Add(Key{n, n}, nil)
		set := s.open(t)
		s.append(t, set, b, nil)
		if r := open(t, s.Paths[0]); len(s.Paths) != 1 || r.Mark != mine.Mark() {
			t.Errorf("%d segments, mark %x", len(s.Paths), r.Mark)
		}
	}
	if _, err := OpenSet(s.List(t), other); !errors.Is(err, keyed.ErrSecret) {
		t.Errorf("OpenSet with another secret: %v", err)
	}
}

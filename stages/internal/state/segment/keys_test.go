package segment

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/state/blockfile"
)

// FuzzKeys compares a merge with the sorted keys, by the bytes of the file, and Has and Get with a
// search of them. There are count random keys below the bound most, spread over n sources. A small
// bound makes neighbours of them, which several sources have.
func FuzzKeys(f *testing.F) {
	f.Add(uint64(1), uint16(5000), uint64(math.MaxUint64), 5)
	f.Add(uint64(2), uint16(9000), uint64(8000), 4)
	f.Add(uint64(3), uint16(1), uint64(1), 2)
	f.Add(uint64(4), uint16(0), uint64(0), 1)
	f.Fuzz(func(t *testing.T, seed uint64, count uint16, most uint64, n int) {
		if n < 1 || n > 10 {
			return
		}
		rnd := rand.New(rand.NewPCG(seed, 0))
		parts := make([]Entries, n)
		asked := []uint64{0, math.MaxUint64}
		for range count % 10_000 {
			key := rnd.Uint64N(max(most, 1))
			for range 1 + rnd.IntN(2) {
				p := &parts[rnd.IntN(n)]
				p.Keys = append(p.Keys, key)
			}
			asked = append(asked, key-1, key, key+1, key^1<<40)
		}
		if seed%2 == 0 {
			parts[n-1].Keys = append(parts[n-1].Keys, 0, math.MaxUint64)
		}
		set := &Set{}
		for i := range parts {
			if parts[i].Sort(); i > 0 {
				set.segments = append(set.segments, open(t, write(t, parts[i])))
			}
		}
		holdMerge(t, parts[0], set.segments)
		there := keysOf(t, set.segments)
		slices.Sort(asked)
		found := make([]bool, len(asked))
		if err := set.Has(asked, found); err != nil {
			t.Fatal(err)
		}
		for i, key := range asked {
			_, want := slices.BinarySearch(there, key)
			if _, ok, err := set.Get(key); ok != want || found[i] != want || err != nil {
				t.Fatalf("Has(%016x) = %v, Get = %v, %v; want %v", key, found[i], ok, err, want)
			}
		}
	})
}

func holdMerge(t *testing.T, batch Entries, segments []*Reader) {
	t.Helper()
	all := Entries{Keys: slices.Concat(batch.Keys, keysOf(t, segments))}
	all.Sort()
	want := encode(t, false, nil, func(w *Writer) error { return w.addKeys(all.Keys) })
	got := encode(t, false, nil, func(w *Writer) error { return w.addAll(&pair{a: &once{batch}, b: union(segments)}) })
	if !bytes.Equal(got, want) {
		t.Fatalf("a merge wrote %d bytes, not the %d of the sorted keys", len(got), len(want))
	}
}

// keysOf returns the keys of all segments in order.
func keysOf(t *testing.T, segments []*Reader) (keys []uint64) {
	t.Helper()
	for _, r := range segments {
		for i := range r.blocks() {
			var x opened
			if err := r.block(i, &x); err != nil {
				t.Fatal(err)
			}
			for k := range x.n {
				keys = append(keys, x.at(k))
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// TestHasFewOfMany asks a large segment for a few keys, far from one another.
func TestHasFewOfMany(t *testing.T) {
	var b Entries
	for i := range uint64(40 * blockKeys) {
		b.Keys = append(b.Keys, i<<40|i*i) // no hashes: the guesses are bad
	}
	set := &Set{segments: []*Reader{open(t, write(t, b))}}
	for _, step := range []int{7, 3000, 15_000, len(b.Keys) - 1} {
		var asked []uint64
		for i := 0; i < len(b.Keys); i += step {
			asked = append(asked, b.Keys[i], b.Keys[i]+1)
		}
		found := make([]bool, len(asked))
		if err := set.Has(asked, found); err != nil {
			t.Fatal(err)
		}
		for i, ok := range found {
			if ok != (i%2 == 0) {
				t.Fatalf("one of %d: key %016x: %v", step, asked[i], ok)
			}
		}
	}
}

// TestHasWrongGuess: keys that crowd at one end of their block, as somebody may choose them, are
// found, and those between them are not.
func TestHasWrongGuess(t *testing.T) {
	for _, crowd := range []uint64{2, 1<<40 - 2*blockKeys} { // at the beginning; at the end
		var b Entries
		for i := range uint64(4 * blockKeys) {
			key := i / blockKeys << 40
			if i%blockKeys > 0 {
				key += crowd + 2*(i%blockKeys-1)
			}
			b.Keys = append(b.Keys, key)
		}
		var asked []uint64
		for _, key := range b.Keys {
			asked = append(asked, key, key+1)
		}
		found := make([]bool, len(asked))
		set := &Set{segments: []*Reader{open(t, write(t, b))}}
		if err := set.Has(asked, found); err != nil {
			t.Fatal(err)
		}
		for i, ok := range found {
			if ok != (i%2 == 0) {
				t.Fatalf("crowd at %x: key %x: %v", crowd, asked[i], ok)
			}
		}
	}
}

// TestMergeKeysRefuses: damage, and keys that no checksum shows to be out of order, do not spread.
func TestMergeRefuses(t *testing.T) {
	var b Entries
	for i := range uint64(3 * blockKeys) {
		b.Keys = append(b.Keys, i<<50)
	}
	whole, err := os.ReadFile(write(t, b))
	if err != nil {
		t.Fatal(err)
	}
	for name, forge := range map[string]func([]byte) []byte{
		"a byte of the second block": func(d []byte) []byte { d[blockfile.HeaderSize+8*blockKeys+9] ^= 1; return d },
		"a key of the third block twice": func(d []byte) []byte {
			copy(d[blockfile.HeaderSize+8*2*blockKeys+8:], d[blockfile.HeaderSize+8*2*blockKeys:][:8])
			return seal(d)
		},
		"a block of keys that descend": func(d []byte) []byte {
			d[blockfile.HeaderSize+8*blockKeys+7] ^= 0x80
			return seal(d)
		},
	} {
		path := filepath.Join(t.TempDir(), "forged")
		os.WriteFile(path, forge(bytes.Clone(whole)), 0o666)
		forged := open(t, path)
		for _, others := range [][]*Reader{{}, {open(t, write(t, b))}} {
			w, err := Create(output.NewRun(io.Discard), filepath.Join(t.TempDir(), "new"), false, nil)
			if err != nil {
				t.Fatal(err)
			}
			err = w.addAll(&pair{a: &once{Entries{Keys: []uint64{1, 2, 3}}}, b: union(append(others, forged))})
			if err == nil {
				t.Errorf("%s, with %d others: merged", name, len(others))
			}
			if name[:6] == "a byte" && !errors.Is(err, blockfile.ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

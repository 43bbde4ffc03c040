package index

import (
	"math/rand/v2"
	"testing"
)

// What was put has the position it was given first, and nothing else has one.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const n = 1000
	var x Index
	if _, ok := x.Find(0); ok {
		t.Error("an empty index finds something")
	}
	positions := map[uint64]uint32{}
	for i := range uint32(n) {
		hash := 1 + random.Uint64N(2*n)
		at, added := x.Put(hash, i)
		if was, ok := positions[hash]; added == ok || ok && at != was || !ok && at != i {
			t.Fatalf("hash %d is put at %d, %v; it was at %d, %v", hash, at, added, was, ok)
		}
		positions[hash] = at
	}
	if x.Len() != len(positions) {
		t.Errorf("%d hashes, want %d", x.Len(), len(positions))
	}
	for hash := range uint64(3 * n) {
		at, ok := x.Find(hash)
		want, known := positions[max(hash, 1)]
		if ok != known || at != want && ok || x.Has(hash) != known {
			t.Errorf("hash %d is at %d, %v, want %d, %v", hash, at, ok, want, known)
		}
	}
}

// A cleared index has nothing of what it had, and becomes smaller from time to time, as it is
// needed smaller.
func TestClear(t *testing.T) {
	var x Index
	for i := range uint32(5000) {
		x.Put(uint64(i)+1, i)
	}
	for range 20 {
		x.Clear()
		if x.Len() != 0 {
			t.Fatalf("%d hashes are left", x.Len())
		}
		for hash := range uint64(5002) {
			if _, ok := x.Find(hash); ok || x.Has(hash) {
				t.Fatalf("%d is found after Clear", hash)
			}
		}
		x.Put(7, 3)
		if at, ok := x.Find(7); !ok || at != 3 {
			t.Fatalf("7 is at %d, %v", at, ok)
		}
	}
	if len(x.hashes) != smallest || smallest != 1<<(64-x.shift) {
		t.Errorf("%d slots for one hash, chosen by the %d highest bits", len(x.hashes), 64-x.shift)
	}
}

// Hashes that would share their slots in a table without a secret are spread in this one.
func TestForgedHashesAreSpread(t *testing.T) {
	var x Index
	const n = 20000
	for i := range uint64(n) {
		x.Put(i+1, uint32(i))
	}
	longest, run := 0, 0
	for _, hash := range x.hashes {
		if run++; hash == 0 {
			run = 0
		}
		longest = max(longest, run)
	}
	if longest > n/10 {
		t.Errorf("%d slots in a row are taken by %d hashes", longest, n)
	}
	for i := range uint64(n) {
		if at, ok := x.Find(i + 1); !ok || at != uint32(i) {
			t.Fatalf("%d is at %d, %v", i, at, ok)
		}
	}
}

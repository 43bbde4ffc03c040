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
		hash := random.Uint64N(2 * n)
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
		if want, known := positions[hash]; ok != known || at != want && ok {
			t.Errorf("hash %d is at %d, %v, want %d, %v", hash, at, ok, want, known)
		}
	}
}

// An index whose rounds have been used up forgets what the first round had.
func TestRoundsWrap(t *testing.T) {
	var x Index
	x.Put(7, 1)
	x.round = ^uint32(0)
	x.Put(8, 2)
	x.Clear()
	for _, hash := range []uint64{7, 8} {
		if _, ok := x.Find(hash); ok {
			t.Errorf("%d is found after Clear", hash)
		}
	}
	for _, hash := range []uint64{0, 7} { // an empty slot looks like hash 0 of round 0
		if at, added := x.Put(hash, 3); !added || at != 3 {
			t.Errorf("Put of %d gives %d, %v", hash, at, added)
		}
	}
}

// Hashes that would share their slots in a table without a secret are spread in this one.
func TestForgedHashesAreSpread(t *testing.T) {
	var x Index
	const n = 20000
	for i := range uint64(n) {
		x.Put(i, uint32(i))
	}
	longest, run := 0, 0
	for _, s := range x.slots {
		if run++; s.round != x.round {
			run = 0
		}
		longest = max(longest, run)
	}
	if longest > n/10 {
		t.Errorf("%d slots in a row are taken by %d hashes", longest, n)
	}
	for i := range uint64(n) {
		if at, ok := x.Find(i); !ok || at != uint32(i) {
			t.Fatalf("%d is at %d, %v", i, at, ok)
		}
	}
}

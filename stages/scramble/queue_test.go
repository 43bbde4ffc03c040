package main

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQueue holds the heap against sorting, with pushes and pops mixed.
func TestQueue(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var q queue
	var sorted []int
	for range 20_000 {
		if rnd.IntN(5) < 3 || len(sorted) == 0 {
			key := rnd.IntN(1000)
			q.push(turn{key: key})
			at, _ := slices.BinarySearch(sorted, key)
			sorted = slices.Insert(sorted, at, key)
			continue
		}
		if got := q.pop().key; got != sorted[0] {
			t.Fatalf("popped %d, want %d of %d", got, sorted[0], len(sorted))
		}
		sorted = sorted[1:]
	}
	if len(q) != len(sorted) || len(q) < 100 {
		t.Errorf("%d are left, want %d", len(q), len(sorted))
	}
}

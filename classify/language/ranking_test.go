package language

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRanking holds the order to that of a stable sort.
func TestRanking(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var r ranking
	for range 200 {
		counts := make([]int32, random.IntN(2*profileLength))
		var found []uint32
		for i := range counts {
			counts[i] = int32(1 + random.IntN(1+random.IntN(40)))
			found = append(found, uint32(i))
		}
		random.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		want := slices.Clone(found)
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(counts[b], counts[a]) })
		if got := r.order(found, counts); !slices.Equal(got, want[:min(len(want), profileLength)]) {
			t.Fatalf("%v with the counts %v are in order %v, want %v", found, counts, got, want)
		}
	}
}

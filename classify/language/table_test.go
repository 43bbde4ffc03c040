package language

import (
	"math/rand/v2"
	"testing"
)

// TestTable: what was added has the number it was given, and nothing else has one.
func TestTable(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const n = 1000
	table, numbers := newTable(), map[gram]int32{}
	for range n {
		g := 1 + gram(random.IntN(2*n))
		got := table.add(g)
		if want, ok := numbers[g]; ok && got != want || !ok && int(got) != len(numbers) {
			t.Fatalf("%d is added as %d", g, got)
		}
		numbers[g] = got
	}
	for g := gram(1); g < 3*n; g++ {
		want, ok := numbers[g]
		if !ok {
			want = -1
		}
		if got := table.of(g); got != want {
			t.Errorf("%d has the number %d, want %d", g, got, want)
		}
	}
}

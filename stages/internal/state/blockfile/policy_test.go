package blockfile

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPolicy simulates a growing state and holds the policy to its promises: few segments, each
// more than three times as large as the next, and entries written again a bounded number of times.
func TestPolicy(t *testing.T) {
	const ratio = 3
	rnd := rand.New(rand.NewPCG(3, 4))
	for name, next := range map[string]func() int64{
		"small":  func() int64 { return 100 },
		"steady": func() int64 { return 160_000 },
		"mixed":  func() int64 { return 1 << rnd.IntN(24) },
	} {
		var sizes []int64
		var added, written int64
		most := 0
		for range 5000 {
			size := next()
			k := Newest(sizes, size, ratio)
			added += size
			for _, s := range sizes[len(sizes)-k:] {
				size += s
			}
			written += size
			sizes = append(sizes[:len(sizes)-k], size)
			most = max(most, len(sizes))
			for i := range len(sizes) - 1 {
				if sizes[i] <= ratio*sizes[i+1] {
					t.Fatalf("%s: a segment of %d bytes in front of one of %d", name, sizes[i], sizes[i+1])
				}
			}
		}
		if bound := 2 + int(math.Log(float64(max(added, Lowest))/Lowest)/math.Log(ratio)); most > bound {
			t.Errorf("%s: %d segments at once, more than %d", name, most, bound)
		}
		if amplification := float64(written) / float64(added); amplification > 12 && name != "small" {
			t.Errorf("%s: every byte written %.1f times", name, amplification)
		} else {
			t.Logf("%s: %.1f times written, at most %d segments", name, amplification, most)
		}
	}
}

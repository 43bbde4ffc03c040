package centrality

import "testing"

// TestDue: ranks are computed anew when the links have grown by a tenth.
func TestDue(t *testing.T) {
	for _, c := range []struct {
		links, ranked uint64
		want          bool
	}{{0, 0, false}, {1, 0, true}, {1, 1, false}, {109, 100, false}, {110, 100, true}} {
		if got := Due(c.links, c.ranked); got != c.want {
			t.Errorf("%d links, %d when pages were ranked: due %v, want %v", c.links, c.ranked, got, c.want)
		}
	}
}

// TestScore: a score for each quarter of a doubling, from the least rank on.
func TestScore(t *testing.T) {
	for rank, want := range map[float32]float32{0: 0, 0.15: 0, 0.178: 0, 0.179: 1. / 63, 0.29: 3. / 63, 0.3001: 4. / 63,
		0.6001: 8. / 63, 8200: 62. / 63, 8270: 1, 1e30: 1} {
		if got := Score(rank); got != want {
			t.Errorf("rank %v has the score %v, want %v", rank, got, want)
		}
	}
}

package simulate

import (
	"cmp"
	"math"
	"slices"
)

// last is the last class of package order.
const last = 63

// classScore is a score that has the class in the order score.
func classScore(class uint8) float64 { return min(1, 1-(float64(class)-0.5)/last) }

// Oracle is scores by the weights of pages: with them the order score fetches those first that weigh
// most. Classes go by the logarithm of the number of pages that weigh more: they are finest for those
// that weigh most.
func Oracle(weights []float64) []float64 {
	pages := make([]int, len(weights))
	for i := range pages {
		pages[i] = i
	}
	slices.SortStableFunc(pages, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	scores, before := make([]float64, len(weights)), 0
	for i, p := range pages {
		if i > 0 && weights[p] < weights[pages[i-1]] {
			before = i
		}
		scores[p] = classScore(uint8(last * math.Log1p(float64(before)) / math.Log1p(float64(len(pages)))))
	}
	return scores
}

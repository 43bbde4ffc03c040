package rank

import (
	"math"
	"slices"
)

// Tau is Kendall's tau-b of two sequences of ranks for the same things,
//
//	(concordant − discordant pairs) / √( (pairs − ties in x)·(pairs − ties in y) )
//
// in O(n log n) steps, as Knight has it ("A Computer Method for Calculating Kendall's Tau with
// Ungrouped Data", 1966). Values that differ by less than tie are equal; NaN if all are equal in x
// or in y.
func Tau(x, y []float64, tie float64) float64 {
	n := len(x)
	a, b := levels(x, tie), levels(y, tie)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if a[i] != a[j] {
			return a[i] - a[j]
		}
		return b[i] - b[j]
	})
	byX, both := make([]int, n), make([][2]int, n)
	seq := make([]int, n)
	for at, i := range order {
		byX[at], both[at], seq[at] = a[i], [2]int{a[i], b[i]}, b[i]
	}
	swaps := sortCounting(seq, make([]int, n)) // leaves seq in order of y
	tiedX, tiedY, tiedBoth := tied(byX), tied(seq), tied(both)
	all := n * (n - 1) / 2
	return float64(all-tiedX-tiedY+tiedBoth-2*swaps) / math.Sqrt(float64(all-tiedX)*float64(all-tiedY))
}

// levels numbers the different values, in their order. A value belongs to the level of the one
// before it if they differ by less than tie.
func levels(values []float64, tie float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if values[i] < values[j] {
			return -1
		} else if values[i] > values[j] {
			return 1
		}
		return 0
	})
	level := make([]int, len(values))
	for at := 1; at < len(order); at++ {
		level[order[at]] = level[order[at-1]]
		if values[order[at]]-values[order[at-1]] >= tie && values[order[at]] != values[order[at-1]] {
			level[order[at]]++
		}
	}
	return level
}

// tied is the number of pairs that are equal in a sequence where equal values are neighbours.
func tied[T comparable](values []T) (pairs int) {
	run := 0
	for i := range values {
		if i > 0 && values[i] == values[i-1] {
			run++
		} else {
			run = 0
		}
		pairs += run
	}
	return pairs
}

// sortCounting sorts by merging and returns how many pairs stood in the wrong order.
func sortCounting(values, room []int) (swaps int) {
	if len(values) < 2 {
		return 0
	}
	half := len(values) / 2
	left, right := values[:half], values[half:]
	swaps = sortCounting(left, room) + sortCounting(right, room)
	merged := room[:0]
	for len(left) > 0 && len(right) > 0 {
		if right[0] < left[0] {
			swaps += len(left)
			merged, right = append(merged, right[0]), right[1:]
		} else {
			merged, left = append(merged, left[0]), left[1:]
		}
	}
	copy(values, append(append(merged, left...), right...))
	return swaps
}

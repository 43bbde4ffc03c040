// Package rank orders pages by PageRank and compares orders.
package rank

import "math"

// PageRank is the rank of each page by the links between them; the ranks add up to 1. A reader
// follows a link with probability damping and else goes anywhere, as he does from a page without
// links. The power iteration ends when a step changes the ranks by less than enough in all (L1).
func PageRank(links [][]int, damping, enough float64) []float64 {
	n := float64(len(links))
	rank, next := make([]float64, len(links)), make([]float64, len(links))
	for i := range rank {
		rank[i] = 1 / n
	}
	for change := math.Inf(1); change >= enough; {
		lost := 0.
		for i, to := range links {
			if len(to) == 0 {
				lost += rank[i]
			}
		}
		for i := range next {
			next[i] = (1 - damping + damping*lost) / n
		}
		for i, to := range links {
			share := damping * rank[i] / float64(len(to))
			for _, t := range to {
				next[t] += share
			}
		}
		change = 0
		for i := range rank {
			change += math.Abs(next[i] - rank[i])
		}
		rank, next = next, rank
	}
	return rank
}

// Inner is the links among some pages, which are renumbered in the order given.
func Inner(links [][]int, pages []int) [][]int {
	number := make(map[int]int, len(pages))
	for i, p := range pages {
		number[p] = i
	}
	inner := make([][]int, len(pages))
	for i, p := range pages {
		for _, to := range links[p] {
			if t, ok := number[to]; ok {
				inner[i] = append(inner[i], t)
			}
		}
	}
	return inner
}

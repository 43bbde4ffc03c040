package main

import (
	"fmt"
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
)

// TestMillion: crawls of a small synthetic web: the oracle is first, and each order has found more at the
// later point.
func TestMillion(t *testing.T) {
	l := advising(t)
	s := &l.Synthetic
	s.Models, s.Pages, s.Draws, s.Batch, s.Points = []string{"hierarchy"}, 20_000, 3, 20, []float64{5, 10}
	dir := resultstest.Write(t, func(c *results.Chapter) error { return million(l, c) })
	table := resultstest.Read(t, dir, "million-hierarchy")
	best := table.Number("at 10 %", "oracle")
	for _, order := range []string{"breadth", "depth", "random", "backlink", "opic"} {
		first, second := table.Number("at 5 %", order), table.Number("at 10 %", order)
		if first <= 0 || first >= second || second > best {
			t.Errorf("%s has found %.1f and %.1f %%, the oracle %.1f", order, first, second, best)
		}
	}
}

// TestAtPoints: of two hottest pages one is the first and one the third of a crawl; a crawl is counted at the
// points up to its end.
func TestAtPoints(t *testing.T) {
	l := quick(t)
	l.Synthetic.Pages, l.Synthetic.Points = 4, []float64{25, 75}
	hottest := []bool{false, true, false, true}
	for want, pages := range map[string][]uint32{"[50 100]": {1, 2, 3, 0}, "[0 50]": {0, 3, 2}, "[50]": {3, 2},
		"[]": nil} {
		if got := fmt.Sprint(l.atPoints(pages, hottest, 2)); got != want {
			t.Errorf("%v: %s, want %s", pages, got, want)
		}
	}
}

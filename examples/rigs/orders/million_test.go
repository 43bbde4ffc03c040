package main

import (
	"slices"
	"strings"
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
)

// TestMillion: crawls of a small synthetic web: the oracle is first, and each order has found more at the
// later point.
func TestMillion(t *testing.T) {
	l := advising(t)
	s := &l.Synthetic
	s.Pages, s.Draws, s.Batch, s.Points = 20_000, 3, 20, []float64{5, 10}
	dir := resultstest.Write(t, func(c *results.Chapter) error { return million(l, c) })
	table := resultstest.Read(t, dir, "million-"+s.Crawled[0])
	best := table.Number("at 10 %", "oracle")
	for _, order := range []string{"breadth", "depth", "random", "backlink", "opic"} {
		first, second := table.Number("at 5 %", order), table.Number("at 10 %", order)
		if first <= 0 || first >= second || second > best {
			t.Errorf("%s has found %.1f and %.1f %%, the oracle %.1f", order, first, second, best)
		}
	}
}

// TestCount: a crawl is counted up to its end, and each set of seeds on its own.
func TestCount(t *testing.T) {
	l := quick(t)
	l.Synthetic.Pages, l.Synthetic.Points = 4, []float64{25, 75}
	const printed = "order\tURL\tseeds\n" +
		"breadth\thttp://h0.test/0\tseeds0\nbreadth\thttp://h0.test/3\tseeds0\nbreadth\thttp://h0.test/1\tseeds0\n" +
		"breadth\thttp://h0.test/3\tseeds1\n" +
		"depth\thttp://h0.test/0\tseeds1\n"
	var got []any
	err := l.count(strings.NewReader(printed), "", []bool{false, true, false, true},
		func(set int, order string, share float64) { got = append(got, set, order, share) })
	want := []any{0, "breadth", 0., 0, "breadth", 100., 1, "breadth", 50., 1, "depth", 0.}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("counted %v, %v, want %v", got, err, want)
	}
	got = nil
	err = l.count(strings.NewReader("order\tURL\nbreadth\thttp://h0.test/1\n"), "seeds7",
		[]bool{false, true, false, false},
		func(set int, order string, share float64) { got = append(got, set, order, share) })
	if want := []any{7, "breadth", 100.}; err != nil || !slices.Equal(got, want) {
		t.Errorf("counted %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"breadth\thttp://h0.test/4\tseeds0\n", "breadth\thttp://h0.test/x\tseeds0\n",
		"breadth\thttp://h0.test/1\n"} {
		err := l.count(strings.NewReader("order\n"+bad), "", make([]bool, 4), func(int, string, float64) {})
		if err == nil {
			t.Errorf("%q was counted", bad)
		}
	}
}

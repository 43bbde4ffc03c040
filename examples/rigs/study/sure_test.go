package main

import (
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
)

// TestSureFirst: links of sure pages first save transfers and refetches, as these laws were grown;
// shuffled, confidence saves nothing, and at the end of the crawl no order does.
func TestSureFirst(t *testing.T) {
	l := invented(t)
	dir := resultstest.Write(t, func(c *results.Chapter) error { return sureFirst(l, c) })
	table := resultstest.Read(t, dir, "sure-citations")
	transfers := func(order, point string) float64 { return table.Number("over breadth first", order, point) }
	if sure, shuffled := transfers("sure first", "25"), transfers("sure shuffled", "25"); sure > 0.9 ||
		shuffled < 0.95 || transfers("own pages first", "25") > sure {
		t.Errorf("at 25 %% sure pages first make %.3f of the transfers of breadth first, shuffled %.3f, own pages "+
			"first %.3f",
			sure, shuffled, transfers("own pages first", "25"))
	}
	for _, order := range []string{"sure first", "sure first, raised", "sure shuffled", "own pages first"} {
		if end := transfers(order, "100"); end != 1 {
			t.Errorf("%s: %.3f of the transfers at the end", order, end)
		}
	}
	first, sure := table.Number("refetches a page", "breadth first", "25"), table.Number("refetches a page", "sure "+
		"first", "25")
	if sure >= first {
		t.Errorf("at 25 %% %.3f refetches a page, breadth first %.3f", sure, first)
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
)

// TestHouse: all experiments on webs of few pages, with the parameters of the file, make the tables and
// pictures of results/, with the same columns and rows, and RESULTS.md.
func TestHouse(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	l := &lab{script: "../../testdata/agrees/crawl.toml"}
	if err := results.Parameters("parameters.toml", &l.parameters); err != nil {
		t.Fatal(err)
	}
	l.build(t, "manager", "examples/testweb", "stages/advise", "stages/filter", "stages/frontier", "stages/resolve",
		"stages/fetch", "stages/extract")
	l.Draws, l.Prices, l.Synthetic.Draws = 2, 1, 2
	l.Synthetic.Pages, l.Synthetic.Batch = 2000, 10
	for _, name := range []string{"41 sites", "41 sites, by folder", "law16, citations", "law16, all links", "webkb"} {
		on := hubs(l, name, 100)
		on.hosts = !strings.HasPrefix(name, "law16")
		l.webs = append(l.webs, on)
	}
	l.sites = l.webs[0].Web
	dir := t.TempDir()
	if err := results.Run(l.experiments(), resultsText, dir, ""); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "RESULTS.md")); err != nil || len(text) < len(resultsText)/2 {
		t.Errorf("RESULTS.md has %d bytes: %v", len(text), err)
	}
	resultstest.SameShape(t, filepath.Join(dir, "results"), "results")
}

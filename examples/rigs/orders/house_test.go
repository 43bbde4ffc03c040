package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/examples/rigs/internal/results"
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
	made, kept := names(t, filepath.Join(dir, "results")), names(t, "results")
	if !slices.Equal(made, kept) {
		t.Errorf("the files are\n%q, in results/\n%q", made, kept)
	}
	for _, name := range made {
		if table, ok := strings.CutSuffix(name, ".tsv"); ok {
			if made, kept := shape(t, filepath.Join(dir, "results"), table), shape(t, "results", table); made != kept {
				t.Errorf("%s has\n%s\nin results/\n%s", name, made, kept)
			}
		}
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		all = append(all, f.Name())
	}
	return all
}

// shape is the columns of a table and the names of its rows.
func shape(t *testing.T, dir, name string) string {
	t.Helper()
	s, err := results.ReadSheet(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(s.Columns, " | ")
	for _, row := range s.Rows {
		all += "\n" + row[0]
		if name := slices.Index(s.Columns, "order"); name > 0 {
			all += " | " + row[1] + " | " + row[name]
		}
	}
	return all
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
)

// quick is a lab with the parameters of the file, made small, with the program advise.
func quick(t *testing.T) *lab {
	t.Helper()
	l := &lab{bin: t.TempDir()}
	if err := results.Parameters("parameters.toml", &l.parameters); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-o", l.bin+"/", "multitext/stages/advise").CombinedOutput()
	if err != nil {
		t.Fatalf("build advise: %v\n%s", err, out)
	}
	s := &l.Synthetic
	s.Pages, s.Topics, s.Draws, s.Batch = 400, 5, 2, 5
	return l
}

// TestHouse: all experiments on webs of few pages, with the parameters of the file, make the tables and
// pictures of results/, with the same columns and rows, and RESULTS.md.
func TestHouse(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	l := quick(t)
	for _, name := range []string{"law16, from others", "law16, from its own", "law16, by chapter", "webkb"} {
		f := &field{name: name, batch: 5, batches: l.Law16.Batches}
		if name == "webkb" {
			f.batches = l.WebKB.Batches
		}
		f.sites = name == "law16, by chapter"
		for n := range 2 {
			h := l.huntOn(n, plot{400, 5, 20, 6, 0.6, 0}, 0.9)
			if f.hunts = append(f.hunts, h); name != "webkb" {
				h.twin = l.hunting(n, h.Web, h.wanted, h.r, h.within, []uint32{1, 2, 3})
			}
		}
		l.fields = append(l.fields, f)
	}
	for _, name := range []string{"title, title", "chapter, chapter", "title, chapter"} {
		l.nodes = append(l.nodes, node{name, &field{name: name, batch: 5, hunts: l.fields[0].hunts}})
	}
	dir := t.TempDir()
	l.tongues = &field{name: "41 sites", batch: 5, hunts: l.fields[0].hunts}
	if err := results.Run(l.experiments(), resultsText, dir, ""); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "RESULTS.md")); err != nil || len(text) < len(resultsText)/2 {
		t.Errorf("RESULTS.md has %d bytes: %v", len(text), err)
	}
	resultstest.SameShape(t, filepath.Join(dir, "results"), "results")
}

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestBoundaryLinks walks X4's alternative (its section 7): every page stays with who found it, and
// the links of a boundary page go to the crawler that owns the page, once each. Who that is,
// classify pages says when it sends pages.
func TestBoundaryLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	var answers []answer
	for i := range 40 {
		answers = append(answers, answer{fmt.Sprint("http://a.test/", i), ok,
			about("arts", i) + fmt.Sprintf("<a href=http://l%d.test/><a href=http://all.test/>", i)})
	}
	in := batch(t, answers...)
	owners := sort(t, in, "-by", "content").others

	dir := t.TempDir()
	pages, found, ours := filepath.Join(dir, "pages.warc.gz"), filepath.Join(dir, "links.zst"),
		filepath.Join(dir, "ours.zst")
	file := worldFile(t, world)
	must(t, pagesVerb(), "", "-nodes", file, "-node", "arts", "-by", "content", "-links-only", "-mine", pages, in)
	if kept := records(t, pages); len(kept) != len(answers) {
		t.Errorf("%d pages of %d were kept", len(kept), len(answers))
	}
	extract(t, "-links", found, pages)
	must(t, linksVerb(), "", "-nodes", file, "-node", "arts", "-by", "owner", "-mine", ours, "-outgoing",
		filepath.Join(dir, "m"), found)

	theirs := sent(t, dir)
	if len(owners) < 3 || len(theirs) != len(owners) {
		t.Fatalf("pages are of %d others, and links of %d", len(owners), len(theirs))
	}
	count := len(stagetest.Lines(t, ours))
	for node, pages := range owners {
		want := []string{"http://all.test/\tdepth=1\tvia=" + pages[0]} // its other pages have it, too
		for _, url := range pages {
			want = append(want, fmt.Sprintf("http://l%s.test/\tdepth=1\tvia=%s",
				strings.TrimPrefix(url, "http://a.test/"), url))
			count += 2
		}
		if got := theirs[node]; !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s got %q, want %q", node, got, want)
		}
	}
	if count != 2*len(answers) {
		t.Errorf("%d links of %d", count, 2*len(answers))
	}
}

// extract runs the stage of that name.
func extract(t *testing.T, args ...string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "extract")
	for _, cmd := range []*exec.Cmd{
		exec.CommandContext(t.Context(), "go", "build", "-o", program, "multitext/stages/extract"),
		exec.CommandContext(t.Context(), program, args...),
	} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
}

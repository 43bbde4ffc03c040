package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"multitext/examples/rigs/internal/sets"
)

// fetchedUntil has advise crawl a set for the pages of a label, in some orders, and returns how
// many pages each fetches until half of them are found. With mixed any pages are wanted, as many as
// have the label.
func fetchedUntil(t *testing.T, l *lab, set *sets.Set, label string, mixed bool, orders ...string) map[string]int {
	t.Helper()
	var links, seeds, wanted strings.Builder
	of := rand.New(rand.NewPCG(7, 7)).Perm(len(set.Samples))
	hosts := map[string]bool{}
	for i, p := range set.Web.Pages {
		for _, to := range append([]int{i}, p.Links...) {
			fmt.Fprintf(&links, "%s\tvia=%s\n", set.Samples[to].Name, p.URL)
		}
		from := i
		if mixed {
			from = of[i]
		}
		if set.Samples[from].Label == label {
			fmt.Fprintln(&wanted, p.URL)
		}
		if !hosts[p.Host] && len(p.Links) > 0 {
			hosts[p.Host] = true
			fmt.Fprintln(&seeds, p.URL)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string]*strings.Builder{"links": &links, "seeds": &seeds, "wanted": &wanted} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(l.bin, "advise"), "-urls", "20", "-order", strings.Join(orders, " "), "-seeds",
		filepath.Join(dir, "seeds"), "-wanted", filepath.Join(dir, "wanted"), filepath.Join(dir, "links"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	t.Logf("%s, %s, mixed %v\n%s", set.Name, label, mixed, out)
	until := map[string]int{}
	for _, order := range orders {
		row := regexp.MustCompile(`(?m)^ *` + regexp.QuoteMeta(order) + ` +\d+ +(\d+) `).FindSubmatch(out)
		if row == nil {
			t.Fatalf("no row of %s", order)
		}
		until[order], _ = strconv.Atoi(string(row[1]))
	}
	return until
}

// TestLearned: the order learned finds the sections of one title of the law, whose number is in
// their URLs, long before breadth does. It has learned that: where any pages are wanted instead, it
// is no better than chance.
func TestLearned(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	law, err := sets.Law16("../../../../shared/data")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the set law16 is not beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	l := advising(t)
	until := fetchedUntil(t, l, &law.Set, "16", false, "breadth", "random", "learned")
	if 4*until["learned"] > until["breadth"] || 4*until["learned"] > until["random"] {
		t.Errorf("half of the wanted are found after %v pages; want learned in a fourth of the others", until)
	}
	until = fetchedUntil(t, l, &law.Set, "16", true, "breadth", "random", "learned")
	if 4*until["learned"] < 3*until["random"] {
		t.Errorf("half of any pages are found after %v pages; want learned no better than chance", until)
	}
}

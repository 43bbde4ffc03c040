package resultstest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"multitext/examples/rigs/internal/results"
)

// SameShape fails the test where two folders of results do not have the same files, and in these the same
// tables: their columns, and the names of their rows.
func SameShape(t *testing.T, made, kept string) {
	t.Helper()
	files := names(t, made)
	if all := names(t, kept); !slices.Equal(files, all) {
		t.Errorf("the files are\n%q, in %s\n%q", files, kept, all)
	}
	for _, name := range files {
		if table, ok := strings.CutSuffix(name, ".tsv"); ok {
			if made, kept := shape(t, made, table), shape(t, kept, table); made != kept {
				t.Errorf("%s has\n%s\nin the folder that is kept\n%s", name, made, kept)
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

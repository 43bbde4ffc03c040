// Package resultstest helps to test experiments: it makes chapters in folders of a test, and reads
// their tables.
package resultstest

import (
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"multitext/examples/rigs/internal/results"
)

// Write makes an experiment and returns the folder with what it wrote.
func Write(t *testing.T, do func(*results.Chapter) error) string {
	t.Helper()
	dir := t.TempDir()
	c, err := results.NewChapter(dir, "chapter")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(do(c), c.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A Sheet fails the test where a cell is missing.
type Sheet struct {
	results.Sheet
	t *testing.T
}

// Read reads a table.
func Read(t *testing.T, dir, name string) Sheet {
	t.Helper()
	s, err := results.ReadSheet(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return Sheet{s, t}
}

// Text is what stands in a column of the row that begins with these cells.
func (s Sheet) Text(column string, begin ...string) string {
	s.t.Helper()
	cell, err := s.Cell(column, begin...)
	if err != nil {
		s.t.Fatal(err)
	}
	return cell
}

// Number is the number in a column of the row that begins with these cells, or the median; NaN for
// "–".
func (s Sheet) Number(column string, begin ...string) float64 {
	s.t.Helper()
	cell := s.Text(column, begin...)
	if cell == "–" {
		return math.NaN()
	}
	median, _, _ := strings.Cut(cell, " ")
	x, err := strconv.ParseFloat(median, 64)
	if err != nil {
		s.t.Fatalf("%s: %v in column %s", s.Name, err, column)
	}
	return x
}

// TextIsOfTables fails the test where RESULTS.md in the folder of the test is not what its text and
// the tables beside it say: it is never edited by hand, nor left behind by them.
func TextIsOfTables(t *testing.T, text string) {
	t.Helper()
	want, err := os.ReadFile("RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := results.Print(&b, text, "results"); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(b.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d of RESULTS.md is not what RESULTS.tmpl and results/ give: print it anew\nis   %q\n"+
				"want %q", i+1, line, got[min(i, len(got)-1)])
		}
	}
	if len(got) != len(strings.Split(string(want), "\n")) {
		t.Error("RESULTS.md ends too early")
	}
}

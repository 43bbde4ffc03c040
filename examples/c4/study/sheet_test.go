package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// write makes an experiment and returns the folder with what it wrote.
func write(t *testing.T, l *lab, do func(*lab, *chapter) error) string {
	t.Helper()
	dir := t.TempDir()
	c, err := newChapter(dir, "chapter")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(do(l, c), c.close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A sheet is a table that was written: rows by the text of their first cells, cells by their column.
type sheet struct {
	t       *testing.T
	name    string
	columns []string
	rows    [][]string
}

func read(t *testing.T, dir, name string) sheet {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	s := sheet{t: t, name: name}
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		cells := strings.Split(line, "\t")
		if i == 0 {
			s.columns = cells
			continue
		}
		if len(cells) != len(s.columns) {
			t.Fatalf("%s: a row of %d cells under %d columns: %q", name, len(cells), len(s.columns), line)
		}
		s.rows = append(s.rows, cells)
	}
	return s
}

// number is the number in a column of the row that begins with these cells, or the median; NaN for "–".
func (s sheet) number(column string, begin ...string) float64 {
	s.t.Helper()
	for _, row := range s.rows {
		if strings.Join(row[:len(begin)], "\t") != strings.Join(begin, "\t") {
			continue
		}
		for i, name := range s.columns {
			if name == column {
				if row[i] == "–" {
					return math.NaN()
				}
				median, _, _ := strings.Cut(row[i], " ")
				x, err := strconv.ParseFloat(median, 64)
				if err != nil {
					s.t.Fatalf("%s: %v in column %s", s.name, err, column)
				}
				return x
			}
		}
	}
	s.t.Fatalf("%s has no column %q in a row %q", s.name, column, begin)
	return 0
}

package main

import (
	"errors"
	"math"
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

// A tested sheet fails the test where a cell is missing.
type tested struct {
	sheet
	t *testing.T
}

func read(t *testing.T, dir, name string) tested {
	t.Helper()
	s, err := readSheet(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return tested{s, t}
}

// text is what stands in a column of the row that begins with these cells.
func (s tested) text(column string, begin ...string) string {
	s.t.Helper()
	cell, err := s.cell(column, begin...)
	if err != nil {
		s.t.Fatal(err)
	}
	return cell
}

// number is the number in a column of the row that begins with these cells, or the median; NaN for
// "–".
func (s tested) number(column string, begin ...string) float64 {
	s.t.Helper()
	cell := s.text(column, begin...)
	if cell == "–" {
		return math.NaN()
	}
	median, _, _ := strings.Cut(cell, " ")
	x, err := strconv.ParseFloat(median, 64)
	if err != nil {
		s.t.Fatalf("%s: %v in column %s", s.name, err, column)
	}
	return x
}

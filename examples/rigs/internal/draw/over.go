package draw

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// TableOver is one table of several that differ in their cells only, each made of a draw of its
// own. A cell that is the same in all stays; of numbers it becomes the median and in brackets a band;
// of words, how many of the draws have each. The band leaves out a share of the draws at each end: with
// 0 it is from the least to the greatest, with 0.1 from the 10th to the 90th of a hundred parts.
func TableOver(draws []*Table, outside float64) (*Table, error) {
	t := *draws[0]
	t.Rows = nil
	for r, row := range draws[0].Rows {
		var cells []string
		for c := range row {
			var of []string
			for _, d := range draws {
				if len(d.Rows) != len(draws[0].Rows) || len(d.Rows[r]) != len(row) {
					return nil, fmt.Errorf("the tables %s of %d draws do not have the same rows", t.Name, len(draws))
				}
				of = append(of, d.Rows[r][c])
			}
			cells = append(cells, cellOver(of, outside))
		}
		t.Add(cells...)
	}
	return &t, nil
}

func cellOver(cells []string, outside float64) string {
	if len(slices.Compact(slices.Clone(cells))) == 1 {
		return cells[0]
	}
	var values []float64
	digits := 0
	for _, cell := range cells {
		if cell == none {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return votes(cells)
		}
		_, fraction, _ := strings.Cut(cell, ".")
		values, digits = append(values, v), len(fraction)
	}
	b := bandOf(values, outside)
	return fmt.Sprintf("%.*f (%.*f to %.*f)", digits, b.median, digits, b.low, digits, b.high)
}

// votes tells how many of the cells say what.
func votes(cells []string) string {
	var said []string
	sorted := slices.Sorted(slices.Values(cells))
	for len(sorted) > 0 {
		n := 0
		for n < len(sorted) && sorted[n] == sorted[0] {
			n++
		}
		said = append(said, fmt.Sprintf("%s in %d of %d", sorted[0], n, len(cells)))
		sorted = sorted[n:]
	}
	return strings.Join(said, ", ")
}

// A band is where some values lie.
type band struct{ low, median, high float64 }

func bandOf(values []float64, outside float64) band {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	out := int(math.Round(outside * float64(n-1)))
	return band{s[out], (s[(n-1)/2] + s[n/2]) / 2, s[n-1-out]}
}

// ChartOver is one chart of several that differ in the heights of their points only: its lines are
// the medians, each on a band as TableOver has it.
func ChartOver(draws []*Chart, outside float64) *Chart {
	c := *draws[0]
	c.Lines = nil
	for i, l := range draws[0].Lines {
		line := Line{Name: l.Name, X: l.X}
		for j := range l.X {
			var of []float64
			for _, d := range draws {
				of = append(of, d.Lines[i].Y[j])
			}
			b := bandOf(of, outside)
			line.Low, line.Y, line.High = append(line.Low, b.low), append(line.Y, b.median), append(line.High, b.high)
		}
		c.Lines = append(c.Lines, line)
	}
	return &c
}

// MatrixOver is the sum of several matrices.
func MatrixOver(draws []*Matrix) *Matrix {
	m := *draws[0]
	m.Counts = nil
	for i, row := range draws[0].Counts {
		sum := make([]int, len(row))
		for _, d := range draws {
			for j, n := range d.Counts[i] {
				sum[j] += n
			}
		}
		m.Counts = append(m.Counts, sum)
	}
	return &m
}

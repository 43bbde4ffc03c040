package draw

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTableOver(t *testing.T) {
	rows := [][]string{{"x", "5", "1.0", "yes", "–", "3"}, {"x", "5", "4.0", "no", "0.50", "3"},
		{"x", "5", "2.5", "yes", "0.25", "3"}, {"x", "5", "-1.5", "yes", "0.75", "3"}}
	var draws []*Table
	for _, row := range rows {
		draws = append(draws, &Table{Name: "t", Columns: []string{"a", "b", "c", "d", "e", "f"}, Rows: [][]string{row}})
	}
	got, err := TableOver(draws, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"x", "5", "1.8 (-1.5 to 4.0)", "no in 1 of 4, yes in 3 of 4", "0.50 (0.25 to 0.75)",
		"3"}; !slices.Equal(got.Rows[0], want) {
		t.Errorf("the row is %q, want %q", got.Rows[0], want)
	}
	draws[2].Add("one", "more")
	if _, err := TableOver(draws, 0); err == nil {
		t.Error("tables of different rows were made one")
	}
}

// TestBandOutside: of 20 draws, a tenth at each end is two.
func TestBandOutside(t *testing.T) {
	var draws []*Table
	for i := range 20 {
		draws = append(draws, &Table{Rows: [][]string{{strconv.Itoa(i)}}})
	}
	got, err := TableOver(draws, 0.1)
	if err != nil || got.Rows[0][0] != "10 (2 to 17)" {
		t.Errorf("%q, %v", got.Rows[0], err)
	}
}

func TestChartOver(t *testing.T) {
	var draws []*Chart
	for _, y := range []float64{3, 1, 2} {
		draws = append(draws, &Chart{Lines: []Line{{Name: "l", X: []float64{0, 10}, Y: []float64{y, 10 * y}}}})
	}
	c := ChartOver(draws, 0)
	if l := c.Lines[0]; !slices.Equal(l.Y, []float64{2, 20}) || !slices.Equal(l.Low, []float64{1, 10}) ||
		!slices.Equal(l.High, []float64{3, 30}) {
		t.Errorf("the line is %+v", l)
	}
	var b strings.Builder
	if err := c.SVG(&b); err != nil {
		t.Fatal(err)
	}
	// The band is from 1 to 3 at the left and from 10 to 30 at the right.
	if at := drawn(t, b.String(), "1043A9"); len(at) != 4 ||
		math.Abs((at[2][1]-at[1][1])/(at[3][1]-at[0][1])-10) > 0.01 ||
		math.Abs((at[2][1]-at[1][1])/(at[1][1]-at[0][1])-20./9) > 0.01 {
		t.Errorf("the band is at %v in\n%s", at, b.String())
	}
	c.Lines[0].High[0] = math.NaN()
	b.Reset()
	if err := c.SVG(&b); err != nil || strings.Contains(b.String(), "NaN") {
		t.Error("a point that is none is drawn")
	}
}

func TestMatrixOver(t *testing.T) {
	one, two := &Matrix{Counts: [][]int{{1, 2}, {3, 4}}}, &Matrix{Counts: [][]int{{10, 20}, {30, 40}}}
	if m := MatrixOver([]*Matrix{one, two}); !slices.Equal(m.Counts[1], []int{33, 44}) || one.Counts[1][0] != 3 {
		t.Errorf("the sum is %v", m.Counts)
	}
}

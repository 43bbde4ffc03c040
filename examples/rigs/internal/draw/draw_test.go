package draw

import (
	"encoding/xml"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	table := Table{Title: "T", Note: "N.", Columns: []string{"a", "b"}}
	table.Add("x", Percent(0.123))
	table.Add("y", Percent(math.NaN()))
	var md, tsv strings.Builder
	if err := table.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	if want := "### T\n\nN.\n\n| a | b |\n| --- | ---: |\n| x | 12.3 |\n| y | – |\n\n"; md.String() != want {
		t.Errorf("the table is\n%s", md.String())
	}
	if err := table.TSV(&tsv); err != nil {
		t.Fatal(err)
	}
	if want := "a\tb\nx\t12.3\ny\t–\n"; tsv.String() != want {
		t.Errorf("the values are\n%s", tsv.String())
	}
}

func TestChart(t *testing.T) {
	for _, log := range []bool{false, true} {
		c := Chart{Title: "a < b", Log: log, Lines: []Line{
			{Name: "one", X: []float64{0, 5, 10}, Y: []float64{1, 10, 100}},
			{Name: "two", X: []float64{0, 10}, Y: []float64{math.NaN(), 0}},
		}}
		var b strings.Builder
		if err := c.SVG(&b); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal([]byte(b.String()), new(struct{})); err != nil {
			t.Errorf("the picture is no XML: %v", err)
		}
		middle := `points="64.0,350.8 344.0,322.0 624.0,34.0 "`
		if log {
			middle = `points="64.0,354.0 344.0,194.0 624.0,34.0 "`
		}
		if !strings.Contains(b.String(), middle) {
			t.Errorf("there is no line through %s in\n%s", middle, b.String())
		}
		if strings.Contains(b.String(), "NaN") {
			t.Error("a point that is none is drawn")
		}
	}
}

func TestMatrix(t *testing.T) {
	m := Matrix{Title: "m", Names: []string{"a", "b"}, Counts: [][]int{{3, 1}, {0, 0}}}
	var b strings.Builder
	if err := m.SVG(&b); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(b.String()), new(struct{})); err != nil {
		t.Errorf("the picture is no XML: %v", err)
	}
	if !strings.Contains(b.String(), ">75<") || !strings.Contains(b.String(), ">25<") {
		t.Errorf("the shares of the first row are missing:\n%s", b.String())
	}
	b.Reset()
	if err := m.TSV(&b); err != nil {
		t.Fatal(err)
	}
	if want := "from, to\ta\tb\na\t3\t1\nb\t0\t0\n"; b.String() != want {
		t.Errorf("the numbers are\n%s", b.String())
	}
}

// TestPoint: points go to the line of their name, which is made with the first.
func TestPoint(t *testing.T) {
	c := &Chart{}
	c.Point("a", 1, 10)
	c.Point("b", 1, 20)
	c.Point("a", 2, 30)
	want := []Line{{Name: "a", X: []float64{1, 2}, Y: []float64{10, 30}},
		{Name: "b", X: []float64{1}, Y: []float64{20}}}
	if !reflect.DeepEqual(c.Lines, want) {
		t.Errorf("the lines are %+v", c.Lines)
	}
}

package draw

import (
	"encoding/xml"
	"fmt"
	"math"
	"reflect"
	"regexp"
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
		// The points of the first line are at the left edge, in the middle and at the right edge;
		// the one in the middle is at a tenth of the height, or in its middle by the logarithm.
		middle := 0.1
		if log {
			middle = 0.5
		}
		at := drawn(t, b.String(), "1144AA")
		floor := at[0][1] // of 1; the axis of the other begins at 0
		if !log {
			floor -= (at[2][1] - floor) / 99
		}
		if len(at) != 3 || math.Abs(at[1][0]-(at[0][0]+at[2][0])/2) > 0.01 ||
			math.Abs((at[1][1]-floor)/(at[2][1]-floor)-middle) > 0.01 {
			t.Errorf("the line is at %v", at)
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

// drawn are the points of the last line or area of a colour; the vertical axis is upward.
func drawn(t *testing.T, svg, colour string) (points [][2]float64) {
	t.Helper()
	all := regexp.MustCompile(`<path d="M([^"Z]*)Z?" style="[^"]*#`+colour).FindAllStringSubmatch(svg, -1)
	if len(all) < 1 {
		t.Fatalf("nothing is drawn in %s:\n%s", colour, svg)
	}
	for _, point := range strings.Split(all[len(all)-1][1], "L") {
		var x, y float64
		if _, err := fmt.Sscanf(point, "%f,%f", &x, &y); err != nil {
			t.Fatal(err)
		}
		points = append(points, [2]float64{x, y})
	}
	return points
}

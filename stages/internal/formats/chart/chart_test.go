package chart

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// TestChart: a picture is XML whatever its texts are, has its plots one below the other, and names
// no font but a generic one.
func TestChart(t *testing.T) {
	first, second := New("<&\"\x1b\xff\u202e"), New("second")
	line := &plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 10, Y: 2}}, LineStyle: plotter.DefaultLineStyle}
	line.Color = Color(7)
	first.Add(line)
	first.Legend.Add("</svg>", line)
	first.Y.Tick.Marker = Ticks(func(v float64) string { return fmt.Sprintf("%.1f KB/s", v) })
	var b strings.Builder
	if err := Write(&b, 100, first, second); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(b.String()), new(struct{})); err != nil {
		t.Errorf("no XML: %v", err)
	}
	for _, want := range []string{"stroke:#CC3333", ">&lt;/svg&gt;</text>", ">2.0 KB/s</text>",
		`width="1000" height="200"`,
		"&lt;&amp;&#34;\ufffd\ufffd\ufffd</text>", "font-family:sans-serif"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "Liberation") {
		t.Error("a font is named that the reader may not have")
	}
	height := func(text string) (y float64) {
		before, _, _ := strings.Cut(b.String(), text+"</text>")
		at := before[strings.LastIndex(before, ` y="`):]
		if _, err := fmt.Sscanf(at, ` y="%f"`, &y); err != nil {
			t.Fatal(err)
		}
		return y
	}
	if y1, y2 := height("\ufffd"), height("second"); math.Abs(y2-y1-100) > 0.01 {
		t.Errorf("the titles are at %v and %v", y1, y2)
	}
}

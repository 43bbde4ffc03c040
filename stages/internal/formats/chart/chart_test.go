package chart

import (
	"encoding/xml"
	"strings"
	"testing"
)

// TestChart: a picture is XML, whatever its texts are, and has its lines where the scales say.
func TestChart(t *testing.T) {
	var b strings.Builder
	err := Chart{Title: `<&"` + "\x1b\xff", Height: 100, Panels: []Panel{
		{Title: "first", Right: 10, Top: 2, From: "0", To: "10", Marks: []Mark{{1, "one"}}, Lines: []Line{
			{Name: "</svg>", Color: "#14a", Width: 2, Points: []Point{{0, 0}, {5, 1}, {10, 3}}},
			{Color: "#c33", Width: 1, Dashed: true, Faint: true, Points: []Point{{0, 2}}}}},
		{Right: 1, Top: 1},
	}}.Write(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(b.String()), new(struct{})); err != nil {
		t.Errorf("no XML: %v", err)
	}
	for _, want := range []string{
		// The frame of the first panel is 900 by 100 pixels at 76, 40.
		`<polyline fill="none" stroke="#14a" stroke-width="2" points="76.0,140.0 526.0,90.0 976.0,40.0 "/>`,
		`stroke="#c33" stroke-width="1" stroke-dasharray="2 2" stroke-opacity="0.35" points="76.0,40.0 "/>`,
		`<text x="72" y="94" text-anchor="end">one</text>`, `fill="#14a">&lt;/svg&gt;</text>`,
		`<rect x="76" y="174" width="900" height="100"`, `width="996" height="308"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, &b)
		}
	}
}

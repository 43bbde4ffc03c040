package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// a picture is anything that this package draws.
type picture interface {
	SVG() ([]byte, error)
	Text() string
}

var start = time.Date(2026, 11, 23, 17, 0, 0, 0, time.UTC)

// hostile is a name that a page may have put into a crawl.
const hostile = "</text><script>alert(1)</script> \" style=\"font-family:Liberation Sans\x1b[2J\xff\n\u202e'&"

// lines are n lines of m values.
func lines(n, m int, stacked bool) *Lines {
	l := &Lines{Title: "Records a second", Width: 760, Height: 240, From: start, To: start.Add(time.Hour),
		Unit: CountPerSecond, Stacked: stacked}
	for i := range n {
		line := Line{Name: fmt.Sprint("stage", i)}
		for j := range m {
			line.Values = append(line.Values, float64(i+1)*100*(1.1+math.Sin(float64(j+5*i)/15)))
		}
		l.Lines = append(l.Lines, line)
	}
	return l
}

func pictures(name string) map[string]picture {
	gap := lines(3, 60, false)
	gap.Title, gap.Lines[0].Name = name, name
	gap.Lines[1].Values[20] = math.NaN()
	stack := lines(4, 60, true)
	stack.Title, stack.Lines[1].Name, stack.Unit = name, name, Bytes
	stack.Lines[2].Values = nil
	third := []float64{1. / 3, 1. / 3, 1, 0, math.NaN()}
	return map[string]picture{"lines": gap, "stacked": stack,
		"rows": &Rows{Title: name, Width: 760, From: start, To: start.Add(3 * 24 * time.Hour),
			Kinds: []Kind{{name, 0x123456}, {Name: "waits"}},
			Rows: []Row{{name, [][]float64{third, {2. / 3, 0, 0, 1, 0}}}, {"fetch", [][]float64{{0, 1, 1, 0, 0}}},
				{Name: "idle"}}},
		"boxes": &Boxes{Title: name, Width: 760, Unit: Seconds, Boxes: []Box{{name, []float64{0.01, 2, 3, 4, 500}},
			{Name: "none"}, {"one", []float64{1, 0, math.NaN()}}}},
		"empty": &Lines{Title: name, Width: 300, Height: 100, From: start, To: start},
	}
}

// TestHostile: a picture is well-formed XML whatever the names in it, with no element but those
// that draw, and no attribute that refers to anything.
func TestHostile(t *testing.T) {
	known := map[string]bool{"svg": true, "title": true, "rect": true, "g": true, "path": true, "text": true}
	for kind, p := range pictures(hostile) {
		t.Run(kind, func(t *testing.T) {
			text, err := p.SVG()
			if err != nil {
				t.Fatal(err)
			}
			texts := 0
			for in := xml.NewDecoder(bytes.NewReader(text)); ; {
				token, err := in.Token()
				if err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("no XML: %v in\n%s", err, text)
				}
				element, ok := token.(xml.StartElement)
				if !ok {
					continue
				}
				if !known[element.Name.Local] {
					t.Errorf("element %s", element.Name.Local)
				}
				for _, a := range element.Attr {
					if strings.Contains(a.Value, "url(") || a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") {
						t.Errorf("attribute %s=%q", a.Name.Local, a.Value)
					}
				}
				if element.Name.Local == "text" {
					texts++
				}
			}
			if texts < 4 {
				t.Errorf("only %d texts:\n%s", texts, text)
			}
			if bytes.ContainsAny(text, "\x1b\xff") || bytes.Contains(text, []byte("\u202e")) {
				t.Error("a control character is left")
			}
			if strings.ContainsAny(p.Text(), "\x1b\n") {
				t.Errorf("the text has control characters: %q", p.Text())
			}
		})
	}
}

// TestGeneric: the fonts are those of the reader, and nothing in a picture says that a library's
// are needed.
func TestGeneric(t *testing.T) {
	for kind, p := range pictures("fetch") {
		text, err := p.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("Liberation")) || !bytes.Contains(text, []byte(`font-family="sans-serif"`)) {
			t.Errorf("%s: the font is another:\n%s", kind, text)
		}
		if bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Inf")) {
			t.Errorf("%s: a value that is none is drawn", kind)
		}
		again, err := p.SVG()
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("%s: the second picture differs (%v)", kind, err)
		}
		if dir := os.Getenv("CHARTS"); dir != "" {
			if err := os.WriteFile(dir+"/"+kind+".svg", text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// paths are the places of the polylines and areas of a picture that have a colour.
func paths(t *testing.T, p picture, color string) (found []string) {
	t.Helper()
	text, err := p.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`<path d="([^"]*)" style="([^"]*)"`).FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[2], color) {
			found = append(found, m[1])
		}
	}
	return found
}

// TestGap: a line is cut where a value is unknown, and a value between two gaps is seen.
func TestGap(t *testing.T) {
	nan := math.NaN()
	l := &Lines{Width: 400, Height: 200, From: start, To: start.Add(time.Minute), Lines: []Line{
		{"gaps", []float64{1, 1, nan, 2, nan, nan}}, {Name: "none"}}}
	found := paths(t, l, "#0072B2")
	if len(found) != 3 { // and one in the legend
		t.Fatalf("the line is in %d parts: %q", len(found)-1, found)
	}
	if n := strings.Count(found[2], "L"); n != 2 {
		t.Errorf("the value between two gaps is %q", found[2])
	}
	want := "least 1, greatest 2, last 2. none: no values."
	if !strings.HasSuffix(l.Text(), want) {
		t.Errorf("the text is %q, want it to end in %q", l.Text(), want)
	}
}

// TestStacked: the upper edge of the last area is the sum of all lines, and the axis reaches it.
func TestStacked(t *testing.T) {
	l := &Lines{Width: 400, Height: 200, From: start, To: start.Add(time.Minute), Stacked: true, Lines: []Line{
		{"a", []float64{1, 3}}, {Name: "none"}, {"b", []float64{math.NaN(), 5}}}}
	text, err := l.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), ">8</text>") && !strings.Contains(string(text), ">7.5</text>") {
		t.Errorf("the axis does not reach 8:\n%s", text)
	}
	if found := paths(t, l, "fill:#009E73"); len(found) != 2 || strings.Count(found[1], "L") != 3 {
		t.Errorf("the area of the third line is %q", found)
	}
}

// TestRows: the area of the second kind stands on that of the first.
func TestRows(t *testing.T) {
	r := &Rows{From: start, To: start.Add(day), Kinds: make([]Kind, 2), Rows: []Row{{"a", [][]float64{{0.5}, {0.25}}}}}
	var edges []float64
	for _, band := range r.bands(r.Rows[0], 3) {
		edges = append(edges, band.XYs[0][3].Y, band.XYs[0][0].Y)
	}
	if want := []float64{3, 3 + 0.5*rowShare, 3 + 0.5*rowShare, 3 + 0.75*rowShare}; !slices.Equal(edges, want) {
		t.Errorf("the areas are between %v, want %v", edges, want)
	}
}

// TestBounded: however many values a line has, its picture has the size of MaxPoints values, and
// the mean stays.
func TestBounded(t *testing.T) {
	few, err := lines(2, MaxPoints, false).SVG()
	if err != nil {
		t.Fatal(err)
	}
	many, err := lines(2, 100*MaxPoints+7, false).SVG()
	if err != nil {
		t.Fatal(err)
	}
	if len(many) > len(few)*5/4 {
		t.Errorf("%d bytes, beside %d", len(many), len(few))
	}
	if got := thinned([]float64{1, 2}); len(got) != 2 {
		t.Errorf("few values became %v", got)
	}
	values := make([]float64, 2*MaxPoints)
	for i := range values {
		values[i] = float64(i % 2)
	}
	values[0] = math.NaN()
	if got := thinned(values); len(got) != MaxPoints || got[0] != 1 || got[1] != 0.5 {
		t.Errorf("%d values, the first %v", len(got), got[:2])
	}
	if _, err := (&Lines{Width: 1e6, Height: 100, From: start, To: start}).SVG(); err == nil {
		t.Error("a picture of a million pixels was drawn")
	}
}

func TestTexts(t *testing.T) {
	all := pictures("fetch")
	for kind, want := range map[string]string{
		"rows": "fetch, 2026-11-23 17:00:00 to 2026-11-26 17:00:00 UTC. fetch: fetch 42 %, waits 33 %. " +
			"fetch: fetch 40 %. idle: nothing.",
		"boxes": "fetch. fetch: least 10ms, median 3s, greatest 8m20s. none: no values. " +
			"one: least 1s, median 1s, greatest 1s.",
		"empty": "fetch, 2026-11-23 17:00:00 to 17:00:00 UTC.",
	} {
		if got := all[kind].Text(); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}

// BenchmarkLines draws what a page of a crawl with twelve stages shows.
func BenchmarkLines(b *testing.B) {
	l := lines(12, 300, false)
	for b.Loop() {
		text, err := l.SVG()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(text)), "bytes")
	}
}

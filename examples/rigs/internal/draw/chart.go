package draw

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const width, height = 834, 398 // of a chart, in pixels

var colours = []color.NRGBA{{0x11, 0x44, 0xaa, 255}, {0xcc, 0x33, 0x33, 255}, {0, 0x88, 0, 255}, {0xaa, 0x66, 0, 255},
	{0x88, 0, 0x88, 255}, {0, 0x88, 0x88, 255}, {0x55, 0x55, 0x55, 255}, {0xbb, 0, 0xbb, 255}, {0x66, 0x66, 0, 255}}

// A Line is points from left to right. A point whose Y is NaN is left out. Low and High, if there
// are any, are the edges of a band that the line is drawn on.
type Line struct {
	Name      string
	X, Y      []float64
	Low, High []float64
}

// A Chart is lines over one another.
type Chart struct {
	Name  string // of its file
	Title string
	X, Y  string // what the axes show
	Log   bool   // Y by its logarithm; points at 0 or below are left out
	Lines []Line
}

// Point adds a point at the right end of the line with this name, and the line if there is none.
func (c *Chart) Point(line string, x, y float64) {
	i := slices.IndexFunc(c.Lines, func(l Line) bool { return l.Name == line })
	if i < 0 {
		i = len(c.Lines)
		c.Lines = append(c.Lines, Line{Name: line})
	}
	l := &c.Lines[i]
	l.X, l.Y = append(l.X, x), append(l.Y, y)
}

// SVG writes the picture. Both axes begin at 0, one by the logarithm at the least value.
func (c *Chart) SVG(w io.Writer) error {
	p, legend := plot.New(), plot.NewLegend()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Title.Padding, p.X.Min = vg.Points(8), 0
	p.Title.TextStyle.Font, legend.TextStyle.Font = face(14), face(12)
	legend.Top, legend.Left, legend.Padding = true, true, vg.Points(4)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Tick.Label.Font = face(12), face(12)
	}
	if p.Y.Min = 0; c.Log {
		p.Y.Min, p.Y.Scale, p.Y.Tick.Marker = math.Inf(1), plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	for i, l := range c.Lines {
		colour := colours[i%len(colours)]
		line := &plotter.Line{XYs: c.points(l.X, l.Y), LineStyle: plotter.DefaultLineStyle}
		line.Color, line.Width = colour, vg.Points(1.5)
		if l.Low != nil {
			edge := c.points(l.X, l.High)
			slices.Reverse(edge)
			colour.A = 38
			p.Add(&plotter.Polygon{XYs: []plotter.XYs{append(c.points(l.X, l.Low), edge...)}, Color: colour})
		}
		p.Add(line)
		legend.Add(l.Name, line)
	}
	if c.Log && p.Y.Min > p.Y.Max {
		p.Y.Min, p.Y.Max = 1, 10 // there is no point
	}
	svg := vgsvg.New(width, height)
	whole := draw.New(svg)
	whole.FillPolygon(color.White, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	whole = draw.Crop(whole, 4, -4, 4, -4)
	key := legend.Rectangle(whole)
	names := key.Max.X - key.Min.X
	legend.Draw(draw.Crop(whole, whole.Max.X-whole.Min.X-names, 0, 0, -24))
	p.BackgroundColor = nil
	p.Draw(draw.Crop(whole, 0, -names-12, 0, 0))
	return finish(w, svg)
}

// points are those of a line that can be drawn.
func (c *Chart) points(x, y []float64) (points plotter.XYs) {
	for i := range x {
		if !math.IsNaN(y[i]) && (!c.Log || y[i] > 0) {
			points = append(points, plotter.XY{X: x[i], Y: y[i]})
		}
	}
	return points
}

func face(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// finish writes a picture, and names the font of the reader in the place of that by which texts
// were measured.
func finish(w io.Writer, svg *vgsvg.Canvas) error {
	var b strings.Builder
	if _, err := svg.WriteTo(&b); err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	text := strings.Replace(b.String(), `pt"`, `"`, 2) // its width and height
	_, err := io.WriteString(w, strings.ReplaceAll(text, "\n\tstyle=\"font-family:Liberation Sans;"+
		"font-variant:normal;font-weight:normal;font-style:normal", " style=\"font-family:sans-serif"))
	return err
}

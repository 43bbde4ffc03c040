// Package chart gives the pictures that stages draw one look: plots of gonum.org/v1/plot, one below
// the other, as SVG that needs no other file. Axes, legends and lines are the library's.
package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Width is that of a picture, in pixels.
const Width = 1000

// New is a plot with a grid, in a font of the generic family sans-serif. Its vertical axis begins
// at 0.
func New(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.Title.Padding = title, vg.Points(6)
	p.Y.Min = 0
	p.Legend.Top = true
	p.Title.TextStyle.Font, p.Legend.TextStyle.Font = face(13), face(12)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Tick.Label.Font, axis.Padding = face(12), face(12), 0
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{Y: 220}, color.Gray{Y: 220}
	p.Add(grid)
	return p
}

func face(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// Color is that of the i-th line of a plot.
func Color(i int) color.NRGBA {
	all := [...]uint32{0x1144aa, 0xcc3333, 0x008800, 0xaa5500, 0x771188, 0x007777}
	c := all[i%len(all)]
	return color.NRGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 255}
}

// Ticks writes the values at the marks of an axis. Where they stand the library decides.
type Ticks func(value float64) string

// Ticks returns the marks between two values.
func (write Ticks) Ticks(low, high float64) []plot.Tick {
	marks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range marks {
		if !marks[i].IsMinor() {
			marks[i].Label = write(marks[i].Value)
		}
	}
	return marks
}

// Write writes plots as a picture, each so many pixels high. It replaces control characters in
// their texts, and names the font of the reader in the place of that by which texts were measured.
func Write(w io.Writer, height int, plots ...*plot.Plot) error {
	svg := vgsvg.New(Width, vg.Length(height*len(plots)))
	whole := draw.New(svg)
	whole.FillPolygon(color.White, []vg.Point{{}, {X: whole.Max.X}, whole.Max, {Y: whole.Max.Y}})
	for i, p := range plots {
		rest := vg.Length(height * (len(plots) - 1 - i))
		p.Draw(draw.Crop(whole, 4, -14, rest+6, rest-vg.Length(height*(len(plots)-1))-4))
	}
	var b bytes.Buffer
	if _, err := svg.WriteTo(&b); err != nil {
		return fmt.Errorf("draw a picture: %w", err)
	}
	text := strings.ReplaceAll(b.String(), "\n\tstyle=\"font-family:Liberation Sans;font-variant:normal;"+
		"font-weight:normal;font-style:normal", " style=\"font-family:sans-serif")
	text = strings.Replace(text, `pt"`, `"`, 2) // its width and height
	_, err := io.WriteString(w, strings.Map(printable, text))
	return err
}

// printable replaces what XML forbids, and what changes the direction of text.
func printable(r rune) rune {
	if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
		return '\ufffd'
	}
	return r
}

package chart

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"multitext/manager/internal/terminal"
)

// colors are those of the lines of a picture, in turn. Neighbours differ also for those who see few
// colours (after Okabe and Ito).
var colors = []color.Color{rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7), rgb(0xe69f00), rgb(0x56b4e9),
	rgb(0x6f4e9c), rgb(0x8c6d31), rgb(0x777777), rgb(0xb2182b), rgb(0x4d9221), rgb(0xb8a800)}

func rgb(c uint32) color.Color {
	return color.NRGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xff}
}

// style is the look of the i-th line. When the colours begin again, lines are dashed.
func style(i int) draw.LineStyle {
	s := draw.LineStyle{Color: colors[i%len(colors)], Width: vg.Points(1.5)}
	if i >= len(colors) {
		s.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	}
	return s
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = rgb(0xcccccc), rgb(0xcccccc)
	return g
}

func face(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

func newLegend() *plot.Legend {
	l := plot.NewLegend()
	l.TextStyle.Font = face(11)
	l.Top, l.Left = true, true
	l.Padding = vg.Points(3)
	l.ThumbnailWidth = vg.Points(16)
	return &l
}

// How many characters of a name and of a title are shown.
const longestName, longestTitle = 40, 100

// printable is a name without control characters, on one line and not too long.
func printable(s string) string { return cut(s, longestName) }

// heading is the same of a title.
func heading(s string) string { return cut(s, longestTitle) }

func cut(s string, longest int) string {
	s = strings.Join(strings.Fields(terminal.Printable(s)), " ")
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}

// largest is the greatest width or height of a picture, in pixels.
const largest = 10_000

// svg draws a plot, and right of it its legend if there is one. The library names the font by which
// it measured texts; a page shows its own.
func svg(p *plot.Plot, legend *plot.Legend, title string, width, height int) ([]byte, error) {
	if width < 50 || height < 50 || width > largest || height > largest {
		return nil, fmt.Errorf("draw a picture of %d by %d pixels: from 50 to %d are possible", width, height, largest)
	}
	canvas := vgsvg.New(vg.Length(width), vg.Length(height))
	whole := draw.Crop(draw.New(canvas), 4, -12, 4, -6)
	right := vg.Length(0)
	if legend != nil {
		key := legend.Rectangle(whole)
		right = key.Max.X - key.Min.X + 10
		legend.Draw(draw.Crop(whole, whole.Max.X-whole.Min.X-right+10, 0, 0, -20))
	}
	p.BackgroundColor = nil
	p.Draw(draw.Crop(whole, 0, -right, 0, 0))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("draw %q: %w", title, err)
	}
	_, body, found := bytes.Cut(b.Bytes(), []byte("1999/xlink\">\n"))
	if !found {
		return nil, errors.New("draw: the library's SVG begins otherwise than expected")
	}
	body = bytes.ReplaceAll(body, []byte("\n\tstyle=\"font-family:Liberation Sans;font-variant:normal;"+
		"font-weight:normal;font-style:normal;font-size:"), []byte(" style=\"font-size:"))
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `+
		`font-family="sans-serif"><title>%s</title><rect width="100%%" height="100%%" fill="#fff"/>`+"\n",
		width, height, html.EscapeString(heading(title)))
	return append([]byte(head), body...), nil
}

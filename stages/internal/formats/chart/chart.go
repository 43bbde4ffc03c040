// Package chart draws lines as an SVG picture that needs no other file. A picture has one or more
// panels, one below the other; each has a frame, its own scales, and lines.
package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
)

// A Chart is a picture.
type Chart struct {
	Title  string
	Height int // of a panel, in pixels
	Panels []Panel
}

// A Panel is a frame with lines. Both scales begin at 0.
type Panel struct {
	Title    string
	Right    float64 // the value at the right edge, more than 0
	Top      float64 // the value at the upper edge, more than 0; larger ones are drawn there
	From, To string  // what stands below the left and the right edge
	Marks    []Mark  // what stands beside the left edge
	Lines    []Line
}

// A Mark is a text beside a value.
type Mark struct {
	At   float64
	Text string
}

// A Line connects points.
type Line struct {
	Name   string // stands in the panel, in the colour of the line; "": nothing
	Color  string // as in SVG: "#14a"
	Width  int    // in pixels
	Dashed bool
	Faint  bool
	Points []Point
}

// A Point is a place in a panel, by its scales.
type Point struct{ X, Y float64 }

// The measures of a picture, in pixels.
const (
	width       = 900 // of a panel
	left, right = 76, 20
	top, gap    = 40, 34
)

// Write writes the picture.
func (c Chart) Write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" `+
		`font-family="sans-serif" font-size="12">`+"\n",
		left+width+right, top+len(c.Panels)*(c.Height+gap))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="20" font-size="14">%s</text>`+
		"\n", left, escaped(c.Title))
	for i, p := range c.Panels {
		p.draw(&b, top+i*(c.Height+gap), c.Height)
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// draw draws the panel with its upper edge at y.
func (p Panel) draw(b *bytes.Buffer, y, height int) {
	bottom := y + height
	at := func(v float64) float64 { return float64(bottom) - float64(height)*min(v/p.Top, 1) }
	text(b, left, y-4, "", p.Title)
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>`+"\n", left, y, width, height)
	for _, m := range p.Marks {
		text(b, left-4, int(at(m.At))+4, `text-anchor="end"`, m.Text)
	}
	named := 0
	for _, l := range p.Lines {
		l.draw(b, func(x float64) float64 { return left + width*x/p.Right }, at)
		if l.Name != "" {
			named++
			text(b, left+width-8, y+15*named, fmt.Sprintf(`text-anchor="end" fill="%s"`, l.Color), l.Name)
		}
	}
	text(b, left, bottom+14, "", p.From)
	text(b, left+width, bottom+14, `text-anchor="end"`, p.To)
}

func (l Line) draw(b *bytes.Buffer, x, y func(float64) float64) {
	style := fmt.Sprintf(`stroke="%s" stroke-width="%d"`, l.Color, l.Width)
	if l.Dashed {
		style += ` stroke-dasharray="2 2"`
	}
	if l.Faint {
		style += ` stroke-opacity="0.35"`
	}
	fmt.Fprintf(b, `<polyline fill="none" %s points="`, style)
	for _, p := range l.Points {
		fmt.Fprintf(b, "%.1f,%.1f ", x(p.X), y(p.Y))
	}
	b.WriteString("\"/>\n")
}

// text writes s at a place. Its style is attributes of SVG.
func text(b *bytes.Buffer, x, y int, style, s string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" %s>%s</text>`+"\n", x, y, style, escaped(s))
}

// escaped returns s as text of XML, whatever it is.
func escaped(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a Buffer gives no error
	return b.String()
}

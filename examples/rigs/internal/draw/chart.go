package draw

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
)

// The measures of a picture, in pixels.
const (
	width, height = 560, 320
	left, right   = 64, 210 // the names of the lines stand at the right
	top, bottom   = 34, 44
	marks         = 5 // of an axis
)

var colours = []string{"#14a", "#c33", "#080", "#a60", "#808", "#088", "#555", "#b0b", "#660"}

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

// SVG writes the picture.
func (c *Chart) SVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	begin(b, left+width+right, top+height+bottom, c.Title)
	x, y := c.axes()
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>`+"\n", left, top, width,
		height)
	for i := 0; i <= marks; i++ {
		share := float64(i) / marks
		fmt.Fprintf(b, `<text x="%.0f" y="%d" text-anchor="middle">%.4g</text>`+"\n", left+share*width, top+height+16,
			x.at(share))
		fmt.Fprintf(b, `<text x="%d" y="%.0f" text-anchor="end">%.3g</text>`+"\n", left-4, top+height*(1-share)+4,
			y.at(share))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", left+width/2, top+height+36,
		html.EscapeString(c.X))
	fmt.Fprintf(b, `<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", top+height/2,
		html.EscapeString(c.Y))
	for i, l := range c.Lines {
		colour := colours[i%len(colours)]
		point := func(j int, of []float64) {
			if x.has(l.X[j]) && y.has(of[j]) {
				fmt.Fprintf(b, "%.1f,%.1f ", left+x.share(l.X[j])*width, top+(1-y.share(of[j]))*height)
			}
		}
		if l.Low != nil {
			fmt.Fprintf(b, `<polygon fill="%s" fill-opacity="0.15" points="`, colour)
			for j := range l.X {
				point(j, l.Low)
			}
			for j := len(l.X) - 1; j >= 0; j-- {
				point(j, l.High)
			}
			fmt.Fprintln(b, `"/>`)
		}
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="`, colour)
		for j := range l.X {
			point(j, l.Y)
		}
		fmt.Fprintln(b, `"/>`)
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left+width+8, top+12+18*i, colour,
			html.EscapeString(l.Name))
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

func begin(w io.Writer, width, height int, title string) {
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" `+
		`font-size="12">`+"\n", width, height)
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="20" font-size="14">%s</text>`+"\n",
		left, html.EscapeString(title))
}

// axes are from 0 to what the lines need; one by logarithm is from the least value.
func (c *Chart) axes() (x, y axis) {
	x, y = axis{high: 0}, axis{high: 0, log: c.Log}
	y.low = math.Inf(1)
	for _, l := range c.Lines {
		for j := range l.X {
			x.high = max(x.high, l.X[j])
			for _, of := range [][]float64{l.Y, l.Low, l.High} {
				if j < len(of) && y.has(of[j]) {
					y.low, y.high = min(y.low, of[j]), max(y.high, of[j])
				}
			}
		}
	}
	if !c.Log {
		y.low = min(0, y.low)
	}
	return x, y
}

// An axis shows values from low to high.
type axis struct {
	low, high float64
	log       bool
}

func (a axis) has(v float64) bool { return !math.IsNaN(v) && (!a.log || v > 0) }

func (a axis) share(v float64) float64 {
	if a.high <= a.low {
		return 0
	}
	if a.log {
		return math.Log(v/a.low) / math.Log(a.high/a.low)
	}
	return (v - a.low) / (a.high - a.low)
}

func (a axis) at(share float64) float64 {
	if a.log {
		return a.low * math.Pow(a.high/a.low, share)
	}
	return a.low + share*(a.high-a.low)
}

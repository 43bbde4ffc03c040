package experiment

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// The measures of a picture, in pixels: a panel for each result, one below the other.
const (
	panelWidth  = 900
	panelHeight = 150
	left, right = 76, 20
	top, gap    = 40, 34
	highest     = 2. // of a panel, in limits
)

// WritePicture draws the curves of results as an SVG: measured in a continuous line, predicted
// dotted, the assigned rate as a straight line.
func WritePicture(w io.Writer, title string, results []Result) error {
	b := bufio.NewWriter(w)
	height := top + len(results)*(panelHeight+gap)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" `+
		`font-family="sans-serif" font-size="12">`+"\n",
		left+panelWidth+right, height)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="20" font-size="14">`+
		"%s (measured: line, predicted: dotted, assigned: straight)</text>\n", left, title)
	for i, r := range results {
		drawPanel(b, r, top+i*(panelHeight+gap))
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// drawPanel draws one result with its upper edge at y.
func drawPanel(b io.Writer, r Result, y int) {
	limit, bottom := r.Curve[0].Assigned, y+panelHeight
	at := func(rate float64) float64 { return float64(bottom) - panelHeight*min(rate/limit, highest)/highest }
	fmt.Fprintf(b, `<text x="%d" y="%d">%s: mean %s %%, 5th percentile %s, 95th %s</text>`+"\n", left, y-4, r.Way,
		percent(r.Mean), percent(r.P5), percent(r.P95))
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>`+"\n", left, y, panelWidth,
		panelHeight)
	for _, share := range []float64{0, 0.5, 1, 1.5, 2} {
		fmt.Fprintf(b, `<text x="%d" y="%.0f" text-anchor="end">%.0f KB/s</text>`+"\n", left-4, at(share*limit)+4,
			share*limit/1000)
	}
	fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#c33"/>`+"\n", left, left+panelWidth, at(limit),
		at(limit))
	drawLine(b, r.Curve, at, `stroke="#14a"`, func(p Point) float64 { return p.Measured })
	if !math.IsNaN(r.Booked) {
		drawLine(b, r.Curve, at, `stroke="#080" stroke-dasharray="2 2"`, func(p Point) float64 { return p.Predicted })
	}
	fmt.Fprintf(b, `<text x="%d" y="%d">0 s</text><text x="%d" y="%d" text-anchor="end">%d s</text>`+"\n",
		left, bottom+14, left+panelWidth, bottom+14, len(r.Curve))
}

func drawLine(b io.Writer, curve []Point, at func(float64) float64, style string, value func(Point) float64) {
	fmt.Fprintf(b, `<polyline fill="none" %s points="`, style)
	for i, p := range curve {
		fmt.Fprintf(b, "%.1f,%.1f ", left+panelWidth*(float64(i)+0.5)/float64(len(curve)), at(value(p)))
	}
	fmt.Fprintln(b, `"/>`)
}

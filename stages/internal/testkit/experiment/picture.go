package experiment

import (
	"fmt"
	"io"
	"math"

	"multitext/stages/internal/formats/chart"
)

// highest is the upper edge of a panel, in limits.
const highest = 2.

// WritePicture draws the curves of results as an SVG: measured in a continuous line, predicted
// dotted, the assigned rate as a straight line.
func WritePicture(w io.Writer, title string, results []Result) error {
	c := chart.Chart{Title: title + " (measured: line, predicted: dotted, assigned: straight)", Height: 150}
	for _, r := range results {
		c.Panels = append(c.Panels, panel(r))
	}
	return c.Write(w)
}

// panel shows one result.
func panel(r Result) chart.Panel {
	limit, seconds := r.Curve[0].Assigned, float64(len(r.Curve))
	p := chart.Panel{Right: seconds, Top: highest * limit, From: "0 s", To: fmt.Sprintf("%.0f s", seconds),
		Title: fmt.Sprintf("%s: mean %s %%, 5th percentile %s, 95th %s", r.Way, percent(r.Mean), percent(r.P5),
			percent(r.P95))}
	for _, share := range []float64{0, 0.5, 1, 1.5, 2} {
		p.Marks = append(p.Marks, chart.Mark{At: share * limit, Text: fmt.Sprintf("%.0f KB/s", share*limit/1000)})
	}
	p.Lines = []chart.Line{
		{Color: "#c33", Width: 1, Points: []chart.Point{{X: 0, Y: limit}, {X: seconds, Y: limit}}},
		{Color: "#14a", Width: 1, Points: line(r.Curve, func(p Point) float64 { return p.Measured })}}
	if !math.IsNaN(r.Booked) {
		p.Lines = append(p.Lines, chart.Line{Color: "#080", Width: 1, Dashed: true,
			Points: line(r.Curve, func(p Point) float64 { return p.Predicted })})
	}
	return p
}

// line has a point in the middle of each second.
func line(curve []Point, value func(Point) float64) (points []chart.Point) {
	for i, p := range curve {
		points = append(points, chart.Point{X: float64(i) + 0.5, Y: value(p)})
	}
	return points
}

package experiment

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"multitext/stages/internal/formats/chart"
)

// highest is the upper edge of a plot, in limits.
const highest = 2.

// WritePicture draws the curves of results as an SVG: measured in a continuous line, predicted
// dotted, the assigned rate as a straight line.
func WritePicture(w io.Writer, title string, results []Result) error {
	var plots []*plot.Plot
	for i, r := range results {
		plots = append(plots, panel(r))
		if i == 0 {
			plots[0].Title.Text = title + " (measured: line, predicted: dotted, assigned: straight)\n" +
				plots[0].Title.Text
		}
	}
	return chart.Write(w, 190, plots...)
}

// panel shows one result.
func panel(r Result) *plot.Plot {
	limit, seconds := r.Curve[0].Assigned, float64(len(r.Curve))
	p := chart.New(fmt.Sprintf("%s: mean %s %%, 5th percentile %s, 95th %s", r.Way, percent(r.Mean), percent(r.P5),
		percent(r.P95)))
	p.X.Min, p.X.Max = 0, seconds
	p.X.Tick.Marker = chart.Ticks(func(v float64) string { return fmt.Sprintf("%g s", v) })
	p.Y.Tick.Marker = chart.Ticks(func(v float64) string { return fmt.Sprintf("%.0f KB/s", v/1000) })
	assigned := plotter.NewFunction(func(float64) float64 { return limit })
	assigned.Color = chart.Color(1)
	p.Add(assigned, line(r.Curve, chart.Color(0), func(p Point) float64 { return p.Measured }))
	if !math.IsNaN(r.Booked) {
		predicted := line(r.Curve, chart.Color(2), func(p Point) float64 { return p.Predicted })
		predicted.Dashes = []vg.Length{2, 2}
		p.Add(predicted)
	}
	p.Y.Max = highest * limit // larger values are cut
	return p
}

// line has a point in the middle of each second.
func line(curve []Point, colour color.Color, value func(Point) float64) *plotter.Line {
	l := &plotter.Line{LineStyle: plotter.DefaultLineStyle}
	l.Color = colour
	for i, p := range curve {
		l.XYs = append(l.XYs, plotter.XY{X: float64(i) + 0.5, Y: value(p)})
	}
	return l
}

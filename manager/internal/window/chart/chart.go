// Package chart draws the pictures of the window and of its report: lines over time, rows of shares
// over time, and boxes of distributions. Each picture is SVG that a page shows by <img>: without
// script, without a reference to anything else, in a font of the generic family sans-serif. The
// same values give the same bytes. gonum.org/v1/plot does axes, legends and paths; this package
// adds time axes, units, and names that cannot harm.
//
// A picture is only for those who see it. So each has a method Text, which says the same figures
// in words; a page gives it as alt.
//
// The time axis is cut into equal intervals, one for each value of a line. A value that is not
// known is NaN. A line with more than MaxPoints values is drawn by the means of neighbours, so that
// the size of a picture is bounded by the number of its lines.
package chart

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// MaxPoints is how many values of a line are drawn at most.
const MaxPoints = 300

// Lines is a picture of lines over time. Its scale begins at 0.
type Lines struct {
	Title         string
	Width, Height int       // in pixels
	From, To      time.Time // the ends of the time axis, which is labelled in the time zone of From
	Unit          Unit
	Stacked       bool // each line is an area on the one before it; a gap counts as 0
	Lines         []Line
}

// A Line is values in equal intervals from From to To.
type Line struct {
	Name   string
	Values []float64
}

// SVG draws the picture.
func (l *Lines) SVG() ([]byte, error) {
	p := newPlot(l.Title)
	timeAxis(p, l.From, l.To)
	p.Y.Min, p.Y.Max = 0, 0
	p.Y.Tick.Marker = l.Unit
	p.Add(grid())
	legend := newLegend()
	var below []float64
	for i, line := range l.Lines {
		values, key := thinned(line.Values), style(i)
		if l.Stacked {
			area := &plotter.Polygon{Color: key.Color}
			lower := below
			below = sum(lower, values)
			area.XYs = areas(intervals(l.From, l.To, len(below)), lower, below)
			p.Add(area)
			legend.Add(printable(line.Name), area)
			continue
		}
		sample := &plotter.Line{LineStyle: key}
		for _, run := range l.runs(values) {
			p.Add(&plotter.Line{XYs: run, LineStyle: key})
		}
		legend.Add(printable(line.Name), sample)
	}
	if p.Y.Max <= 0 {
		p.Y.Max = 1
	}
	if len(l.Lines) == 1 {
		legend = nil // the title says what it is
	}
	return svg(p, legend, l.Title, l.Width, l.Height)
}

// runs are the polylines of a line, cut at its gaps. Each reaches from the start of its first
// interval to the end of its last, so that a value between two gaps is seen.
func (l *Lines) runs(values []float64) (runs []plotter.XYs) {
	at := intervals(l.From, l.To, len(values))
	for i := 0; i < len(values); i++ {
		if !known(values[i]) {
			continue
		}
		run := plotter.XYs{{X: at(float64(i)), Y: values[i]}}
		for ; i < len(values) && known(values[i]); i++ {
			run = append(run, plotter.XY{X: at(float64(i) + 0.5), Y: values[i]})
		}
		runs = append(runs, append(run, plotter.XY{X: at(float64(i)), Y: values[i-1]}))
	}
	return runs
}

// Text says of each line the least, the greatest and the last value.
func (l *Lines) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s.", heading(l.Title), interval(l.From, l.To))
	for _, line := range l.Lines {
		low, high, last := math.Inf(1), math.Inf(-1), math.NaN()
		for _, v := range line.Values {
			if known(v) {
				low, high, last = min(low, v), max(high, v), v
			}
		}
		if !known(last) {
			fmt.Fprintf(&b, " %s: no values.", printable(line.Name))
			continue
		}
		fmt.Fprintf(&b, " %s: least %s, greatest %s, last %s.", printable(line.Name), l.Unit.Format(low),
			l.Unit.Format(high), l.Unit.Format(last))
	}
	return b.String()
}

func known(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// thinned has at most MaxPoints values: the means of equally many neighbours that are known.
func thinned(values []float64) []float64 {
	each := (len(values) + MaxPoints - 1) / MaxPoints
	if each <= 1 {
		return values
	}
	var means []float64
	for i := 0; i < len(values); i += each {
		sum, n := 0., 0.
		for _, v := range values[i:min(i+each, len(values))] {
			if known(v) {
				sum, n = sum+v, n+1
			}
		}
		means = append(means, sum/n) // NaN if none is known
	}
	return means
}

// sum adds values to others; what is not known, or not there, is 0.
func sum(to, values []float64) []float64 {
	sums := make([]float64, max(len(to), len(values)))
	copy(sums, to)
	for i, v := range values {
		if known(v) {
			sums[i] += max(v, 0)
		}
	}
	return sums
}

// newPlot is a plot in the house's style.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = heading(title)
	p.Title.Padding = vg.Points(6)
	p.Title.TextStyle.Font = face(13)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Tick.Label.Font = face(11), face(11)
		axis.Padding, axis.Tick.Length = 0, vg.Points(4)
	}
	return p
}

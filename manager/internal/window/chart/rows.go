package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"multitext/manager/internal/figure"
)

// Rows is a picture of rows over time. Each row shows the share of each kind in each interval,
// stacked: of a stage, when it ran, and when it waited for what.
type Rows struct {
	Title    string
	Width    int       // in pixels; the height is as the rows need
	From, To time.Time // the ends of the time axis, which is labelled in the time zone of From
	Kinds    []Kind
	Rows     []Row
}

// A Kind is one of the stacked shares of a row.
type Kind struct {
	Name  string
	Color uint32 // 0xrrggbb
}

// A Row is the shares of one stage.
type Row struct {
	Name   string
	Shares [][]float64 // of each of Kinds in equal intervals from From to To; their sum is at most 1
}

// rowHeight is the height of a row in pixels; its shares fill rowShare of it.
const (
	rowHeight = 34
	rowShare  = 0.86
)

// SVG draws the picture.
func (r *Rows) SVG() ([]byte, error) {
	p := newPlot(r.Title)
	timeAxis(p, r.From, r.To)
	p.Y.Min, p.Y.Max = 0, max(float64(len(r.Rows)), 1)
	var names plot.ConstantTicks
	for i, row := range r.Rows {
		floor := float64(len(r.Rows) - 1 - i)
		names = append(names, plot.Tick{Value: floor + rowShare/2, Label: printable(row.Name)})
		for _, band := range r.bands(row, floor) {
			p.Add(band)
		}
	}
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = names, 0, 0
	legend := newLegend()
	for _, kind := range r.Kinds {
		legend.Add(printable(kind.Name), &plotter.Polygon{Color: rgb(kind.Color)})
	}
	height := max(len(r.Rows)*rowHeight+80, len(r.Kinds)*18+60)
	return svg(p, legend, r.Title, r.Width, min(height, largest))
}

// bands are the areas of a row. Where a share is 0 from end to end, there is none.
func (r *Rows) bands(row Row, floor float64) (bands []*plotter.Polygon) {
	var below []float64
	for kind, shares := range row.Shares {
		lower := below
		below = sum(lower, thinned(shares))
		rings := areas(intervals(r.From, r.To, len(below)), lower, below)
		for _, ring := range rings {
			for i := range ring {
				ring[i].Y = floor + rowShare*min(ring[i].Y, 1)
			}
		}
		if len(rings) > 0 {
			bands = append(bands, &plotter.Polygon{XYs: rings, Color: rgb(r.Kinds[kind].Color)})
		}
	}
	return bands
}

// areas are the outlines of what lies between two lines of steps, one value to an interval. There
// is none where the lines meet. A lower line that is shorter goes on at 0.
func areas(at func(i float64) float64, lower, upper []float64) (rings []plotter.XYs) {
	lower = append(slices.Clone(lower), make([]float64, len(upper)-len(lower))...)
	for i := 0; i < len(upper); i++ {
		start := i
		for i < len(upper) && upper[i] > lower[i] {
			i++
		}
		if i == start {
			continue
		}
		ring := edge(at, upper, start, i)
		down := edge(at, lower, start, i)
		slices.Reverse(down)
		rings = append(rings, append(ring, down...))
	}
	return rings
}

// edge is a line of steps over some intervals.
func edge(at func(i float64) float64, values []float64, from, to int) (edge plotter.XYs) {
	for i := from; i < to; i++ {
		if i > from && values[i] == values[i-1] {
			edge[len(edge)-1].X = at(float64(i + 1))
			continue
		}
		edge = append(edge, plotter.XY{X: at(float64(i)), Y: values[i]}, plotter.XY{X: at(float64(i + 1)), Y: values[i]})
	}
	return edge
}

// Text says of each row the share of each kind over all its time, the greatest first.
func (r *Rows) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s.", heading(r.Title), interval(r.From, r.To))
	for _, row := range r.Rows {
		said := []string{}
		for _, kind := range row.greatest() {
			if share := mean(row.Shares[kind]); share >= 0.005 {
				said = append(said, printable(r.Kinds[kind].Name)+" "+figure.Percent(share))
			}
		}
		if len(said) == 0 {
			said = []string{"nothing"}
		}
		fmt.Fprintf(&b, " %s: %s.", printable(row.Name), strings.Join(said, ", "))
	}
	return b.String()
}

// greatest are the kinds of a row by their mean share.
func (r Row) greatest() (kinds []int) {
	for kind := range r.Shares {
		kinds = append(kinds, kind)
	}
	slices.SortStableFunc(kinds, func(a, b int) int { return cmp.Compare(mean(r.Shares[b]), mean(r.Shares[a])) })
	return kinds
}

// mean is that of the values that are known, or 0.
func mean(values []float64) float64 {
	sum, n := 0., 0
	for _, v := range values {
		if known(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(max(n, 1))
}

package chart

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Boxes is a picture of distributions, one below the other: a line from the least to the greatest
// value, a box over the middle half of them, and a mark at the median.
type Boxes struct {
	Title string
	Width int // in pixels; the height is as the boxes need
	Unit  Unit
	Boxes []Box
}

// A Box is the values of one distribution. It is drawn empty if it has none.
type Box struct {
	Name   string
	Values []float64 // in any order; what is not known is left out
}

const boxHeight = 26 // in pixels

// wide is the ratio of the greatest to the least value from which on the axis is by the logarithm.
const wide = 100

// SVG draws the picture.
func (b *Boxes) SVG() ([]byte, error) {
	p := newPlot(b.Title)
	var names plot.ConstantTicks
	var low, high float64
	for i, box := range b.Boxes {
		at := float64(len(b.Boxes) - 1 - i)
		names = append(names, plot.Tick{Value: at, Label: printable(box.Name)})
		values := box.positive()
		if len(values) == 0 {
			continue
		}
		if least := slices.Min(values); low == 0 || least < low {
			low = least
		}
		high = max(high, slices.Max(values))
		drawn, err := plotter.NewBoxPlot(vg.Points(0.5*boxHeight), at, values)
		if err != nil {
			return nil, fmt.Errorf("draw the distribution of %s: %w", printable(box.Name), err)
		}
		drawn.Horizontal, drawn.Outside, drawn.AdjLow, drawn.AdjHigh = true, nil, drawn.Min, drawn.Max
		drawn.FillColor, drawn.MedianStyle.Width, drawn.WhiskerStyle.Dashes = colors[5], vg.Points(2), nil
		p.Add(drawn)
	}
	p.Y.Min, p.Y.Max = -0.5, max(float64(len(b.Boxes)), 1)-0.5
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = names, 0, 0
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, max(high, 1e-9), b.Unit
	if high > wide*low && low > 0 {
		p.X.Min, p.X.Scale, p.X.Tick.Marker = low, plot.LogScale{}, logTicks{b.Unit}
	}
	return svg(p, nil, b.Title, b.Width, min(len(b.Boxes)*boxHeight+70, largest))
}

// positive are the values that are known and more than 0: a run takes some time and some memory,
// and a scale by the logarithm has no 0.
func (b Box) positive() (values plotter.Values) {
	for _, v := range b.Values {
		if known(v) && v > 0 {
			values = append(values, v)
		}
	}
	return values
}

// Text says of each distribution the least value, the median and the greatest.
func (b *Boxes) Text() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s.", heading(b.Title))
	for _, box := range b.Boxes {
		values := box.positive()
		if len(values) == 0 {
			fmt.Fprintf(&s, " %s: no values.", printable(box.Name))
			continue
		}
		slices.Sort(values)
		n := len(values)
		fmt.Fprintf(&s, " %s: least %s, median %s, greatest %s.", printable(box.Name), b.Unit.Format(values[0]),
			b.Unit.Format((values[(n-1)/2]+values[n/2])/2), b.Unit.Format(values[n-1]))
	}
	return s.String()
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"multitext/stages/internal/formats/chart"
	"multitext/stages/internal/run/stage"
)

// writeTable writes points as rows of a table, tabs between the columns.
func writeTable(w io.Writer, points []point) error {
	if _, err := io.WriteString(w, "pages\tmean100\tmean1000\tall\n"); err != nil {
		return err
	}
	for _, p := range points {
		if _, err := fmt.Fprintf(w, "%d\t%.4f\t%.4f\t%.4f\n", p.pages, p.mean100, p.mean1000, p.all); err != nil {
			return err
		}
	}
	return nil
}

// named is a curve of a picture that has several.
type named struct {
	name string
	*curve
}

// picture shows curves in one plot: of each the mean of the last 1,000 pages, and faintly that of
// the last 100. Its upper edge is the least of 10, 20, 50 and 100 percent that holds the first of
// these.
func picture(curves []named) *plot.Plot {
	p := chart.New("Harvest rate: mean worth of the last 1,000 pages (bold) and of the last 100 (faint)")
	p.X.Label.Text = "pages"
	p.X.Tick.Marker = chart.Ticks(func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) })
	p.Y.Tick.Marker = chart.Ticks(func(v float64) string { return fmt.Sprintf("%.3g %%", 100*v) })
	top := 0.1
	for i, c := range curves {
		color := chart.Color(i)
		short, long := &plotter.Line{}, &plotter.Line{}
		long.Width, long.Color = vg.Points(2), color
		color.A = 90
		short.Width, short.Color = vg.Points(1), color
		for _, at := range c.all() {
			x := float64(at.pages)
			short.XYs = append(short.XYs, plotter.XY{X: x, Y: at.mean100})
			long.XYs = append(long.XYs, plotter.XY{X: x, Y: at.mean1000})
			for _, edge := range []float64{0.2, 0.5, 1} {
				if at.mean1000 > top {
					top = edge
				}
			}
		}
		p.Add(short, long)
		if c.name != "" {
			p.Legend.Add(c.name, long)
		}
	}
	p.X.Min, p.Y.Max = 0, top
	return p
}

// showCurves prints the tables of the curves in segments, and draws them.
func (o *options) showCurves(env *stage.Env) error {
	env.NoReport = true
	var curves []named
	for _, arg := range env.Inputs {
		name, path, ok := strings.Cut(arg, "=")
		if !ok {
			name, path = "", arg
		}
		c, err := find(path, env.Stdin)
		if err != nil {
			return err
		}
		curves = append(curves, named{name, c})
		if name != "" {
			fmt.Fprintf(env.Stdout, "# %q\n", name)
		}
		if err := writeTable(env.Stdout, c.all()); err != nil {
			return err
		}
	}
	return o.draw(env, curves)
}

// find returns the curve in a segment, in the one segment that a pattern matches, or, of "-", in
// stdin. A shell leaves the pattern in NAME=PATTERN as it is.
func find(path string, stdin io.Reader) (*curve, error) {
	if path == "-" {
		return readStdin(stdin)
	}
	c, err := read(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	switch found, _ := filepath.Glob(path); len(found) { // no pattern: nothing is found
	case 0:
		return nil, fmt.Errorf("no segment %s: no page was judged yet, or the state is in another place", path)
	case 1:
		return read(found[0])
	default:
		return nil, fmt.Errorf("%d segments match %s: name one of them", len(found), path)
	}
}

func readStdin(stdin io.Reader) (*curve, error) {
	text, err := io.ReadAll(io.LimitReader(stdin, largest))
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	if len(text) == 0 {
		return nil, errors.New("standard input is empty: no page was judged yet, or it is no segment")
	}
	c, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	return c, nil
}

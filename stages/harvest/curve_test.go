package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"multitext/stages/internal/formats/chart"
)

// plain is the curve point after n pages by its definition.
func plain(worths []float64, n int64) point {
	mean := func(over int64) float64 {
		from, sum := max(0, n-over), 0.0
		for _, w := range worths[from:n] {
			sum += w
		}
		return sum / float64(n-from)
	}
	return point{n, mean(100), mean(1000), mean(n)}
}

func near(a, b point) bool {
	const most = 1e-9
	return a.pages == b.pages && math.Abs(a.mean100-b.mean100) < most && math.Abs(a.mean1000-b.mean1000) < most &&
		math.Abs(a.all-b.all) < most
}

// TestCurve holds every point of curves of all lengths to the definition, and their number to its
// bounds.
func TestCurve(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int64{1, 99, 100, 101, 499, 500, 501, 502, 999, 1000, 1001, 1002, 2500, 4999, 40_000} {
		c, worths := newCurve(), []float64{}
		for i := range n {
			worths = append(worths, rnd.Float64()*float64(i%7)/6)
			c.add(worths[i])
		}
		all := c.all()
		if last := all[len(all)-1]; last.pages != n {
			t.Errorf("%d pages: the last point is of %d", n, last.pages)
		}
		for i, p := range all {
			if i+1 < len(all) && p.pages != c.step*int64(i+1) {
				t.Errorf("%d pages: point %d is of page %d, with steps of %d", n, i, p.pages, c.step)
			}
			if want := plain(worths, p.pages); !near(p, want) {
				t.Errorf("%d pages: point %+v, want %+v", n, p, want)
			}
		}
		if len(c.points) > most || n > most && len(c.points) < most/2 {
			t.Errorf("%d pages: %d points", n, len(c.points))
		}
	}
}

// TestBounds holds what the package comment says of sizes, with numbers as long as they get.
func TestBounds(t *testing.T) {
	c := newCurve()
	for i := range 511_999 {
		c.add(float64(i%999) / 1001)
	}
	c.pages, c.step = 1e12+c.pages, c.step<<30
	for i := range c.points {
		c.points[i].pages += 1e12
	}
	c.add(0.5)
	var svg bytes.Buffer
	if err := chart.Write(&svg, 320, picture([]named{{"", c}})); err != nil {
		t.Fatal(err)
	}
	for what, n := range map[string][2]int{"segment": {len(c.encode()), 40}, "table": {len(table(c.all())), 20},
		"picture": {svg.Len(), 20}} {
		t.Logf("%s: %d bytes", what, n[0])
		if n[0] > n[1]*1000 {
			t.Errorf("%s: %d bytes, more than %d KB", what, n[0], n[1])
		}
	}
}

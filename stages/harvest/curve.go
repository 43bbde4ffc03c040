package main

import "slices"

const (
	narrow = 100  // pages of the short moving mean
	wide   = 1000 // pages of the long one
	most   = 500  // points of a curve
)

// A curve is the harvest rate of a crawl: how the mean worth of its pages went. Its size has a
// bound, however many pages there are.
type curve struct {
	pages  int64
	sum    float64       // of the worths of all pages
	last   [wide]float64 // the worth of page n, the first being number 0, at n modulo wide
	step   int64         // there is a point each so many pages: a power of two
	points []point

	drawn    int64 // pages when the products were last written
	stagnant bool  // the alarm was given, and the mean has not been above -least since
}

// A point is what the means were after so many pages.
type point struct {
	pages             int64
	mean100, mean1000 float64 // of the last 100 and 1,000 pages, or of all if there are fewer
	all               float64 // of all pages
}

func newCurve() *curve { return &curve{step: 1} }

// add adds the next page. With one point too many every second point goes.
func (c *curve) add(worth float64) {
	c.last[c.pages%wide] = worth
	c.sum += worth
	c.pages++
	if c.pages%c.step > 0 {
		return
	}
	if c.points = append(c.points, c.now()); len(c.points) > most {
		c.step *= 2
		c.points = slices.DeleteFunc(c.points, func(p point) bool { return p.pages%c.step > 0 })
	}
}

// now is the point of the last page.
func (c *curve) now() point {
	return point{c.pages, c.mean(narrow), c.mean(wide), c.sum / float64(c.pages)}
}

// mean is the mean worth of the last n pages, at most wide, or of all if there are fewer.
func (c *curve) mean(n int64) float64 {
	n = min(n, c.pages)
	sum := 0.0
	for i := c.pages - n; i < c.pages; i++ {
		sum += c.last[i%wide]
	}
	return sum / float64(n)
}

// all is the points of the curve up to its last page. A curve without pages has none.
func (c *curve) all() []point {
	if c.pages%c.step == 0 {
		return c.points
	}
	return append(slices.Clip(c.points), c.now())
}

// due tells whether the crawl has grown by a tenth since the products were written.
func (c *curve) due() bool { return c.pages-c.drawn > c.drawn/10 }

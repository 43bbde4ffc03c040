// Package recall tells which share of the wanted pages a crawl has found by when.
package recall

import "multitext/examples/rigs/internal/draw"

// A Curve is the share of the wanted pages, in per cent, that a crawl has found when 0, 1, … 100 % of
// the pages that can be reached are fetched.
type Curve []float64

// Of is the curve of a crawl. So many pages can be reached, and so many of the wanted; a crawl that ends
// before it has reached all finds nothing more.
func Of(crawl []uint32, wanted []bool, pages, all int) Curve {
	found := make([]int, len(crawl)+1)
	for i, page := range crawl {
		found[i+1] = found[i]
		if wanted[page] {
			found[i+1]++
		}
	}
	c := make(Curve, 101)
	for percent := range c {
		c[percent] = 100 * float64(found[min(percent*pages/100, len(crawl))]) / float64(max(all, 1))
	}
	return c
}

// Count is how many pages of a crawl are wanted.
func Count(crawl []uint32, wanted []bool) (all int) {
	for _, page := range crawl {
		if wanted[page] {
			all++
		}
	}
	return all
}

// Half is the per cent of the crawl at which half of the wanted are found, between two by a straight
// line; 100 if they are not.
func (c Curve) Half() float64 {
	for percent, found := range c {
		if found < 50 {
			continue
		}
		if percent == 0 {
			return 0
		}
		before := c[percent-1]
		return float64(percent-1) + (50-before)/(found-before)
	}
	return 100
}

// Line is the curve as a line of a picture.
func (c Curve) Line(name string) draw.Line {
	line := draw.Line{Name: name, Y: c}
	for percent := range c {
		line.X = append(line.X, float64(percent))
	}
	return line
}

package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// held shows whether harvest is held, on all fields, and what R the pages have that are fetched.
func (l *lab) held(c *results.Chapter) error {
	crawl := func(f *field) error { return f.crawl(l.bin, waysOf(l.Held), []int{f.batch}, toTheEnd) }
	return l.onFields(c, crawl, func(l *lab, c *results.Chapter, f *field, h *hunt) error {
		l.windows(c, f, h)
		l.histogram(c, f, h)
		return nil
	})
}

// windows shows the harvest of the parts of a crawl, by label and by the guide.
func (l *lab) windows(c *results.Chapter, f *field, h *hunt) {
	t := &draw.Table{Name: "held-" + f.file(), Title: "Harvest of parts of the crawl, " + f.name,
		Note: "A column is a part of the crawl, from one per cent of the pages that can be reached to another. " +
			"Labels: which per cent of its pages are wanted; R: what they are worth to the guide, in the mean, which " +
			"is what the paper shows. Base rate: of all pages that can be reached.",
		Columns: []string{"way", "by"}}
	from := 0
	for _, to := range append([]int{1}, l.Points...) {
		t.Columns = append(t.Columns, fmt.Sprintf("%d to %d %%", from, to))
		from = to
	}
	t.Columns = append(t.Columns, "base rate")
	for _, w := range waysOf(l.Held) {
		crawl := h.made[f.whole(w.name)]
		for _, by := range []string{"labels", byGuide} {
			worth := h.worths(byLabel)
			if by == byGuide {
				worth = h.r
			}
			cells, from := []string{w.name, by}, 0
			for _, percent := range append([]int{1}, l.Points...) {
				to := percent * h.reached / 100
				cells = append(cells, draw.Percent(meanOf(crawl, worth, from, to)))
				from = to
			}
			all := h.made[f.whole("breadth")]
			t.Add(append(cells, draw.Percent(meanOf(all, worth, 0, len(all))))...)
		}
	}
	c.Table(t)
}

// meanOf is the mean of what the pages from one place in a crawl up to another are worth, of as many as
// there are.
func meanOf(crawl []uint32, worth []float64, from, to int) float64 {
	sum, n := 0., 0.
	for _, page := range crawl[min(from, len(crawl)):min(to, len(crawl))] {
		sum, n = sum+worth[page], n+1
	}
	return sum / n
}

// histogram shows how R is spread over the pages that were fetched first.
func (l *lab) histogram(c *results.Chapter, f *field, h *hunt) {
	t := &draw.Table{Name: "relevance-" + f.file(), Title: "Relevance of the pages fetched, " + f.name,
		Note: fmt.Sprintf("Of the first %d %%, by the guide: which per cent of the pages have an R of so much up to "+
			"so much.", l.Points[1]),
		Columns: []string{"R up to"}}
	for _, w := range waysOf(l.Held) {
		t.Columns = append(t.Columns, w.name)
	}
	const bins = 10
	for bin := range bins {
		cells := []string{fmt.Sprintf("0.%d", bin+1)}
		if bin == bins-1 {
			cells[0] = "1"
		}
		for _, w := range waysOf(l.Held) {
			crawl := h.made[f.whole(w.name)]
			crawl = crawl[:min(l.Points[1]*h.reached/100, len(crawl))]
			in := make([]float64, len(h.r))
			for _, page := range crawl {
				if min(int(h.r[page]*bins), bins-1) == bin {
					in[page] = 1
				}
			}
			cells = append(cells, draw.Percent(meanOf(crawl, in, 0, len(crawl))))
		}
		t.Add(cells...)
	}
	c.Table(t)
}

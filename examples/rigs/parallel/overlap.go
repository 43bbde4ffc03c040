package main

import (
	"fmt"
	"math"

	"multitext/examples/internal/measures"
	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// A crossing is crawls that fetch pages twice.
type crossing struct {
	name    string
	on      *named
	by      string
	others  string
	overlap map[int][][]float64 // by the number of crawlers, of each draw: at each of the points
}

// overlap shows what crawlers fetch twice, by what they have fetched at all.
func (l *lab) overlap(c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	if err := l.readWebs(); err != nil {
		return err
	}
	for _, on := range l.webs {
		crossings := []*crossing{{name: "cross-over", on: on, by: bySite, others: "aside"},
			{name: "independent", on: on, by: "none"}, {name: "by URL", on: on, by: byURL, others: "aside"}}
		var things []func() error
		for _, x := range crossings {
			x.overlap = map[int][][]float64{}
			for _, n := range l.Overlap.Crawlers {
				x.overlap[n] = make([][]float64, l.Overlap.Draws)
			}
			for _, n := range l.Overlap.Crawlers {
				things = append(things, func() error { return l.crossed(x, n) })
			}
		}
		if err := advised.Together(things...); err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
		err := c.Over(l.Overlap.Draws, l.Outside, func(draw int, c *results.Chapter) error {
			l.overlaps(c, on, crossings, draw)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// crossed makes the crawls of so many crawlers.
func (l *lab) crossed(x *crossing, crawlers int) error {
	var seeds [][]uint32
	var draws []int
	most := 0
	for draw := range l.Overlap.Draws {
		seeds, draws = append(seeds, first(l.seeds(x.on, draw), l.Total)), append(draws, draw)
		most = max(most, l.Overlap.Most*sum(reach(x.on.links, seeds[draw])))
	}
	f, err := advised.New(l.bin, advised.Of(x.on.Web), nil, seeds)
	if err != nil {
		return err
	}
	defer f.Close()
	t := advised.Trial{Batch: l.Batch, Most: most, Crawlers: crawlers, By: x.by, Others: x.others}
	return f.Run(t, []string{"breadth"}, draws, func(draw int, _ string, c *advised.Crawl) {
		x.overlap[crawlers][draw] = overlapAt(c.Pages, sum(reach(x.on.links, seeds[draw])), l.Overlap.Points)
	})
}

// overlapAt is (N − I) / I when I, the number of different pages, is so many per cent of some number; NaN where
// it never is.
func overlapAt(crawl []uint32, all int, points []int) (at []float64) {
	met, different := map[uint32]bool{}, 0
	for n, page := range crawl {
		if !met[page] {
			met[page] = true
			different++
		}
		for len(at) < len(points) && 100*different >= points[len(at)]*all {
			at = append(at, measures.Per(n+1-different, different))
		}
	}
	for len(at) < len(points) {
		at = append(at, math.NaN())
	}
	return at
}

// overlaps makes the tables and the picture of a draw.
func (l *lab) overlaps(c *results.Chapter, on *named, crossings []*crossing, number int) {
	chart := &draw.Chart{Name: "overlap-" + on.file(), Title: on.name + ": overlap, cross-over by site",
		X: "coverage, % of what one crawler fetches", Y: "overlap, (N − I) / I"}
	for i, x := range crossings {
		t := &draw.Table{Name: "overlap-" + []string{"", "independent-", "by-URL-"}[i] + on.file(),
			Title: fmt.Sprintf("Overlap by coverage, %s, %s", x.name, on.name),
			Note: fmt.Sprintf("(N − I) / I, N pages fetched and I different ones, when I is so many per cent of "+
				"what one crawler fetches from the same %d seeds. – where it is not before all crawlers together "+
				"have fetched %d times as much.", l.Total, l.Overlap.Most),
			Columns: []string{"crawlers"}}
		for _, point := range l.Overlap.Points {
			t.Columns = append(t.Columns, fmt.Sprintf("%d %%", point))
		}
		for _, n := range l.Overlap.Crawlers {
			cells := []string{fmt.Sprint(n)}
			for at, point := range l.Overlap.Points {
				y := x.overlap[n][number][at]
				if cells = append(cells, draw.Number(y, 2)); i == 0 {
					chart.Point(fmt.Sprint(n, " crawlers"), float64(point), y)
				}
			}
			t.Add(cells...)
		}
		c.Table(t)
	}
	c.Chart(chart)
}

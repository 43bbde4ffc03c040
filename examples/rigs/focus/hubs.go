package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// hubs shows what the distiller adds by the number of hubs that it follows, where there are several sites.
func (l *lab) hubs(c *results.Chapter) error {
	ways := waysOf([]string{"soft"})
	for _, n := range l.Hubs {
		ways = append(ways, way{name: fmt.Sprintf("%d hubs", n), order: "score", worth: byGuide, hubs: n})
	}
	crawl := func(f *field) error {
		if !f.sites {
			return nil
		}
		return f.crawl(l.bin, ways, []int{f.batch}, l.Points[2])
	}
	return l.onFields(c, crawl, func(l *lab, c *results.Chapter, f *field, h *hunt) error {
		if !f.sites {
			return nil
		}
		t := &draw.Table{Name: "hubs-" + f.file(), Title: "What the distiller adds, " + f.name,
			Note:    "Recall by the number of the best hubs of which all links are fetched first.",
			Columns: []string{"way"}}
		l.early(t, f, h, ways)
		c.Table(t)
		return nil
	})
}

// early adds a row for each way to a table: its recall at the first three points.
func (l *lab) early(t *draw.Table, f *field, h *hunt, ways []way) {
	points := l.Points[:3]
	for _, point := range points {
		t.Columns = append(t.Columns, fmt.Sprintf("recall at %d %%", point))
	}
	for _, w := range ways {
		cells, recall := []string{w.name}, h.curve(made{w.name, f.batch, points[2]})
		for _, point := range points {
			cells = append(cells, draw.Number(recall[point], 1))
		}
		t.Add(cells...)
	}
}

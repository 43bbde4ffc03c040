package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// batches shows the price of batches on all fields.
func (l *lab) batches(c *results.Chapter) error {
	crawl := func(f *field) error { return f.crawl(l.bin, waysOf(l.Swept), f.batches, l.Points[1]) }
	return l.onFields(c, crawl, (*lab).swept)
}

// swept shows the price of batches.
func (l *lab) swept(c *results.Chapter, f *field, h *hunt) error {
	t := &draw.Table{Name: "batches-" + f.file(), Title: "The price of batches, " + f.name,
		Note: fmt.Sprintf("Recall at %d %%, by the number of pages whose links are known when all of them are fetched.",
			l.Points[1]),
		Columns: []string{"batch"}}
	for _, w := range waysOf(l.Swept) {
		t.Columns = append(t.Columns, w.name)
	}
	for _, batch := range f.batches {
		cells := []string{fmt.Sprint(batch)}
		for _, w := range waysOf(l.Swept) {
			cells = append(cells, draw.Number(h.curve(made{w.name, batch, l.Points[1]})[l.Points[1]], 1))
		}
		t.Add(cells...)
	}
	c.Table(t)
	return nil
}

package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/recall"
	"multitext/examples/rigs/internal/results"
)

// ways shows what the ways find on all fields.
func (l *lab) ways(c *results.Chapter) error {
	crawl := func(f *field) error { return f.crawl(l.bin, everyWay(), []int{f.batch}, toTheEnd) }
	if err := l.onFields(c, crawl, (*lab).found); err != nil {
		return err
	}
	for _, f := range l.fields {
		l.gains(c, f)
	}
	return nil
}

// whole is the crawl of a way with the batches of the field.
func (f *field) whole(way string) made { return made{way, f.batch, toTheEnd} }

// curve is the share of the wanted that a crawl has found.
func (h *hunt) curve(m made) recall.Curve { return recall.Of(h.made[m], h.wanted, h.reached, h.all) }

// found shows what the ways of a hunt find.
func (l *lab) found(c *results.Chapter, f *field, h *hunt) error {
	t := &draw.Table{Name: "ways-" + f.file(), Title: "Found of the wanted pages, " + f.name,
		Note: fmt.Sprintf("Batches of %d. Recall: found %% of the wanted pages that can be reached, when so many per "+
			"cent of all pages that can be reached are fetched; harvest: which per cent of the pages fetched by "+
			"then are wanted. Ended: at how many per cent nothing was left to fetch.", f.batch),
		Columns: []string{"way"}}
	for _, what := range []string{"recall", "harvest"} {
		for _, point := range l.Points {
			t.Columns = append(t.Columns, fmt.Sprintf("%s at %d %%", what, point))
		}
	}
	t.Columns = append(t.Columns, "half found at %", "ended at %")
	chart := &draw.Chart{Name: "recall-" + f.file(), Title: f.name + ": found of the wanted pages",
		X: "fetched, % of what can be reached", Y: "found of the wanted, %"}
	moving := &draw.Chart{Name: "harvest-" + f.file(), Title: fmt.Sprintf("%s: harvest of the last %d %%", f.name,
		l.Window), X: "fetched, % of what can be reached", Y: "wanted of the pages fetched, %"}
	for _, w := range everyWay() {
		of, crawl := h.curve(f.whole(w.name)), h.made[f.whole(w.name)]
		cells := []string{w.name}
		for _, point := range l.Points {
			cells = append(cells, draw.Number(of[point], 1))
		}
		for _, point := range l.Points {
			cells = append(cells, draw.Percent(h.harvest(crawl, 0, point*h.reached/100)))
		}
		t.Add(append(cells, draw.Number(of.Half(), 1),
			draw.Percent(float64(len(crawl))/float64(h.reached)))...)
		chart.Lines = append(chart.Lines, of.Line(w.name))
		moving.Lines = append(moving.Lines, l.moving(h, w.name, crawl))
	}
	c.Table(t)
	c.Chart(chart)
	c.Chart(moving)
	return nil
}

// harvest is which share of the pages from one place in a crawl up to another are wanted, of as many places
// as there are.
func (h *hunt) harvest(crawl []uint32, from, to int) float64 {
	from, to = max(from, 0), min(to, len(crawl))
	return float64(recall.Count(crawl[min(from, to):to], h.wanted)) / float64(to-min(from, to))
}

// moving is the harvest of the last pages as a line.
func (l *lab) moving(h *hunt, name string, crawl []uint32) draw.Line {
	line := draw.Line{Name: name}
	for percent := l.Window; percent <= 100; percent++ {
		to := percent * h.reached / 100
		line.X = append(line.X, float64(percent))
		line.Y = append(line.Y, 100*h.harvest(crawl, to-l.Window*h.reached/100, to))
	}
	return line
}

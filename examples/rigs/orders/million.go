package main

import (
	"fmt"
	"math"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/orders/internal/synthetic"
)

// million shows which share of the hottest pages of a synthetic web each order finds in the first part
// of a crawl. A run of advise crawls from many sets of seeds, for it takes longer to read the links than
// to crawl once. Classes are left out (advise -exact), which the experiment batches has the
// price of: with them a crawl takes ten times as long.
func million(l *lab, c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	p, err := synthetic.ReadParameters()
	if err != nil {
		return err
	}
	for _, name := range l.Synthetic.Crawled {
		w, err := l.grown(&p, name)
		if err != nil {
			return err
		}
		found, err := l.foundIn(w)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		err = c.Over(l.Synthetic.Draws, l.Outside, func(set int, c *results.Chapter) error {
			c.Table(l.millionTable(name, found[set]))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// millionTable is that of one set of seeds: what each order has found at each point.
func (l *lab) millionTable(name string, found map[string][]float64) *draw.Table {
	t := &draw.Table{Name: "million-" + name,
		Title: fmt.Sprintf("Found of the hottest pages, %s: %d pages", name, l.Synthetic.Pages),
		Note: fmt.Sprintf("%d seeds, batches of %d pages, orders without classes. Found %% of the %g %% of all pages "+
			"to which most pages link, when so many per cent of all pages are fetched. Oracle: the order by these "+
			"links.",
			l.Seeds, l.Synthetic.Batch, l.Priced),
		Columns: []string{"order"}}
	for _, point := range l.Synthetic.Points {
		t.Columns = append(t.Columns, fmt.Sprintf("at %g %%", point))
	}
	for _, order := range l.Synthetic.Orders {
		cells := []string{order}
		if order == "score" {
			cells[0] = "oracle"
		}
		for _, share := range found[order] {
			cells = append(cells, draw.Number(share, 1))
		}
		t.Add(cells...)
	}
	return t
}

// hottest are the pages to which most pages link; of equals those that a lot says.
func (l *lab) hottest(w *synthetic.Web) []bool {
	hot := make([]bool, len(w.Host))
	for _, page := range l.ordered(inDegrees(w))[:int(math.Ceil(l.Priced/100*float64(len(w.Host))))] {
		hot[page] = true
	}
	return hot
}

func inDegrees(w *synthetic.Web) []float64 {
	heat := make([]float64, len(w.Host))
	for page, n := range w.InDegree() {
		heat[page] = float64(n)
	}
	return heat
}

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/orders/internal/synthetic"
)

// million shows which share of the hottest pages of a synthetic web each order finds in the first part
// of a crawl. Classes are left out (advise -exact), which the experiment batches has the price of: with
// them a crawl takes ten times as long.
func million(l *lab, c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	p, err := synthetic.ReadParameters()
	if err != nil {
		return err
	}
	for _, name := range l.Synthetic.Models {
		w, err := l.grow(&p, name)
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

// foundIn has advise crawl a web, and returns for each draw what each order has found of the hottest
// pages at the points, in per cent.
func (l *lab) foundIn(w *synthetic.Web) ([]map[string][]float64, error) {
	seeds, found := make([][]uint32, l.Synthetic.Draws), make([]map[string][]float64, l.Synthetic.Draws)
	var draws []int
	for draw := range seeds {
		random := results.Random(l.Seed, draw, "seeds of synthetic webs")
		for range l.Seeds {
			seeds[draw] = append(seeds[draw], uint32(random.IntN(len(w.Host))))
		}
		found[draw], draws = map[string][]float64{}, append(draws, draw)
	}
	heat := inDegrees(w)
	a, err := advised.New(l.bin, linkedSynthetic(w), l.scores(heat), seeds)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	hottest, all := make([]bool, len(heat)), int(math.Ceil(l.Priced/100*float64(len(heat))))
	for _, page := range l.ordered(heat)[:all] {
		hottest[page] = true
	}
	t := advised.Trial{Batch: l.Synthetic.Batch, Exact: true, Most: l.pagesAt(slices.Max(l.Synthetic.Points))}
	var runs []func() error
	for _, hand := range advised.Hands(draws) {
		runs = append(runs, func() error {
			return a.Run(t, l.Synthetic.Orders, hand, func(draw int, order string, c *advised.Crawl) {
				found[draw][order] = l.atPoints(c.Pages, hottest, all)
			})
		})
	}
	return found, advised.Together(runs...)
}

// atPoints is which share of the hottest a crawl has found at the points that it came to, in per cent.
func (l *lab) atPoints(pages []uint32, hottest []bool, all int) (shares []float64) {
	found := 0
	for i, page := range pages {
		if hottest[page] {
			found++
		}
		if n := len(shares); n < len(l.Synthetic.Points) && i+1 == l.pagesAt(l.Synthetic.Points[n]) {
			shares = append(shares, 100*float64(found)/float64(all))
		}
	}
	return shares
}

func (l *lab) pagesAt(percent float64) int { return int(percent / 100 * float64(l.Synthetic.Pages)) }

// linkedSynthetic is a synthetic web as advise reads it.
func linkedSynthetic(w *synthetic.Web) *advised.Web {
	return &advised.Web{Links: w.Links, Host: func(line []byte, page uint32) []byte {
		return append(strconv.AppendUint(append(line, 'h'), uint64(w.Host[page]), 10), ".test"...)
	}}
}

func inDegrees(w *synthetic.Web) []float64 {
	heat := make([]float64, len(w.Host))
	for page, n := range w.InDegree() {
		heat[page] = float64(n)
	}
	return heat
}

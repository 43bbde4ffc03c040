package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// controls shows what is left of the orders where a part of what they could go by is taken away.
func (l *lab) controls(c *results.Chapter, on named) error {
	random := l.random("controls of " + on.name)
	orders := []string{"breadth", "depth", "random", "backlink", "backlink-others", "opic", "pagerank", "score"}
	t := &draw.Table{Name: "controls-" + on.file(), Title: "Controls, " + on.name,
		Note: fmt.Sprintf("Per cent of the pages that can be reached at which half of the hottest %g %% by "+
			"in-degree are found; batches of %d. Rewired: the targets of all links are shuffled; a page keeps how "+
			"many links it has and how many lead to it. Drawn: each target is drawn from all pages; a page keeps "+
			"only how many links it has. Of these Webs the hottest are their own. Permuted: the Web is as it is, "+
			"but who is hot was dealt out by lot, and so were the oracle's scores.", l.Priced, l.Shown),
		Columns: append([]string{"links"}, append(orders[:len(orders)-1:len(orders)-1], oracle(inDegree))...)}
	rewired, drawn, permuted := on, on, l.dealt("heat", len(on.Pages))
	rewired.Web, drawn.Web = on.Rewired(random), uniform(on.Web, random)
	seeds := l.seedsOf(on)
	rows, things := make([][]string, 4), []func() error(nil)
	for i, row := range []struct {
		name         string
		on           named
		wanted, hint []float64
	}{
		{"as they are", on, on.heat[inDegree], nil},
		{"rewired", rewired, degrees(rewired.Web), nil},
		{"drawn", drawn, degrees(drawn.Web), nil},
		{"as they are, permuted", on, permuted, l.dealt("scores", len(on.Pages))},
	} {
		things = append(things, func() error {
			if row.hint == nil {
				row.hint = row.wanted
			}
			a, err := l.adviser(row.on.Web, seeds, l.scores(row.hint))
			if err != nil {
				return err
			}
			defer a.close()
			crawls, err := a.crawls(trial{orders: orders, batch: l.Shown})
			rows[i] = []string{row.name}
			for _, order := range orders {
				curve := curveOf(crawls[order], l.ordered(row.wanted), l.Priced)
				rows[i] = append(rows[i], draw.Number(curve.half(), 1))
			}
			return err
		})
	}
	if err := together(things...); err != nil {
		return err
	}
	for _, row := range rows {
		t.Add(row...)
	}
	c.Table(t)
	return nil
}

// dealt is a number for each page, by lot.
func (l *lab) dealt(purpose string, pages int) []float64 {
	numbers := make([]float64, pages)
	for i, page := range l.random(purpose).Perm(pages) {
		numbers[page] = float64(i)
	}
	return numbers
}

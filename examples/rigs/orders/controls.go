package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
)

// ofControls is the orders of controls, with the oracle by in-degree.
func (l *lab) ofControls() asked {
	return asked{l.plain(), []string{"breadth", "random", "backlink", "opic", "pagerank", oracle(inDegree)}}
}

// controls shows what is left of the orders where a part of what they could go by is taken away.
func (l *lab) controls(c *results.Chapter) error {
	all := []asked{l.ofControls(), {l.plain(), []string{oracle(byLot)}}}
	return l.onWebs(c, l.Prices, everyWeb, all, (*lab).control)
}

// control makes the table of a Web, and the crawls of that with other links.
func (l *lab) control(c *results.Chapter, on *named) error {
	random, orders := l.random("controls of "+on.name), l.ofControls().orders
	rewired, drawn := l.with(on, on.Rewired(random)), l.with(on, uniform(on.Web, random))
	if err := l.crawls([]*named{rewired, drawn}, l.draw+1, []asked{l.ofControls()}); err != nil {
		return err
	}
	t := &draw.Table{Name: "controls-" + on.file(), Title: "Controls, " + on.name,
		Note: fmt.Sprintf("Per cent of the pages that can be reached at which half of the hottest %g %% by "+
			"in-degree are found; batches of %d. Rewired: the targets of all links are shuffled; a page keeps how "+
			"many links it has and how many lead to it. Drawn: each target is drawn from all pages; a page keeps "+
			"only how many links it has. Of these Webs the hottest are their own. Permuted: the Web is as it is, "+
			"but who is hot was dealt out by lot, and so were the oracle's scores.", l.Priced, l.Shown),
		Columns: append([]string{"links"}, orders...)}
	for _, row := range []struct {
		name   string
		on     *named
		wanted []float64
		lot    bool // the oracle goes by it
	}{
		{"as they are", on, on.heat[inDegree], false},
		{"rewired", rewired, rewired.heat[inDegree], false},
		{"drawn", drawn, drawn.heat[inDegree], false},
		{"as they are, permuted", on, l.dealt("heat", len(on.Pages)), true},
	} {
		cells := []string{row.name}
		for _, order := range orders {
			if row.lot && isOracle(order) {
				order = oracle(byLot)
			}
			of := curveOf(row.on.crawl(l.plain(), order, l.draw), l.ordered(row.wanted), l.Priced)
			cells = append(cells, draw.Number(of.Half(), 1))
		}
		t.Add(cells...)
	}
	c.Table(t)
	return nil
}

// with is a Web with other links, which is crawled in the draw of the lab alone.
func (l *lab) with(on *named, links *web.Web) *named {
	seeds := make([][]uint32, l.draw+1)
	seeds[l.draw] = on.seeds[l.draw]
	return &named{name: on.name, Web: links, heat: map[string][]float64{inDegree: degrees(links)}, seeds: seeds,
		done: map[made][][]uint32{}}
}

// dealt is a number for each page, by lot.
func (l *lab) dealt(purpose string, pages int) []float64 {
	numbers := make([]float64, pages)
	for i, page := range l.random(purpose).Perm(pages) {
		numbers[page] = float64(i)
	}
	return numbers
}

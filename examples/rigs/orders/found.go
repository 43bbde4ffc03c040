package main

import (
	"fmt"
	"strings"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// everyOrder is the orders of the frontier.
func everyOrder() []string {
	return []string{"breadth", "depth", "random", "backlink", "backlink-others", "opic", "pagerank",
		"backlink,breadth"}
}

// oracle is an order that no crawl can have, for it goes by the whole Web.
func oracle(measure string) string { return before + measure }

const before = "oracle, "

func isOracle(order string) bool { return strings.HasPrefix(order, before) }

// measureOf is the measure by whose scores an oracle goes.
func measureOf(order string) string {
	if measure, ok := strings.CutPrefix(order, before); ok {
		return measure
	}
	return inDegree
}

// ofFound is all orders and oracles.
func (l *lab) ofFound() []asked {
	return []asked{{l.plain(), append(everyOrder(), oracle(inDegree), oracle(pageRank))}}
}

// plain is the trial of which others differ in one thing.
func (l *lab) plain() advised.Trial { return advised.Trial{Batch: l.Shown} }

// found shows which share of the hottest pages of a Web each order finds in which share of the crawl.
func (l *lab) found(c *results.Chapter, on *named) error {
	orders := l.ofFound()[0].orders
	t := &draw.Table{Name: "found-" + on.file(),
		Title: fmt.Sprintf("Found of the hottest pages, %s: %d pages, %d links", on.name, len(on.Pages), on.Links()),
		Note: fmt.Sprintf("Batches of %d pages. Found %% of the hottest when so many per cent of the pages that can "+
			"be reached are fetched, and at which per cent half of them are found.", l.Shown),
		Columns: []string{"hottest by", "hottest %", "order"}}
	for _, point := range l.Points {
		t.Columns = append(t.Columns, fmt.Sprintf("at %d %%", point))
	}
	t.Columns = append(t.Columns, "half found at %", "reached %")
	share := draw.Percent(float64(len(on.crawl(l.plain(), orders[0], l.draw))) / float64(len(on.Pages)))
	for _, measure := range []string{inDegree, pageRank} {
		ordered := l.ordered(on.heat[measure])
		for _, hottest := range l.Hottest {
			chart := &draw.Chart{Name: fmt.Sprintf("%s-%s-%g", t.Name, measure, hottest),
				Title: fmt.Sprintf("%s: the hottest %g %% by %s, batches of %d", on.name, hottest, measure, l.Shown),
				X:     "fetched, % of what can be reached", Y: "found of the wanted, %"}
			for _, name := range orders {
				of := curveOf(on.crawl(l.plain(), name, l.draw), ordered, hottest)
				cells := []string{measure, fmt.Sprint(hottest), name}
				for _, point := range l.Points {
					cells = append(cells, draw.Number(of[point], 1))
				}
				t.Add(append(cells, draw.Number(of.Half(), 1), share)...)
				chart.Lines = append(chart.Lines, of.Line(name))
			}
			if hottest == l.Priced {
				c.Chart(chart)
			}
		}
	}
	c.Table(t)
	return nil
}

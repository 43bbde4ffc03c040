package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// everyOrder is the orders of the frontier.
func everyOrder() []string {
	return []string{"breadth", "depth", "random", "backlink", "backlink-others", "opic", "pagerank",
		"backlink,breadth"}
}

// oracles are orders that no crawl can have, for they go by the whole Web.
func oracles() []string { return []string{inDegree, pageRank} }

func oracle(measure string) string { return "oracle, " + measure }

// found shows which share of the hottest pages of a Web each order finds in which share of the crawl.
func (l *lab) found(c *results.Chapter, on named) error {
	seeds := l.seedsOf(on)
	crawls, err := l.withOracles(on, seeds, trial{orders: everyOrder(), batch: l.Shown})
	if err != nil {
		return err
	}
	t := &draw.Table{Name: "found-" + on.file(),
		Title: fmt.Sprintf("Found of the hottest pages, %s: %d pages, %d links", on.name, len(on.Pages), on.Links()),
		Note: fmt.Sprintf("Batches of %d pages. Found %% of the hottest when so many per cent of the pages that can "+
			"be reached are fetched, and at which per cent half of them are found.", l.Shown),
		Columns: []string{"hottest by", "hottest %", "order"}}
	for _, point := range l.Points {
		t.Columns = append(t.Columns, fmt.Sprintf("at %d %%", point))
	}
	t.Columns = append(t.Columns, "half found at %", "reached %")
	share := draw.Percent(float64(reached(on.Web, seeds)) / float64(len(on.Pages)))
	for _, measure := range []string{inDegree, pageRank} {
		ordered := l.ordered(on.heat[measure])
		for _, hottest := range l.Hottest {
			chart := &draw.Chart{Name: fmt.Sprintf("%s-%s-%g", t.Name, measure, hottest),
				Title: fmt.Sprintf("%s: the hottest %g %% by %s, batches of %d", on.name, hottest, measure, l.Shown),
				X:     "fetched, % of what can be reached", Y: "found of the wanted, %"}
			for _, name := range append(everyOrder(), oracle(inDegree), oracle(pageRank)) {
				of := curveOf(crawls[name], ordered, hottest)
				cells := []string{measure, fmt.Sprint(hottest), name}
				for _, point := range l.Points {
					cells = append(cells, draw.Number(of[point], 1))
				}
				t.Add(append(cells, draw.Number(of.half(), 1), share)...)
				chart.Lines = append(chart.Lines, of.line(name))
			}
			if hottest == l.Priced {
				c.Chart(chart)
			}
		}
	}
	c.Table(t)
	return nil
}

func (c curve) line(name string) draw.Line {
	line := draw.Line{Name: name, Y: c}
	for percent := range c {
		line.X = append(line.X, float64(percent))
	}
	return line
}

// withOracles has advise crawl a Web in the orders of a trial and in those of the oracles.
func (l *lab) withOracles(on named, seeds []int, t trial) (map[string][]int, error) {
	crawls, things := make([]map[string][]int, len(oracles())), []func() error(nil)
	for i, measure := range oracles() {
		asked := t
		asked.orders = []string{"score"}
		if i == 0 {
			asked.orders = append(asked.orders, t.orders...)
		}
		things = append(things, func() error {
			a, err := l.adviser(on.Web, seeds, l.scores(on.heat[measure]))
			if err != nil {
				return err
			}
			defer a.close()
			crawls[i], err = a.crawls(asked)
			return err
		})
	}
	err := together(things...)
	all := map[string][]int{}
	for i, measure := range oracles() {
		for order, crawl := range crawls[i] {
			if order == "score" {
				order = oracle(measure)
			}
			all[order] = crawl
		}
	}
	return all, err
}

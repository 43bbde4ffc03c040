package main

import (
	"fmt"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// A price is a table of what it costs an order to know less, or to have less choice: the per cent of
// the crawl at which half of the hottest are found, a column for each trial.
type price struct {
	name, title, note string
	columns           []string
	trials            []advised.Trial
}

// priceOn makes a table of each of some Webs.
func (l *lab) priceOn(c *results.Chapter, some func(*named) bool, p *price) error {
	var all []asked
	for _, t := range p.trials {
		all = append(all, asked{t, priced()})
	}
	return l.onWebs(c, l.Prices, some, all, p.table)
}

func (p *price) table(l *lab, c *results.Chapter, on *named) error {
	ordered := l.ordered(on.heat[inDegree])
	t := &draw.Table{Name: p.name + "-" + on.file(), Title: p.title + ", " + on.name,
		Note: fmt.Sprintf("Per cent of the pages that can be reached at which half of the hottest %g %% by "+
			"in-degree are found. ", l.Priced) + p.note, Columns: append([]string{"order"}, p.columns...)}
	for _, order := range priced() {
		cells := []string{order}
		for _, of := range p.trials {
			half := curveOf(on.crawl(of, order, l.draw), ordered, l.Priced).Half()
			cells = append(cells, draw.Number(half, 1))
		}
		t.Add(cells...)
	}
	c.Table(t)
	return nil
}

// priced is the orders of the tables of prices.
func priced() []string {
	return []string{"breadth", "depth", "backlink", "opic", "pagerank", oracle(inDegree)}
}

// ofBatches is the price of batches, and that of 64 classes.
func (l *lab) ofBatches() *price {
	p := &price{name: "batches", title: "The price of batches and of classes",
		note: "A column is the number of pages in a batch, whose links are known when all of it was fetched. Exact: " +
			"the order is kept without classes, and without regard to hosts."}
	for _, exact := range []bool{false, true} {
		for _, batch := range l.Batches {
			if exact && batch > l.Shown {
				continue
			}
			p.columns = append(p.columns, fmt.Sprint(batch)+map[bool]string{true: ", exact"}[exact])
			p.trials = append(p.trials, advised.Trial{Batch: batch, Exact: exact})
		}
	}
	return p
}

// ofHosts is the price of politeness.
func (l *lab) ofHosts() *price {
	p := &price{name: "hosts", title: "The price of politeness",
		note: fmt.Sprintf("Batches of %d pages at most; a column is how many of one host may be among them.", l.Polite)}
	for _, most := range l.PerHost {
		p.columns = append(p.columns, fmt.Sprint(most))
		p.trials = append(p.trials, advised.Trial{Batch: l.Polite, PerHost: most})
	}
	p.columns, p.trials = append(p.columns, "any"), append(p.trials, advised.Trial{Batch: l.Polite})
	return p
}

// ofCrawlers is the price of several crawlers.
func (l *lab) ofCrawlers() *price {
	p := &price{name: "crawlers", title: "The price of several crawlers",
		note: fmt.Sprintf("A column is the number of crawlers that share the pages by a hash of their hosts. They "+
			"have batches of %d pages together; a link to a page of another is known a batch later.", l.Shown)}
	for _, n := range l.Crawlers {
		p.columns = append(p.columns, fmt.Sprint(n))
		t := l.plain()
		if n > 1 {
			t.Crawlers = n
		}
		p.trials = append(p.trials, t)
	}
	return p
}

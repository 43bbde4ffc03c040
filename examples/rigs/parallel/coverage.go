package main

import (
	"fmt"
	"math"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// A way is how a Web is parted for a column of a table.
type way struct {
	name    string
	by      string
	rewired bool // the links are
}

// ways are the partitions of the paper, and the controls: by lot, and with links that are shuffled.
func ways() []way {
	return []way{{"by site", bySite, false}, {"by URL", byURL, false}, {"by lot", byLot, false},
		{"rewired, by site", bySite, true}}
}

// of is the Web of a way.
func (w way) of(on *named) *named {
	if w.rewired {
		return on.rewired
	}
	return on
}

// coverage shows what crawlers find who drop the links of others, by their number.
func (l *lab) coverage(c *results.Chapter) error {
	if err := l.readWebs(); err != nil {
		return err
	}
	l.describe(c)
	return l.onWebs(c, func(c *results.Chapter, on *named, draw int) error {
		order := l.seeds(on, draw)
		err := l.covered(c, on, "each", fmt.Sprintf("%d seeds of each crawler", l.Each),
			func(owner []uint16) []uint32 { return ofEach(order, owner, l.Each) })
		if err != nil {
			return err
		}
		return l.covered(c, on, "total", fmt.Sprintf("%d seeds together", l.Total),
			func([]uint16) []uint32 { return first(order, l.Total) })
	})
}

// covered makes the table and the picture of a Web with some seeds.
func (l *lab) covered(c *results.Chapter, on *named, name, what string, seeds func(owner []uint16) []uint32) error {
	t := &draw.Table{Name: "coverage-" + name + "-" + on.file(), Title: "Coverage, firewall, " + what + ", " + on.name,
		Note: "Per cent of all pages of the web that the crawlers fetch. One: what one crawler fetches from the " +
			"seeds of those by site. Of one: coverage in per cent of what one crawler fetches from the same seeds, " +
			"by the same links. Rewired: with the targets of all links shuffled. Load: the largest of a crawler " +
			"over the mean, in pages fetched.",
		Columns: []string{"crawlers", "by site", "by URL", "by lot", "one", "of one: by site", "of one: by URL",
			"of one: by lot", "of one: rewired, by site", "load by site", "load by URL"}}
	chart := &draw.Chart{Name: t.Name, Title: on.name + ": firewall, " + what, X: "crawlers, as a power of two",
		Y: "coverage, %"}
	for _, n := range l.Crawlers {
		var shares, ofOne, loads []float64
		for _, w := range ways() {
			owner, err := l.ownersOf(on, w.by, n)
			if err != nil {
				return err
			}
			web, from := w.of(on), seeds(owner)
			one := float64(sum(reach(web.links, from)))
			crawled := web.count(owner, n, firewall(web.links, owner, from), nil)
			ofOne = append(ofOne, float64(crawled.pages)/one)
			if !w.rewired {
				shares = append(shares, a(crawled.pages, len(on.Pages)))
				loads = append(loads, crawled.load)
			} else {
				shares = append(shares, float64(sum(reach(on.links, from)))/float64(len(on.Pages)))
			}
		}
		cells := []string{fmt.Sprint(n)}
		for i, share := range shares {
			chart.Point(t.Columns[1+i], math.Log2(float64(n)), 100*share)
			cells = append(cells, draw.Percent(share))
		}
		for _, share := range ofOne {
			cells = append(cells, draw.Percent(share))
		}
		t.Add(append(cells, draw.Number(loads[0], 2), draw.Number(loads[1], 2))...)
	}
	c.Table(t)
	c.Chart(chart)
	return nil
}

// seeded shows the same by the number of seeds of all crawlers together.
func (l *lab) seeded(c *results.Chapter) error {
	return l.onWebs(c, func(c *results.Chapter, on *named, number int) error {
		order := l.seeds(on, number)
		t := &draw.Table{Name: "seeds-" + on.file(), Title: "Coverage by the number of seeds, firewall, " + on.name,
			Note: "Per cent of all pages of the web that so many crawlers fetch, by site, from so many seeds " +
				"together, drawn of all pages. – where the web has not as many pages. Rewired: with the targets of " +
				"all links shuffled.",
			Columns: []string{"seeds"}}
		chart := &draw.Chart{Name: t.Name, Title: on.name + ": firewall, by site", X: "seeds, as a power of ten",
			Y: "coverage, %"}
		for _, web := range []*named{on, on.rewired} {
			for _, n := range l.Seeds.Crawlers {
				t.Columns = append(t.Columns, fmt.Sprint(n)+strings.TrimPrefix(web.name, on.name))
			}
		}
		for _, seeds := range l.Seeds.Numbers {
			cells := []string{fmt.Sprint(seeds)}
			for _, web := range []*named{on, on.rewired} {
				for _, n := range l.Seeds.Crawlers {
					owner, err := l.ownersOf(on, bySite, n)
					if err != nil {
						return err
					}
					share := a(sum(firewall(web.links, owner, first(order, seeds))), len(on.Pages))
					if seeds > len(on.Pages) {
						share = math.NaN()
					}
					chart.Point(t.Columns[len(cells)], math.Log10(float64(seeds)), 100*share)
					cells = append(cells, draw.Percent(share))
				}
			}
			t.Add(cells...)
		}
		c.Table(t)
		c.Chart(chart)
		return nil
	})
}

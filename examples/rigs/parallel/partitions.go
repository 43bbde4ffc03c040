package main

import (
	"fmt"
	"slices"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// partitions holds partitions beside one another: on the code of laws, whose pages have topics, one by topic, and
// on the sites one by registered domain.
func (l *lab) partitions(c *results.Chapter) error {
	if err := l.readWebs(); err != nil {
		return err
	}
	for _, of := range []struct{ name, by string }{{lawWeb, byTopic}, {sitesWeb, byDomain}} {
		on := l.webs[slices.IndexFunc(l.webs, func(on *named) bool { return on.name == of.name })]
		err := c.Over(l.Draws, l.Outside, func(number int, c *results.Chapter) error {
			return l.parted(c, on, []string{of.by, bySite, byURL, byLot}, l.seeds(on, number))
		})
		if err != nil {
			return fmt.Errorf("%s: %w", of.name, err)
		}
	}
	return nil
}

// parted is the table of a Web; order are its pages as seeds.
func (l *lab) parted(c *results.Chapter, on *named, partitions []string, order []int) error {
	t := &draw.Table{Name: "partitions-" + on.file(), Title: "Partitions beside one another, " + on.name,
		Note: fmt.Sprintf("%d crawlers, %d seeds of each. Firewall: coverage, in per cent of what one crawler "+
			"fetches from the same seeds. Cross-over: (N − I) / I when nothing is left to fetch. URLs a page and "+
			"bytes a byte: exchange, each URL sent once for ever, where the owner of a page is known before it is "+
			"fetched. Pages sent: the crawler that finds a page fetches it and sends it to its owner (C4); fetches "+
			"a page, and bytes of pages sent a byte of the different pages fetched. Load: of exchange.",
			l.Shown, l.Each),
		Columns: []string{"by", "firewall %", "cross-over overlap", "URLs a page", "bytes a byte %",
			"pages sent: fetches a page", "pages sent: bytes a byte %", "load"}}
	for _, by := range partitions {
		owner, err := l.ownersOf(on, by, l.Shown)
		if err != nil {
			return err
		}
		seeds := ofEach(order, owner, l.Each)
		all := reach(on.links, seeds)
		one := float64(sum(all))
		of := on.count(owner, l.Shown, all, nil)
		t.Add(by, draw.Percent(float64(sum(firewall(on.links, owner, seeds)))/one),
			draw.Number(float64(on.apiece(owner, l.Shown, seeds))/one-1, 2),
			draw.Number(a(of.ever, of.pages), 2), draw.Number(100*a(of.sent, of.bytes), 2),
			draw.Number(a(of.found, of.pages), 2), draw.Number(100*a(of.whole, of.bytes), 1),
			draw.Number(of.load, 2))
	}
	c.Table(t)
	return nil
}

// apiece is how many pages crawlers fetch who each fetch all that can be reached from their own seeds.
func (on *named) apiece(owner []uint16, crawlers int, seeds []uint32) (pages int) {
	of := make([][]uint32, crawlers)
	for _, seed := range seeds {
		of[owner[seed]] = append(of[owner[seed]], seed)
	}
	for _, own := range of {
		pages += sum(reach(on.links, own))
	}
	return pages
}

package main

import (
	"fmt"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// agree holds what is counted here against crawls by advise: what crawlers fetch behind a firewall, and what
// they send where they exchange links. Both follow from the links alone, whatever is fetched first.
func (l *lab) agree(c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	if err := l.readWebs(); err != nil {
		return err
	}
	t := &draw.Table{Name: "agree", Title: "Counted beside simulated",
		Note: "By site, from the seeds of the first draw. Behind each figure stands that of a crawl by advise. " +
			"Links: to pages of others, each as often as it is found. Sent: URLs, each once by a crawler. The last " +
			"column says whether the very same pages are fetched, and all figures are equal. Rewired, the control: " +
			"counted on the links as they are shuffled.",
		Columns: []string{"crawlers", "web", "mode", "fetched", "by advise", "links", "by advise", "sent", "by advise",
			"equal"}}
	for _, on := range l.webs {
		f, err := advised.New(l.bin, advised.Of(on.Web), nil, [][]uint32{first(l.seeds(on, 0), l.Total)})
		if err != nil {
			return err
		}
		err = l.agrees(t, on, f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
	}
	c.Table(t)
	return nil
}

// agrees adds the rows of a Web.
func (l *lab) agrees(t *draw.Table, on *named, f *advised.Folder) error {
	for _, mode := range []string{"firewall", "exchange", "firewall, rewired"} {
		counted := on
		if mode == "firewall, rewired" {
			counted = on.rewired
		}
		owner, err := l.ownersOf(on, bySite, l.Shown)
		if err != nil {
			return err
		}
		seeds := first(l.seeds(on, 0), l.Total)
		fetched, others := reach(counted.links, seeds), ""
		if mode != "exchange" {
			fetched, others = firewall(counted.links, owner, seeds), "drop"
		}
		here := counted.count(owner, l.Shown, fetched, nil)
		trial := advised.Trial{Batch: l.Batch, Crawlers: l.Shown, By: bySite, Others: others}
		err = f.Run(trial, []string{"breadth"}, []int{0}, func(_ int, _ string, c *advised.Crawl) {
			same := len(c.Pages) == here.pages
			for i, page := range c.Pages {
				same = same && fetched[page] && c.By[i] == owner[page]
			}
			links, sent := int(c.Sent.Each+c.Sent.Dropped), here.ever
			if mode != "exchange" {
				sent = 0
			}
			t.Add(fmt.Sprint(l.Shown), on.name, mode, fmt.Sprint(here.pages), fmt.Sprint(len(c.Pages)),
				fmt.Sprint(here.each), fmt.Sprint(links), fmt.Sprint(sent), fmt.Sprint(c.Sent.Ever),
				yes(same && links == here.each && sent == int(c.Sent.Ever)))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/study/internal/sim"
)

// A setting says where some pages go.
type setting struct {
	name  string
	owner int
	which func(page int) bool
}

// asMany draws as many other sections as there are short ones.
func (l *lab) asMany(w *collection, isShort func(page int) bool) map[int]bool {
	var others []int
	n := 0
	for page := range w.Samples {
		switch {
		case w.Samples[page].Fold == "":
		case isShort(page):
			n++
		default:
			others = append(others, page)
		}
	}
	drawn := make(map[int]bool)
	for _, i := range l.random("as many").Perm(len(others))[:min(n, len(others))] {
		drawn[others[i]] = true
	}
	return drawn
}

// short: where should pages go that have too few terms to be classified?
func short(l *lab, w *collection, c *results.Chapter) error {
	labels := l.decided(w).labels
	isShort := func(page int) bool { return w.terms[page] < l.Open.Short }
	asMany := l.asMany(w, isShort)
	t := &draw.Table{Name: "open-short", Title: "Where should short pages go?",
		Note: fmt.Sprintf("%d of %d sections have fewer than %d terms; they are not classified and do not count as "+
			"kept or not. #0 is the crawler of title %s. As many others, the red control: short pages are local, and "+
			"as many long ones, drawn at random, go to #0 instead and do not "+
			"count.", len(asMany), sections(w), l.Open.Short, w.titles[0]),
		Columns: strings.Split("short pages go|kept %|macro %|kept by #0 %|of its pages|by one %|again|sent|load, "+
			"fetched", "|")}
	seeds := l.seeds(w, truth(w), len(w.titles), l.Crawl.Seeds)
	for _, setting := range []setting{
		{"nowhere: they are local", sim.Anyone, isShort},
		{"to #0, as in X4", 0, isShort},
		{"to a crawler of their own", len(w.titles), isShort},
		{"as many others to #0", 0, func(page int) bool { return asMany[page] }},
	} {
		owners := sim.ByLabel(w.titles, labels)
		for page := range owners {
			if setting.which(page) {
				owners[page] = setting.owner
			} else if isShort(page) {
				owners[page] = sim.Anyone
			}
		}
		with := seeds
		if setting.owner == len(w.titles) {
			with = append(slices.Clone(seeds), nil)
		}
		log, err := l.crawl(w, sim.Partition{Name: setting.name, Pages: owners}, with)
		if err != nil {
			return err
		}
		all := log.Figures()
		f := log.Where(func(e sim.Event) bool {
			return e.Kind == sim.Fetched && !isShort(e.Page) && !setting.which(e.Page)
		}).Figures()
		zero := f.Pages.Matrix[0]
		t.Add(setting.name, draw.Percent(f.Pages.Micro), draw.Percent(f.Pages.Macro), draw.Percent(shares(zero)[0]),
			fmt.Sprint(total(zero)),
			draw.Percent(all.AtMost(1)), draw.Number(all.Again, 3), draw.Number(all.Sent, 3),
			draw.Number(all.Fetched, 2))
	}
	c.Table(t)
	return nil
}

// unclassified simulates where pages without text and short ones may go, of the web that the crawl
// has crawled.
func (l *lab) unclassified(c *results.Chapter, x *crawl) error {
	t := &draw.Table{Name: "crawls-short", Title: "Where should pages without text, and short ones, go?",
		Note: fmt.Sprintf("Simulated, by the labels of the crawl. Only pages of 50 terms or more count as kept or "+
			"not; #0 is %s.", x.nodes[0]),
		Columns: strings.Split("no text|short|kept %|macro %|kept by #0 %|of its pages|by one %|again|load, fetched",
			"|")}
	own := len(x.nodes)
	name := map[int]string{sim.Anyone: "local", 0: "to #0", own: "to a crawler of their own"}
	for _, to := range [][2]int{{sim.Anyone, sim.Anyone}, {0, sim.Anyone}, {own, sim.Anyone}, {sim.Anyone, 0},
		{sim.Anyone, own}, {0, 0}, {own, own}} {
		topics := x.owners()
		owners := slices.Clone(topics)
		for page := range owners {
			switch x.web.Pages[page].Kind {
			case "no-text":
				owners[page] = to[0]
			case "short": // which the crawl classifies
				owners[page], topics[page] = to[1], sim.Anyone
			}
		}
		seeds := append(slices.Clone(x.seeds), nil)
		log, err := (&sim.Crawl{Web: x.web, Partition: sim.Partition{Name: "topic", Pages: owners}, Seeds: seeds,
			Exchange: l.Crawl.Exchange}).Run()
		if err != nil {
			return err
		}
		all := log.Figures()
		f := log.Where(func(e sim.Event) bool {
			return e.Kind == sim.Fetched && topics[e.Page] != sim.Anyone
		}).Figures()
		zero := f.Pages.Matrix[0]
		t.Add(name[to[0]], name[to[1]], draw.Percent(f.Pages.Micro), draw.Percent(f.Pages.Macro),
			draw.Percent(shares(zero)[0]), fmt.Sprint(total(zero)),
			draw.Percent(all.AtMost(1)), draw.Number(all.Again, 3), draw.Number(all.Fetched, 2))
	}
	c.Table(t)
	return nil
}

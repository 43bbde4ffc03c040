package main

import (
	"fmt"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/sim"
)

// sureFirst: what does it save when each crawler of a law's titles follows the links of those pages
// first of which the classifier is surest?
func sureFirst(l *lab, c *results.Chapter) error {
	w, err := l.laws()
	if err != nil {
		return err
	}
	c.Say("The crawlers of partitions, by topic. A link has the confidence in the label of its page, sure=, as its " +
		"score, in the 64 classes of the frontier's order score; without a label the score is 0. The orders are held " +
		"against breadth first, at the same share of the crawl.")
	for _, walk := range []struct {
		name string
		on   *web.Web
	}{{"citations", w.Cited}, {"all-links", w.Web}} {
		err := l.over(c, func(l *lab, c *results.Chapter) error { return l.inSureOrder(c, w, walk.name, walk.on) })
		if err != nil {
			return err
		}
	}
	return nil
}

// sureOrders are the orders that are compared; the first is breadth first.
func (l *lab) sureOrders(w *collection, owners sim.Owners) (names []string, orders []*sim.Order) {
	labels := l.decided(w)
	of := func(page int) float64 {
		if page == sim.None {
			return 1 // seeds are wanted
		}
		if labels.labels[page] == "" {
			return 0
		}
		return labels.sure[page]
	}
	shuffled := l.random("shuffled sure").Perm(len(labels.sure))
	sure := func(_, from, _ int) float64 { return of(from) }
	return []string{"breadth first", "sure first", "sure first, raised", "sure shuffled", "own pages first"},
		[]*sim.Order{nil, {Score: sure}, {Score: sure, Rises: true},
			{Score: func(_, from, _ int) float64 {
				if from == sim.None {
					return 1
				}
				return of(shuffled[from])
			}},
			{Score: func(crawler, _, to int) float64 {
				if owners[to] == crawler {
					return 1
				}
				return 0
			}}}
}

// inSureOrder crawls one Web in each order, in one draw.
func (l *lab) inSureOrder(c *results.Chapter, w *collection, name string, on *web.Web) error {
	p := sim.Partition{Name: "topic, classifier", Pages: sim.ByLabel(w.titles, l.decided(w).labels)}
	seeds := l.seeds(w, truth(w), len(w.titles), l.Crawl.Seeds)
	t := &draw.Table{Name: "sure-" + name, Title: "Links of sure pages first, along " + name,
		Note: "Transfers: pages sent to another crawler, by URL fetched. Refetches: fetches of a URL after its " +
			"first, by URL. Over breadth first: the ratio in the same draw. Kept: Pr^P. Raised: a page that waits " +
			"takes the greatest score of the links to it. Shuffled: the confidences of other pages. Own pages first " +
			"knows whose a page is before it is fetched, as no crawl can.",
		Columns: strings.Split("order|% crawled|URLs|kept %|transfers a page|over breadth first|"+
			"refetches a page|over breadth first|sent", "|")}
	names, orders := l.sureOrders(w, p.Pages)
	var breadth []traffic
	for i, order := range orders {
		log, err := (&sim.Crawl{Web: on, Partition: p, Seeds: seeds, Exchange: l.Crawl.Exchange, Order: order}).Run()
		if err != nil {
			return err
		}
		for k, point := range l.Crawl.Points {
			f := trafficOf(log.Until(float64(point) / 100))
			if i == 0 {
				breadth = append(breadth, f)
			}
			t.Add(names[i], fmt.Sprint(point), fmt.Sprint(f.URLs), draw.Percent(f.Pages.Micro),
				draw.Number(f.transfers, 3), draw.Number(f.transfers/breadth[k].transfers, 3), draw.Number(f.Again, 3),
				draw.Number(f.Again/breadth[k].Again, 3), draw.Number(f.Figures.Sent, 3))
		}
	}
	c.Table(t)
	return nil
}

// traffic is what is told of a crawl, or of its beginning.
type traffic struct {
	sim.Figures
	transfers float64 // pages sent to another crawler, by URL fetched
}

func trafficOf(log *sim.Log) traffic {
	sent := log.Where(func(e sim.Event) bool { return e.Kind == sim.Fetched && e.Sent > 0 })
	f := log.Figures()
	return traffic{f, float64(len(sent.Events)) / float64(f.URLs)}
}

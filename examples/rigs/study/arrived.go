package main

import (
	"fmt"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/sim"
)

// arrived: what does it save when a crawler learns the URLs of the pages that others have fetched
// for it?
func arrived(l *lab, w *collection, c *results.Chapter) error {
	t := &draw.Table{Name: "open-arrived", Title: "What does it save to learn the URLs of pages that arrive?",
		Note: "X4 (4) treats a page that arrives as if its owner had downloaded it. Forgotten: the owner's filter " +
			"does not learn its URL. Learned: it does. Skipped: what waits in the owner's queue is not fetched, " +
			"either.",
		Columns: strings.Split("along|URL of a page that arrives|URLs|fetches|again|kept %|macro %|by one %|by two "+
			"at most %|sent|load, fetched", "|")}
	p := sim.Partition{Name: "topic, classifier", Pages: sim.ByLabel(w.titles, l.decided(w).labels)}
	seeds := l.seeds(w, truth(w), len(w.titles), l.Crawl.Seeds)
	for _, walk := range []struct {
		name string
		on   *web.Web
	}{{"citations", w.Cited}, {"all links", w.Web}} {
		for arrived, name := range []string{"forgotten", "learned", "learned, skipped if queued"} {
			log, err := (&sim.Crawl{Web: walk.on, Partition: p, Seeds: seeds, Exchange: l.Crawl.Exchange,
				Arrived: sim.Arrived(arrived)}).Run()
			if err != nil {
				return err
			}
			f := log.Figures()
			t.Add(walk.name, name, fmt.Sprint(f.URLs), fmt.Sprint(f.Fetches), draw.Number(f.Again, 3),
				draw.Percent(f.Pages.Micro), draw.Percent(f.Pages.Macro),
				draw.Percent(f.AtMost(1)), draw.Percent(f.AtMost(2)), draw.Number(f.Sent, 3), draw.Number(f.Fetched, 2))
		}
	}
	c.Table(t)
	return nil
}

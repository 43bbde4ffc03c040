package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// Who says which URLs are popular.
const (
	earlier = "earlier" // the links on a half of the pages, drawn by lot: those that an earlier crawl has fetched
	itself  = "itself"  // all links of the web that is crawled, as in the paper: nobody has them before the crawl
	lots    = "lot"     // nobody: any pages are
)

// popular are the pages of a Web, the most popular first; of those that are equally so, any.
func (l *lab) popular(on *named, by string) []int {
	random := results.Random(l.Seed, 0, "popular "+by+" of "+on.name)
	in := make([]int, len(on.Pages))
	for from := range on.Pages {
		if by == lots || by == earlier && random.IntN(2) == 0 {
			continue
		}
		for _, to := range on.links[from] {
			in[to]++
		}
	}
	pages := random.Perm(len(in))
	slices.SortStableFunc(pages, func(a, b int) int { return cmp.Compare(in[b], in[a]) })
	return pages
}

// replicated shows what is sent where all crawlers know the most popular URLs.
func (l *lab) replicated(c *results.Chapter) error {
	return l.onWebs(c, func(c *results.Chapter, on *named, number int) error {
		owner, err := l.ownersOf(on, bySite, l.Shown)
		if err != nil {
			return err
		}
		seeds := first(l.seeds(on, number), l.Total)
		t := &draw.Table{Name: "replicated-" + on.file(), Title: "URLs sent a page, with replicated URLs, " + on.name,
			Note: fmt.Sprintf("%d crawlers, by site. So many URLs are known to all crawlers as seeds, and are "+
				"never sent: those with the most links on a half of the pages, which an earlier crawl has fetched "+
				"(earlier); with the most of the web that is crawled itself, as in the paper; or any (lot), the "+
				"control. One by one and ever as in the tables of URLs sent.", l.Shown),
			Columns: []string{"replicated"}}
		chart := &draw.Chart{Name: t.Name, Title: on.name + ": URLs sent a page", X: "replicated, as a power of ten",
			Y: "URLs a page"}
		for _, by := range []string{earlier, itself, lots} {
			t.Columns = append(t.Columns, by+", one by one", by+", ever")
		}
		for _, k := range l.Replicated {
			cells := []string{fmt.Sprint(k)}
			for _, by := range []string{earlier, itself, lots} {
				known := first(l.popular(on, by), k)
				fetched := reach(on.links, slices.Concat(known, seeds))
				of := on.count(owner, l.Shown, fetched, on.marks(known))
				for _, sent := range []int{of.each, of.ever} {
					if k > 0 {
						chart.Point(t.Columns[len(cells)], math.Log10(float64(k)), a(sent, of.pages))
					}
					cells = append(cells, draw.Number(a(sent, of.pages), 3))
				}
			}
			t.Add(cells...)
		}
		c.Table(t)
		c.Chart(chart)
		return nil
	})
}

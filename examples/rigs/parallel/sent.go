package main

import (
	"fmt"
	"math"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// sent shows how many URLs crawlers send who exchange all links, by their number.
func (l *lab) sent(c *results.Chapter) error {
	return l.onWebs(c, func(c *results.Chapter, on *named, number int) error {
		seeds := first(l.seeds(on, number), l.Total)
		t := &draw.Table{Name: "sent-" + on.file(), Title: "URLs sent a page, " + on.name,
			Note: "For each page fetched, when all that can be reached is. One by one: each link to a page of " +
				"another crawler is sent. Ever: a crawler sends a URL once to its owner, for ever. Links (n−1)/n: " +
				"what the paper computes for the URL hash. Bytes: of URLs sent, in per cent of the bytes of pages " +
				"fetched.",
			Columns: []string{"crawlers"}}
		chart := &draw.Chart{Name: t.Name, Title: on.name + ": URLs sent a page", X: "crawlers, as a power of two",
			Y: "URLs a page"}
		for _, w := range ways() {
			t.Columns = append(t.Columns, w.name+", one by one", w.name+", ever")
		}
		t.Columns = append(t.Columns, "links (n−1)/n", "bytes by site %", "bytes by URL %")
		for _, n := range l.Crawlers {
			cells, bytes, links := []string{fmt.Sprint(n)}, []string(nil), 0.
			for _, w := range ways() {
				owner, err := l.ownersOf(on, w.by, n)
				if err != nil {
					return err
				}
				web := w.of(on)
				fetched := reach(web.links, seeds)
				of := web.count(owner, n, fetched, nil)
				for _, sent := range []int{of.each, of.ever} {
					chart.Point(t.Columns[len(cells)], math.Log2(float64(n)), a(sent, of.pages))
					cells = append(cells, draw.Number(a(sent, of.pages), 2))
				}
				switch w.name {
				case "by site":
					links = web.perPage(fetched)
					fallthrough
				case "by URL":
					bytes = append(bytes, draw.Number(100*a(of.sent, of.bytes), 3))
				}
			}
			t.Add(append(append(cells, draw.Number(links*float64(n-1)/float64(n), 2)), bytes...)...)
		}
		c.Table(t)
		c.Chart(chart)
		return nil
	})
}

// a is so much of something a piece of another: URLs a page, bytes a byte.
func a(some, pieces int) float64 { return float64(some) / float64(pieces) }

// perPage is how many links a page has, of those that were fetched.
func (on *named) perPage(fetched []bool) float64 {
	links := 0
	for page, is := range fetched {
		if is {
			links += len(on.links[page])
		}
	}
	return a(links, sum(fetched))
}

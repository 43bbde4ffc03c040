package main

import (
	"fmt"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// A way is a partition that the script of examples/c4 has, by its vars.
type way struct {
	name string
	vars []string
}

func scriptWays() []way {
	return []way{
		{"topic, classifier", nil},
		{"topic, links only", []string{"links_only=true", "links_by=owner"}},
		{"content hash", []string{"pages_by=content"}},
		{"combination hash", []string{"pages_by=content", "links_by=url"}},
		{"URL hash", []string{"pages_by=none", "links_by=url"}},
		{"host hash", []string{"pages_by=none", "links_by=host"}},
	}
}

// costs lets the sixteen crawlers of examples/c4 crawl a web by every partition of their script.
func costs(l *lab, c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	t := &draw.Table{Name: "costs", Title: "What the crawlers take, by partition",
		Note: fmt.Sprintf("Crawls of a web of %d pages at locality %g, no simulation. Again: fetches of a URL after "+
			"its first, by URL. Held twice: share of the pages that more than one archive has. Sent: bytes of "+
			"batches, compressed, by byte fetched, which was not. Load: the most pages that a crawler fetched over "+
			"the mean. Then what the host treated worst has seen of all sixteen, which were to keep 20 ms between "+
			"two requests; the machine did other things, too.", l.Costs.Pages, l.Synthetic.Shown),
		Columns: strings.Split("partition|URLs|fetches|by one %|again|held twice %|sent|load, fetched|most "+
			"connections|requests at once|least gap, s", "|")}
	for _, w := range scriptWays() {
		x, err := l.collaborate(plan{l.Costs.Pages, l.Synthetic.Shown, w.vars})
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		t.Add(x.cost(w.name)...)
	}
	c.Table(t)
	return nil
}

// cost is what a crawl by some partition took.
func (x *crawl) cost(name string) []string {
	by, urls := x.by(), 0
	for _, n := range by {
		urls += n
	}
	fetches := make([]int, len(x.status))
	var sent, fetched int64
	for i, s := range x.status {
		fetches[i] = int(s.Records("pages"))
		fetched += s.Count("fetch", "bytes")
		sent += s.Count("gofer", "bytes")
	}
	all := total(fetches)
	most := 0
	for _, n := range fetches {
		most = max(most, n)
	}
	return []string{name, fmt.Sprint(urls), fmt.Sprint(all), draw.Percent(upTo(by, 1)),
		draw.Number(float64(all-urls)/float64(urls), 3), draw.Percent(x.heldTwice()),
		draw.Number(float64(sent)/float64(fetched), 3), draw.Number(float64(most*len(fetches))/float64(all), 2),
		fmt.Sprint(x.treated.Connections.Most), fmt.Sprint(x.treated.Requests.Most),
		draw.Number(x.treated.Gap.Seconds, 3)}
}

// heldTwice is the share of the valid pages in archives that are in more than one. A page of an
// invented web has a content of its own.
func (x *crawl) heldTwice() float64 {
	holders := make(map[string]int)
	for _, a := range x.archives {
		for url := range a.Answers {
			holders[url]++
		}
	}
	held, twice := 0, 0
	for i := range x.web.Pages {
		if n := holders[x.web.Pages[i].URL]; n > 0 && x.web.Pages[i].Valid() {
			held++
			if n > 1 {
				twice++
			}
		}
	}
	return float64(twice) / float64(held)
}

package main

import (
	"fmt"
	"math"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/rank"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/sim"
)

// pageRanks compares the order of a crawler's pages by its own links with the order by all
// (X4, figure 7).
func pageRanks(l *lab, c *results.Chapter) error {
	w, err := l.laws()
	if err != nil {
		return err
	}
	kb, err := sets.WebKB(l.data, false)
	if err != nil {
		return err
	}
	cited, labels := onlySections(w, w.Cited, l.decided(w).labels)
	for _, on := range []struct {
		name   string
		web    *web.Web
		labels []string
	}{
		{"law16, citations", cited, labels},
		{"law16, all links", w.Web, l.decided(w).labels},
		{"webkb", kb.Web, nil},
	} {
		err := l.over(c, func(l *lab, c *results.Chapter) error {
			l.orders(c, on.name, on.web, on.labels)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// onlySections is the Web of those pages that citations are between.
func onlySections(w *collection, from *web.Web, labels []string) (*web.Web, []string) {
	some, pages := w.Sections(from)
	given := make([]string, len(pages))
	for i, page := range pages {
		given[i] = labels[page]
	}
	return some, given
}

// orders makes the table of one Web. Labels are a classifier's, nil: there is none.
func (l *lab) orders(c *results.Chapter, name string, on *web.Web, labels []string) {
	names, file := on.Labels(), "pagerank-"+strings.NewReplacer(" ", "-", ",", "").Replace(name)
	n := len(names)
	var truth, contents, hosts []string
	for i := range on.Pages {
		p := &on.Pages[i]
		truth, contents, hosts = append(truth, p.Label), append(contents, fmt.Sprint(p.Content)), append(hosts, p.Host)
	}
	topic, counts := sim.ByLabel(names, truth), "topic, true label"
	var rows []order
	rows = append(rows, l.order(counts, on, topic, n))
	if labels != nil {
		topic, counts = sim.ByLabel(names, labels), "topic, classifier"
		rows = append(rows, l.order(counts, on, topic, n))
	}
	rows = append(rows, l.order("content hash", on, sim.ByHash(n, contents), n),
		l.order("host hash", on, sim.ByHash(n, hosts), n),
		l.order("links rewired", on.Rewired(l.random("rewired")), topic, n),
		l.order("at random, with the sizes of "+counts, on, sim.Permuted(topic, l.random("redistribution")), n))
	t := &draw.Table{Name: file, Title: "Kendall's tau-b of a crawler's own PageRank with that of all pages: " + name,
		Note: fmt.Sprintf("%d pages, %d links, %d crawlers. Mean, least and greatest of the crawlers that have an "+
			"order; then each. Links rewired: %s, but the targets of all links shuffled.",
			len(on.Pages), on.Links(), n, counts),
		Columns: append([]string{"partition", "mean", "least", "greatest", "inner links %"}, names...)}
	for _, r := range rows {
		cells := []string{r.name, draw.Number(mean(r.tau), 3), draw.Number(extreme(r.tau, math.Min), 3),
			draw.Number(extreme(r.tau, math.Max), 3), draw.Percent(r.inner)}
		for _, tau := range r.tau {
			cells = append(cells, draw.Number(tau, 3))
		}
		t.Add(cells...)
	}
	c.Table(t)
}

// An order is the tau of each crawler under a partition; NaN of one that has no order.
type order struct {
	name  string
	tau   []float64
	inner float64 // share of the links that lead to the same crawler
}

func (l *lab) order(name string, on *web.Web, owners sim.Owners, n int) order {
	var links [][]int
	inner := 0
	for i := range on.Pages {
		links = append(links, on.Pages[i].Links)
		for _, to := range on.Pages[i].Links {
			if owners[i] == owners[to] {
				inner++
			}
		}
	}
	global := rank.PageRank(links, l.PageRank.Damping, l.PageRank.Enough)
	o := order{name: name, inner: float64(inner) / float64(on.Links())}
	for crawler := range n {
		var pages []int
		var of []float64
		for page, owner := range owners {
			if owner == crawler {
				pages, of = append(pages, page), append(of, global[page])
			}
		}
		if len(pages) == 0 {
			o.tau = append(o.tau, math.NaN())
			continue
		}
		own := rank.PageRank(rank.Inner(links, pages), l.PageRank.Damping, l.PageRank.Enough)
		o.tau = append(o.tau, rank.Tau(own, of, l.PageRank.Tie))
	}
	return o
}

// mean is that of the values that are numbers.
func mean(values []float64) float64 {
	sum, n := 0., 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}

func extreme(values []float64, better func(a, b float64) float64) float64 {
	best := math.NaN()
	for _, v := range values {
		if math.IsNaN(best) {
			best = v
		} else if !math.IsNaN(v) {
			best = better(best, v)
		}
	}
	return best
}

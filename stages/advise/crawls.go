package main

import (
	"context"
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/frontier/simulate"
	"multitext/stages/internal/run/keyed"
)

// A crawl is what came of an order.
type crawl struct {
	order string
	pages int   // that were fetched
	found []int // how many were fetched up to each of the wanted, with it, ascending
}

const oracle = "oracle"

// crawls crawls in each order for what is wanted.
func (o *options) crawls(ctx context.Context, l *links, seeds []uint32, w want) (all []crawl, err error) {
	names := []string{"breadth", "depth", "random", "backlink", "opic", "pagerank"}
	if l.score != nil {
		names = append(names, "score")
	}
	wanted := make([]bool, len(l.URLs))
	for _, page := range w.pages {
		wanted[page] = true
	}
	for _, name := range append(names, oracle) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pages, err := o.crawled(l, name, seeds, wanted)
		if err != nil {
			return nil, fmt.Errorf("order %s: %w", name, err)
		}
		c := crawl{order: name, pages: len(pages)}
		for i, page := range pages {
			if wanted[page] {
				c.found = append(c.found, i+1)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// crawled are the pages in the order in which they are fetched. It is the same whatever is wanted,
// but for the oracle.
func (o *options) crawled(l *links, name string, seeds []uint32, wanted []bool) ([]uint32, error) {
	if pages, ok := o.done[name]; ok && name != oracle {
		return pages, nil
	}
	rules, err := o.rules(l, name, seeds, wanted)
	if err != nil {
		return nil, err
	}
	o.done[name], err = l.Crawl(seeds, rules)
	return o.done[name], err
}

// rules are those of a crawl in an order.
func (o *options) rules(l *links, name string, seeds []uint32, wanted []bool) (r simulate.Rules, err error) {
	r = simulate.Rules{Batch: o.urls, Pause: o.delay, Span: o.span}
	switch name {
	case "backlink":
		r.Scorer = l.Backlink()
	case "opic":
		r.Scorer = l.OPIC(seeds)
	case "pagerank":
		r.Scorer = l.PageRank()
	case "score":
		r.Scorer = simulate.Scores(l.score)
	case oracle:
		r.Scorer = simulate.Oracle(l.weights(wanted))
	}
	if r.Scorer != nil {
		name = "score"
	}
	hash, err := dice(l, seeds)
	if err == nil {
		r.Order, err = order.New(name, hash)
	}
	return r, err
}

// weights are those of an oracle: what is wanted first, and then the pages that most pages link to.
func (l *links) weights(wanted []bool) []float64 {
	weights := make([]float64, len(l.URLs))
	for page, n := range l.InDegree() {
		if weights[page] = float64(n); wanted[page] {
			weights[page] += float64(len(l.URLs))
		}
	}
	return weights
}

// dice makes the order random: another one for other seeds.
func dice(l *links, seeds []uint32) (*keyed.Hash, error) {
	d := xxhash.New()
	for _, seed := range seeds {
		d.WriteString(l.URLs[seed] + "\n")
	}
	return keyed.New(fmt.Sprintf("%032x", d.Sum64()), "the order random")
}

// until is how many pages are fetched until a share of the wanted is.
func (c *crawl) until(share float64) int {
	return c.found[max(int(math.Ceil(share*float64(len(c.found)))), 1)-1]
}

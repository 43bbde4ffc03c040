package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/frontier/simulate"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
)

// A crawl is what came of an order.
type crawl struct {
	order string
	pages int   // that were fetched, by any crawler
	found []int // how many were fetched up to each of the wanted, with it, ascending
}

const oracle = "oracle"

// crawls crawls in each order for what is wanted.
func (o *options) crawls(ctx context.Context, l *links, seeds []uint32, w want) (all []crawl, err error) {
	wanted := l.marked(w)
	for _, name := range append(o.names(l), oracle) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		made, err := o.crawled(l, name, seeds, wanted)
		if err != nil {
			return nil, err
		}
		c, met := crawl{order: name}, make([]bool, len(l.URLs))
		for _, page := range made.Pages {
			if met[page] {
				continue
			}
			met[page] = true
			c.pages++
			if wanted[page] {
				c.found = append(c.found, c.pages)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// names are the orders in which it crawls, without the oracle.
func (o *options) names(l *links) []string {
	if o.orders != "" {
		return strings.Fields(o.orders)
	}
	names := []string{"breadth", "depth", "random", "backlink", "backlink-others", "opic", pageRank}
	if l.score != nil || l.worth != nil {
		names = append(names, "score")
	}
	return names
}

// crawled is the crawl in an order. It is the same whatever is wanted, but for the oracle and the order
// learned.
func (o *options) crawled(l *links, name string, seeds []uint32, wanted []bool) (made *simulate.Outcome, err error) {
	if made, ok := o.done[name]; ok && !l.knows(name) {
		return made, nil
	}
	scores := l.score
	if name == oracle {
		scores = simulate.Oracle(l.weights(wanted))
	}
	if o.exact {
		made, err = o.exactly(l, name, seeds, scores)
	} else {
		var rules simulate.Rules
		if rules, err = o.rules(l, name, seeds, scores); err == nil {
			if l.worth == nil && name != oracle && l.knows(name) {
				rules.Worth = worths(wanted)
			}
			made, err = l.Crawl(seeds, rules)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("order %s: %w", name, err)
	}
	o.done[name] = made
	return made, nil
}

// knows tells whether an order goes by what is wanted.
func (l *links) knows(name string) bool {
	return name == oracle || l.worth == nil && strings.Contains(name, learned)
}

// marked tells of each page whether it is wanted.
func (l *links) marked(w want) []bool {
	wanted := make([]bool, len(l.URLs))
	for _, page := range w.pages {
		wanted[page] = true
	}
	return wanted
}

// learned is the order that learns, of each page that is fetched, whether it was wanted.
const learned = "learned"

// worths are those of pages: 1 for the wanted, else 0.
func worths(wanted []bool) []float64 {
	worth := make([]float64, len(wanted))
	for page, is := range wanted {
		if is {
			worth[page] = 1
		}
	}
	return worth
}

// pageRank is the order by PageRank: that of scores that a stage computes.
const pageRank = "pagerank"

// rules are those of a crawl in an order.
func (o *options) rules(l *links, name string, seeds []uint32, scores []float64) (r simulate.Rules, err error) {
	r = simulate.Rules{Batch: o.urls, Pause: o.delay, Span: o.span, Most: o.pages, Scores: scores,
		Hash: o.hash, Shared: o.shared.rules}
	if r.Ranks = strings.Contains(name, pageRank); r.Ranks {
		r.Scores = nil
	}
	if name == oracle {
		name = "score"
	} else if l.worth != nil {
		r.Worth, r.Focus, r.Hubs = l.worth, !r.Ranks, o.hubs
	}
	hash, err := o.chance(l, seeds)
	if err != nil {
		return r, err
	}
	if r.Order, err = order.New(name, hash); err != nil {
		return r, stage.Usagef("-order: %w", err)
	}
	return r, nil
}

// exactly crawls in an order that is kept exactly.
func (o *options) exactly(l *links, name string, seeds []uint32, scores []float64) (*simulate.Outcome, error) {
	hash, err := o.chance(l, seeds)
	if err != nil {
		return nil, err
	}
	by, ok := map[string]func(*simulate.Known) float64{
		"random":          func(p *simulate.Known) float64 { return float64(hash.Sum([]byte(l.URLs[p.Page]))) },
		"breadth":         func(p *simulate.Known) float64 { return -float64(p.Depth) },
		"depth":           func(p *simulate.Known) float64 { return float64(p.Depth) },
		"backlink":        func(p *simulate.Known) float64 { return float64(p.Links.All) },
		"backlink-others": func(p *simulate.Known) float64 { return float64(p.Links.Others) },
		"opic":            func(p *simulate.Known) float64 { return p.Links.Cash },
		pageRank:          func(p *simulate.Known) float64 { return float64(p.Rank) },
	}[name]
	if name == "score" || name == oracle {
		by, ok = func(p *simulate.Known) float64 { return scores[p.Page] }, scores != nil
	}
	if !ok {
		return nil, stage.Usagef("-exact: it has no such order")
	}
	pages, err := l.Exact(seeds, by, name == pageRank, o.urls, o.pages)
	return &simulate.Outcome{Pages: pages}, err
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

// chance is what the order random goes by: the hash of the crawl where its secret is known.
func (o *options) chance(l *links, seeds []uint32) (*keyed.Hash, error) {
	if o.hash != nil {
		return o.hash, nil
	}
	return dice(l, seeds)
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

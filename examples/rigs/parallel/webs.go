package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// A named is a Web of the study.
type named struct {
	name string
	*web.Web
	links   [][]uint32 // of each page
	rewired *named     // the same pages with the targets of all links shuffled; nil: this is one

	parting sync.Mutex // guards owners
	owners  map[divided][]uint16
}

// A divided is a partition among so many crawlers.
type divided struct {
	by       string
	crawlers int
}

// file is the name in the names of files.
func (on *named) file() string { return strings.NewReplacer(" ", "-", ",", "").Replace(on.name) }

// lawWeb is the Web whose pages have topics: the titles of a code of laws.
const lawWeb = "law16, by chapter"

// sitesWeb is the Web whose hosts are real sites.
const sitesWeb = "41 sites"

// readWebs reads the Webs, once.
func (l *lab) readWebs() error {
	if l.webs != nil {
		return nil
	}
	law, err := sets.Law16(l.data)
	if err != nil {
		return err
	}
	sites, err := sets.Sites(l.data)
	if err != nil {
		return err
	}
	kb, err := sets.WebKB(l.data, false)
	if err != nil {
		return err
	}
	sections, _ := law.Sections(law.Cited)
	l.webs = []*named{
		l.named(lawWeb, sections.Placed(web.Group)),
		l.named(sitesWeb, sites),
		l.named("41 sites, by folder", sites.Placed(web.Folder)),
		l.named("webkb", kb.Web.Placed(web.Host)),
	}
	return nil
}

// named is a Web, and beside it the one that is rewired.
func (l *lab) named(name string, w *web.Web) *named {
	on := newNamed(name, w)
	on.rewired = newNamed(name+", rewired", w.Rewired(results.Random(l.Seed, 0, "rewired "+name)))
	return on
}

func newNamed(name string, w *web.Web) *named {
	on := &named{name: name, Web: w, owners: map[divided][]uint16{}}
	for i := range w.Pages {
		var links []uint32
		for _, to := range w.Pages[i].Links {
			links = append(links, uint32(to))
		}
		on.links = append(on.links, links)
	}
	return on
}

// seeds are some pages of a Web in an order by lot, which is the same for all that is compared in a draw.
func (l *lab) seeds(on *named, draw int) []int {
	return results.Random(l.Seed, draw, "seeds of "+strings.TrimSuffix(on.name, ", rewired")).Perm(len(on.Pages))
}

// first are the first so many.
func first(order []int, n int) (seeds []uint32) {
	for _, page := range order[:min(n, len(order))] {
		seeds = append(seeds, uint32(page))
	}
	return seeds
}

// ofEach are the first so many that each crawler owns, as far as it owns as many.
func ofEach(order []int, owner []uint16, n int) (seeds []uint32) {
	has := map[uint16]int{}
	for _, page := range order {
		if has[owner[page]]++; has[owner[page]] <= n {
			seeds = append(seeds, uint32(page))
		}
	}
	return seeds
}

// onWebs makes a part of a chapter for each Web, once for each draw.
func (l *lab) onWebs(c *results.Chapter, each func(c *results.Chapter, on *named, draw int) error) error {
	if err := l.readWebs(); err != nil {
		return err
	}
	for _, on := range l.webs {
		err := c.Over(l.Draws, l.Outside, func(draw int, c *results.Chapter) error { return each(c, on, draw) })
		if err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
	}
	return nil
}

// describe is the table of the Webs.
func (l *lab) describe(c *results.Chapter) {
	t := &draw.Table{Name: "webs", Title: "The webs",
		Note: "Largest: the pages of the largest host. Between hosts: links that lead to another host. Rewired: " +
			"these, when the targets of all links are shuffled.",
		Columns: []string{"web", "pages", "hosts", "largest %", "links", "between hosts %", "rewired %"}}
	for _, on := range l.webs {
		hosts := on.hosts()
		largest := slices.Max(slices.Collect(maps.Values(hosts)))
		t.Add(on.name, fmt.Sprint(len(on.Pages)), fmt.Sprint(len(hosts)), draw.Percent(a(largest, len(on.Pages))),
			fmt.Sprint(on.Links()), draw.Percent(on.between()), draw.Percent(on.rewired.between()))
	}
	c.Table(t)
}

// hosts is how many pages each host has.
func (on *named) hosts() map[string]int {
	hosts := map[string]int{}
	for i := range on.Pages {
		hosts[on.Pages[i].Host]++
	}
	return hosts
}

// between is the share of the links that lead to another host.
func (on *named) between() float64 {
	other := 0
	for from, links := range on.links {
		for _, to := range links {
			if on.Pages[from].Host != on.Pages[to].Host {
				other++
			}
		}
	}
	return a(other, on.Links())
}

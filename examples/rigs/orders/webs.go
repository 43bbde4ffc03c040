package main

import (
	"math/rand/v2"
	"net/url"
	"strings"

	"multitext/examples/rigs/internal/rank"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// A named is a Web of the study.
type named struct {
	name string
	*web.Web
	hosts bool                 // it has more than one
	heat  map[string][]float64 // of each page, by measure
	seeds [][]uint32           // of each draw; none of one in which it is not crawled
	done  map[made][][]uint32  // crawls of each draw
}

// file is the name in the names of files.
func (n *named) file() string { return strings.NewReplacer(" ", "-", ",", "").Replace(n.name) }

// readWebs reads the Webs, once.
func (l *lab) readWebs() error {
	if l.webs != nil {
		return nil
	}
	sites, err := l.readSites()
	if err != nil {
		return err
	}
	laws, err := sets.Law16(l.data)
	if err != nil {
		return err
	}
	kb, err := sets.WebKB(l.data, false)
	if err != nil {
		return err
	}
	cited, _ := laws.Sections(laws.Cited)
	l.webs = []*named{
		l.named("41 sites", sites, true),
		l.named("41 sites, by folder", sites.Placed(web.Folder), true),
		l.named("law16, citations", cited, false),
		l.named("law16, all links", laws.Web, false),
		l.named("webkb", kb.Web, true),
	}
	return nil
}

// readSites reads the 41 sites, once.
func (l *lab) readSites() (_ *web.Web, err error) {
	if l.sites == nil {
		l.sites, err = sets.Sites(l.data)
	}
	return l.sites, err
}

// named is a Web that is crawled in all draws.
func (l *lab) named(name string, w *web.Web, hosts bool) *named {
	ranks := rank.PageRank(linksOf(w), damping, enough)
	on := &named{name: name, Web: w, hosts: hosts, done: map[made][][]uint32{},
		heat: map[string][]float64{inDegree: degrees(w), pageRank: ranks, byLot: l.dealt("scores", len(w.Pages))}}
	for draw := range max(l.Draws, l.Prices) {
		of := *l
		of.draw = draw
		on.seeds = append(on.seeds, of.seedsOf(on))
	}
	return on
}

func linksOf(w *web.Web) (links [][]int) {
	for i := range w.Pages {
		links = append(links, w.Pages[i].Links)
	}
	return links
}

// uniform is the Web with the targets of all links drawn anew from all pages: a page has as many links
// as before, up to the few that would lead to itself or twice to the same page.
func uniform(w *web.Web, random *rand.Rand) *web.Web {
	links := make([][]int, len(w.Pages))
	for from := range w.Pages {
		met := map[int]bool{from: true}
		for range w.Pages[from].Links {
			if to := random.IntN(len(w.Pages)); !met[to] {
				met[to] = true
				links[from] = append(links[from], to)
			}
		}
	}
	return w.WithLinks(links)
}

// seedsOf are the first of the pages in an order by lot; or the first of each site, where there are
// more sites.
func (l *lab) seedsOf(on *named) (seeds []uint32) {
	var of []uint32
	met := map[string]bool{}
	for _, page := range l.random("seeds of " + on.name).Perm(len(on.Pages)) {
		if seeds = append(seeds, uint32(page)); !met[siteOf(&on.Pages[page])] {
			met[siteOf(&on.Pages[page])] = true
			of = append(of, uint32(page))
		}
	}
	if len(of) > l.Seeds {
		return of
	}
	return seeds[:min(l.Seeds, len(seeds))]
}

// siteOf is the host of a page's URL, which stays where folders are sites.
func siteOf(p *web.Page) string {
	if u, err := url.Parse(p.URL); err == nil && u.Host != "" {
		return strings.ToLower(u.Host)
	}
	return p.Host
}

package main

import (
	"fmt"
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
	heat  map[string][]float64 // of each page, by both measures
}

// file is the name in the names of files.
func (n *named) file() string { return strings.NewReplacer(" ", "-", ",", "").Replace(n.name) }

// webs reads the Webs.
func webs(data string) ([]named, error) {
	sites, err := sets.Sites(data)
	if err != nil {
		return nil, err
	}
	laws, err := sets.Law16(data)
	if err != nil {
		return nil, err
	}
	kb, err := sets.WebKB(data, false)
	if err != nil {
		return nil, err
	}
	cited, _ := laws.Sections(laws.Cited)
	all := []named{
		{name: "41 sites", Web: sites, hosts: true},
		{name: "41 sites, by folder", Web: byFolder(sites), hosts: true},
		{name: "law16, citations", Web: cited},
		{name: "law16, all links", Web: laws.Web},
		{name: "webkb", Web: kb.Web, hosts: true},
	}
	for i, on := range all {
		ranks := rank.PageRank(linksOf(on.Web), damping, enough)
		all[i].heat = map[string][]float64{inDegree: degrees(on.Web), pageRank: ranks}
	}
	return all, nil
}

// byFolder is the Web with the first two folders of a page's path as its host.
func byFolder(w *web.Web) *web.Web {
	return placed(w, func(p *web.Page) string {
		path := ""
		if u, err := url.Parse(p.URL); err == nil {
			path = u.Path
		}
		parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
		return p.Host + "/" + strings.Join(parts[:min(2, len(parts)-1)], "/")
	})
}

// byHost is the Web with hosts that are called otherwise.
func byHost(w *web.Web) *web.Web { return placed(w, func(p *web.Page) string { return p.Host }) }

// placed is the Web with a host for each place: s0.test, s1.test, …
func placed(w *web.Web, place func(*web.Page) string) *web.Web {
	other, number := w.WithLinks(linksOf(w)), map[string]int{}
	for i := range other.Pages {
		p := &other.Pages[i]
		n, ok := number[place(p)]
		if !ok {
			n = len(number)
			number[place(p)] = n
		}
		p.Host = fmt.Sprintf("s%d.test", n)
	}
	return other
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
func (l *lab) seedsOf(on named) []int {
	all, met, first := l.random("seeds of "+on.name).Perm(len(on.Pages)), map[string]bool{}, []int(nil)
	for _, page := range all {
		if host := siteOf(&on.Pages[page]); !met[host] {
			met[host] = true
			first = append(first, page)
		}
	}
	if len(first) > l.Seeds {
		return first
	}
	return all[:min(l.Seeds, len(all))]
}

// siteOf is the host of a page's URL, which stays where folders are sites.
func siteOf(p *web.Page) string {
	if u, err := url.Parse(p.URL); err == nil && u.Host != "" {
		return strings.ToLower(u.Host)
	}
	return p.Host
}

// reached is how many pages can be reached from the seeds.
func reached(on *web.Web, seeds []int) int {
	met, waiting := make([]bool, len(on.Pages)), []int(nil)
	meet := func(pages []int) {
		for _, page := range pages {
			if !met[page] {
				met[page] = true
				waiting = append(waiting, page)
			}
		}
	}
	meet(seeds)
	for i := 0; i < len(waiting); i++ {
		meet(on.Pages[waiting[i]].Links)
	}
	return len(waiting)
}

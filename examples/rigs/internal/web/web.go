// Package web is a Web that stands still: pages, what is known of them, and the links between them.
// It is what simulated crawlers crawl and what links are counted on, wherever it was read from.
package web

import (
	"math/rand/v2"
	"slices"

	"multitext/examples/rigs/internal/rank"
)

// A Page is named by its index in Web.Pages.
type Page struct {
	URL     string
	Host    string // with its port, if it has one
	Group   string // pages of a group resemble each other: a chapter, a site
	Label   string // a person's; "": none
	Kind    string // what an invented page is: page, no-text, short …; "": not invented
	Status  int    // of HTTP; 0: no answer
	Size    int    // bytes of the body
	Content uint64 // hash of the body: equal bodies have equal ones
	Links   []int  // other pages that it links to, each once, in order of their first link
}

// Valid tells whether the answer is a page at all: status 2xx.
func (p *Page) Valid() bool { return p.Status/100 == 2 }

// A Web is pages.
type Web struct {
	Pages []Page
}

// Labels are those of the pages, in order of bytes, without "".
func (w *Web) Labels() []string {
	var all []string
	for i := range w.Pages {
		if l := w.Pages[i].Label; l != "" {
			all = append(all, l)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Links is the number of links.
func (w *Web) Links() (n int) {
	for i := range w.Pages {
		n += len(w.Pages[i].Links)
	}
	return n
}

// WithLinks is the same pages with other links.
func (w *Web) WithLinks(links [][]int) *Web {
	pages := slices.Clone(w.Pages)
	for i := range pages {
		pages[i].Links = links[i]
	}
	return &Web{pages}
}

// Part is some of the pages, in that order, and the links between them.
func (w *Web) Part(pages []int) *Web {
	part, links := &Web{}, make([][]int, len(w.Pages))
	for page := range w.Pages {
		links[page] = w.Pages[page].Links
	}
	for _, page := range pages {
		part.Pages = append(part.Pages, w.Pages[page])
	}
	return part.WithLinks(rank.Inner(links, pages))
}

// Where is the Web with those links alone.
func (w *Web) Where(holds func(from, to int) bool) *Web {
	links := make([][]int, len(w.Pages))
	for from := range w.Pages {
		for _, to := range w.Pages[from].Links {
			if holds(from, to) {
				links[from] = append(links[from], to)
			}
		}
	}
	return w.WithLinks(links)
}

// Rewired is the Web with the targets of all its links shuffled: every page has as many links as
// before and is linked to as often, up to the few that would lead to itself or twice to the same
// page and are left out. Topics link to each other by chance alone there.
func (w *Web) Rewired(random *rand.Rand) *Web {
	var targets []int
	for i := range w.Pages {
		targets = append(targets, w.Pages[i].Links...)
	}
	random.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	links := make([][]int, len(w.Pages))
	for i := range w.Pages {
		for _, to := range targets[:len(w.Pages[i].Links)] {
			if to != i && !slices.Contains(links[i], to) {
				links[i] = append(links[i], to)
			}
		}
		targets = targets[len(w.Pages[i].Links):]
	}
	return w.WithLinks(links)
}

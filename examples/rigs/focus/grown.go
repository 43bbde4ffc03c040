package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"multitext/examples/rigs/internal/web"
)

// A plot is of what a synthetic web is made.
type plot struct {
	pages, topics, host int
	links               int     // of a page, in the mean
	locality            float64 // share of the links that lead to pages of the same topic
	hubs                float64 // share of the pages that are hubs: they link far more, and to their topic alone
}

// hubLinks is how many times the links of another page a hub has.
const hubLinks = 10

// isHub tells which pages are hubs.
func (p plot) isHub(page int) bool { return p.hubs > 0 && page%int(1/p.hubs) == 0 }

// grow makes a web of a plot.
func (p plot) grow(random *rand.Rand) *web.Web {
	w, of := &web.Web{}, make([][]int, p.topics)
	for i := range p.pages {
		topic := random.IntN(p.topics)
		of[topic] = append(of[topic], i)
		host := fmt.Sprintf("h%d.test", i/p.host)
		w.Pages = append(w.Pages, web.Page{URL: fmt.Sprintf("http://%s/%d", host, i), Host: host, Group: host,
			Label: fmt.Sprintf("t%d", topic), Status: 200})
	}
	for _, some := range of {
		for _, i := range some {
			n, locality := 1+random.IntN(2*p.links-1), p.locality
			if p.isHub(i) {
				n, locality = hubLinks*p.links, 1
			}
			for range n {
				to := random.IntN(p.pages)
				if random.Float64() < locality {
					to = some[random.IntN(len(some))]
				}
				if to != i && !slices.Contains(w.Pages[i].Links, to) {
					w.Pages[i].Links = append(w.Pages[i].Links, to)
				}
			}
		}
	}
	return w
}

// judge is R of pages by a guide that is right about so many of them, but for hubs: they are lists, so it
// takes them for pages of no topic.
func (p plot) judge(wanted []bool, accuracy float64, random *rand.Rand) []float64 {
	r := make([]float64, len(wanted))
	for i, is := range wanted {
		says := is == (random.Float64() < accuracy)
		if r[i] = random.Float64() / 2; says && !p.isHub(i) {
			r[i] = 1 - r[i]
		}
	}
	return r
}

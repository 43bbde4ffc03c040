package main

import (
	"math/bits"

	"multitext/examples/internal/measures"
)

// mostCrawlers is the most that a partition of this study has: sets of crawlers have a bit for each.
const mostCrawlers = 64

// firewall tells of each page whether crawlers fetch it who follow links to their own pages alone. owner is
// that of each page; nil: one crawler owns all. A seed is followed by its owner.
func firewall(links [][]uint32, owner []uint16, seeds []uint32) (fetched []bool) {
	fetched = make([]bool, len(links))
	var queue []uint32
	meet := func(page uint32) {
		if !fetched[page] {
			fetched[page] = true
			queue = append(queue, page)
		}
	}
	for _, seed := range seeds {
		meet(seed)
	}
	for len(queue) > 0 {
		from := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, to := range links[from] {
			if owner == nil || owner[from] == owner[to] {
				meet(to)
			}
		}
	}
	return fetched
}

// reach is all that can be reached from the seeds: crawlers that exchange links fetch it.
func reach(links [][]uint32, seeds []uint32) []bool { return firewall(links, nil, seeds) }

// A tally is what crawlers have fetched, each its own pages alone, and the links on these to pages of others.
type tally struct {
	pages int
	load  float64 // the largest number of pages of a crawler over the mean
	bytes int     // of these pages
	each  int     // links to pages of others: what is sent one by one, or dropped
	ever  int     // URLs sent where a crawler sends each to its owner once for ever
	sent  int     // bytes of these URLs …
	whole int     // … and of their pages
	found int     // pages, for each crawler that has a link to them on its own pages, or the seed
}

// count counts them. known are pages that all crawlers know, to which no link is counted; nil: there are none.
func (on *named) count(owner []uint16, crawlers int, fetched, known []bool) (t tally) {
	of, linked := make([]int, crawlers), make([]uint64, len(on.links)) // a bit for each crawler that links to a page
	for from, is := range fetched {
		if !is {
			continue
		}
		t.pages++
		t.bytes += on.Pages[from].Size
		of[owner[from]]++
		for _, to := range on.links[from] {
			if known != nil && known[to] {
				continue
			}
			if linked[to] |= 1 << owner[from]; owner[to] != owner[from] {
				t.each++
			}
		}
	}
	t.load = measures.Imbalance(of)
	for to, by := range linked {
		if t.found += bits.OnesCount64(by); by == 0 && fetched[to] {
			t.found++
		}
		n := bits.OnesCount64(by &^ (1 << owner[to]))
		t.ever += n
		t.sent += n * (len(on.Pages[to].URL) + len("\n"))
		t.whole += n * on.Pages[to].Size
	}
	return t
}

// marks are some pages, as true.
func (on *named) marks(pages []uint32) []bool {
	is := make([]bool, len(on.Pages))
	for _, page := range pages {
		is[page] = true
	}
	return is
}

// sum is how many of some pages are.
func sum(pages []bool) (n int) {
	for _, is := range pages {
		if is {
			n++
		}
	}
	return n
}

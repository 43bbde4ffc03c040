package main

import (
	"fmt"
	"slices"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
)

// distant shows how many links from the seeds the authorities are.
func (l *lab) distant(c *results.Chapter, f *field, h *hunt) {
	const most = 12
	t := &draw.Table{Name: "distance-" + f.file(), Title: "How far the authorities are, " + f.name,
		Note: fmt.Sprintf("Of the best %d authorities that the soft focus has found at %d %%, and of all pages that "+
			"can be reached: which per cent are so many links from the nearest seed, by the shortest way.",
			l.Authorities, l.Points[2]),
		Columns: []string{"links", "authorities", "wanted", "all"}}
	far := distances(h.Web, h.seeds)
	best := authorities(h.Web, l.begun(f, h, "soft", l.Points[2]), h.r, l.Authorities)
	counts := [3][most + 1]float64{}
	totals := [3]float64{}
	count := func(of int, page uint32) {
		if d := far[page]; d >= 0 {
			counts[of][min(d, most)]++
			totals[of]++
		}
	}
	for _, page := range best {
		count(0, page)
	}
	for page, is := range h.wanted {
		if count(2, uint32(page)); is {
			count(1, uint32(page))
		}
	}
	for links := range counts[0] {
		name := fmt.Sprint(links)
		if links == most {
			name += " or more"
		}
		cells := []string{name}
		for of := range counts {
			cells = append(cells, draw.Percent(counts[of][links]/totals[of]))
		}
		t.Add(cells...)
	}
	c.Table(t)
}

// distances are how many links each page is from the nearest of some; -1 if no links lead there.
func distances(w *web.Web, from []uint32) []int {
	far := make([]int, len(w.Pages))
	for i := range far {
		far[i] = -1
	}
	queue := slices.Clone(from)
	for _, page := range queue {
		far[page] = 0
	}
	for len(queue) > 0 {
		page := queue[0]
		queue = queue[1:]
		for _, to := range w.Pages[page].Links {
			if far[to] < 0 {
				far[to] = far[page] + 1
				queue = append(queue, uint32(to))
			}
		}
	}
	return far
}

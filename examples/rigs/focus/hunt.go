package main

import (
	"slices"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
)

// A hunt looks for pages of a web, from some seeds.
type hunt struct {
	*web.Web
	seeds  []uint32
	wanted []bool    // of each page, by its label
	r      []float64 // relevance of each page, by the guide
	within []bool    // of each page: by the guide its best topic is a good one
	lot    []float64 // r, dealt out anew by lot

	twin    *hunt // the same from other seeds, as many; nil: there is none
	reached int   // pages that can be reached
	all     int   // of the wanted
	made    map[made][]uint32
}

// hunting is a hunt whose guide says r and within.
func (l *lab) hunting(draw int, w *web.Web, wanted []bool, r []float64, within []bool, seeds []uint32) *hunt {
	h := &hunt{Web: w, wanted: wanted, r: r, within: within, seeds: seeds, made: map[made][]uint32{}}
	h.deal(results.Random(l.Seed, draw, "relevance by lot").Perm(len(h.r)))
	h.reach()
	return h
}

// labelled tells of each page whether it has a label.
func labelled(w *web.Web, label string) (has []bool) {
	for i := range w.Pages {
		has = append(has, w.Pages[i].Label == label)
	}
	return has
}

// deal gives each page the relevance of another one.
func (h *hunt) deal(of []int) {
	h.lot = make([]float64, len(h.r))
	for i, j := range of {
		h.lot[i] = h.r[j]
	}
}

// reach counts what can be reached from the seeds.
func (h *hunt) reach() {
	met, queue := make([]bool, len(h.Pages)), slices.Clone(h.seeds)
	for _, seed := range queue {
		met[seed] = true
	}
	h.reached, h.all = 0, 0
	for len(queue) > 0 {
		page := queue[0]
		queue = queue[1:]
		if h.reached++; h.wanted[page] {
			h.all++
		}
		for _, to := range h.Pages[page].Links {
			if !met[to] {
				met[to] = true
				queue = append(queue, uint32(to))
			}
		}
	}
}

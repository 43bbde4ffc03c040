package main

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/classify/internal/source"
)

// lots are the pages for training, in input order. Each has a lot by which it is drawn: a hash of
// its name. So the draw depends only on the set of pages, not on their order.
type lots []lot

type lot struct {
	label string
	sum   uint64
}

func (l *lots) add(p *source.Page) {
	*l = append(*l, lot{p.Label, xxhash.Sum64String("lot\n" + ownName(p.Name))})
}

// first returns a function that reports whether the page with a number is among the first most
// pages of its label, by lot.
func (l lots) first(most int) func(page int) bool {
	order := make([]int, len(l))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l[a].sum, l[b].sum) })
	of, keep := map[string]int{}, make([]bool, len(l))
	for _, i := range order {
		of[l[i].label]++
		keep[i] = of[l[i].label] <= most
	}
	return func(page int) bool { return keep[page] }
}

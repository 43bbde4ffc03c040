package main

import (
	"cmp"
	"slices"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/classify/internal/source"
)

// lots are the pages to train on in the order they came, each with a lot by which it is drawn: a
// hash of its own name. So the same pages give the same draw, in whatever order they come.
type lots []lot

type lot struct {
	label string
	sum   uint64
}

func (l *lots) add(p *source.Page) {
	*l = append(*l, lot{p.Label, xxhash.Sum64String("lot\n" + ownName(p.Name))})
}

// first tells of each page, by its number, whether it is one of the first so many of its label.
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

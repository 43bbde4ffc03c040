package main

import (
	"fmt"
	"slices"

	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// readWebKB is the pages of three universities, each a web of its own. A page is judged by a guide that has
// learned from the pages of the two others.
func (l *lab) readWebKB() (*field, error) {
	kb, err := sets.WebKB(l.data, false)
	if err != nil {
		return nil, err
	}
	f := &field{name: "webkb", batch: l.WebKB.Batch, batches: l.WebKB.Batches}
	tree, err := flat(kb.Web.Labels())
	if err != nil {
		return nil, err
	}
	all, err := learn(kb.Samples, tree, l.options())
	if err != nil {
		return nil, err
	}
	for _, university := range kb.Folds() {
		var pages []int
		for i := range kb.Samples {
			if kb.Samples[i].Fold == university {
				pages = append(pages, i)
			}
		}
		w, g := kb.Web.Part(pages), all.part(pages)
		home := slices.IndexFunc(w.Pages, func(p web.Page) bool { return p.Label == "department" })
		if home < 0 {
			return nil, fmt.Errorf("%s has no page of the department", university)
		}
		for _, good := range l.WebKB.Topics {
			h, err := l.newHunt(len(f.hunts), w, g, good, []uint32{uint32(home)})
			if err != nil {
				return nil, err
			}
			f.hunts = append(f.hunts, h)
		}
	}
	return f, nil
}

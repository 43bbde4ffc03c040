package centrality

import (
	"cmp"
	"slices"
)

// Top keeps the pages with the greatest values of all that it is offered, at most Most of them. Of
// equal values the page with the lesser number is first. A value of 0 is not kept.
type Top struct {
	Most   int
	chosen []Valued // at most twice as many
}

// Valued is a page and its value as a hub, or as an authority.
type Valued struct {
	Page  uint32
	Value float32
}

// Offer offers a page.
func (t *Top) Offer(page uint32, value float32) {
	if value == 0 {
		return
	}
	if t.chosen = append(t.chosen, Valued{page, value}); len(t.chosen) >= 2*t.Most {
		t.Best()
	}
}

// Best are the pages that are kept, the greatest first. They are valid until the next Offer.
func (t *Top) Best() []Valued {
	slices.SortFunc(t.chosen, func(a, b Valued) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Page, b.Page))
	})
	t.chosen = t.chosen[:min(len(t.chosen), t.Most)]
	return t.chosen
}

package webgraph

import (
	"cmp"
	"slices"

	"multitext/stages/internal/frontier/centrality"
)

// cited gives hubs the authorities that they link to.
func (l *lister) cited(hubs []Listed) error {
	type link struct {
		to  uint32
		hub int
	}
	var links []link
	byNumber := numbered(hubs)
	walk := l.walk(ofLinks)
	for _, i := range byNumber {
		ok, err := walk.is(uint64(hubs[i].number))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		targets, err := unpackLinks(walk.value, nil)
		if err != nil {
			return err
		}
		for _, to := range targets {
			links = append(links, link{to, i})
		}
	}
	slices.SortFunc(links, func(a, b link) int { return cmp.Compare(a.to, b.to) })
	tops, values := l.tops(hubs), l.reading(ofAuthorities)
	for _, k := range links {
		value, err := values.at(uint64(k.to))
		if err != nil {
			return err
		}
		tops[k.hub].offer(k.to, value)
	}
	explain(hubs, tops)
	return nil
}

// citing gives authorities the hubs that link to them, in one walk over all links.
func (l *lister) citing(authorities []Listed) error {
	at := map[uint32]int{}
	for i, page := range authorities {
		at[page.number] = i
	}
	tops, values := l.tops(authorities), l.reading(ofHubs)
	var links []uint32
	err := l.each(ofLinks, func(page uint64, entry []byte) error {
		value, err := values.at(page)
		if err != nil || value == 0 {
			return err
		}
		if links, err = unpackLinks(entry, links[:0]); err != nil {
			return err
		}
		for _, to := range links {
			if i, ok := at[to]; ok {
				tops[i].offer(uint32(page), value)
			}
		}
		return nil
	})
	explain(authorities, tops)
	return err
}

// A why is the reasons of a page: the best of them, and how many there are.
type why struct {
	centrality.Top
	n int
}

func (l *lister) tops(pages []Listed) []why {
	tops := make([]why, len(pages))
	for i := range tops {
		tops[i].Most = l.reasons
	}
	return tops
}

func (w *why) offer(page uint32, value float32) {
	if w.Offer(page, value); value > 0 {
		w.n++
	}
}

func explain(pages []Listed, tops []why) {
	for i := range pages {
		pages[i].Links, pages[i].Why = tops[i].n, listed(tops[i].Best())
	}
}

// numbered are the indices of pages in the order of their numbers.
func numbered(pages []Listed) []int {
	order := make([]int, len(pages))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(pages[a].number, pages[b].number) })
	return order
}

package webgraph

import (
	"errors"
	"fmt"

	"multitext/stages/internal/frontier/centrality"
)

// Distilling says how pages are distilled.
type Distilling struct {
	Hubs     int     // that are followed, the best
	Relevant float64 // ρ: what a page must be worth more than to be an authority
}

// Distill makes hubs and authorities of all pages, and calls want with each page that is to be
// fetched for that, in the order of their numbers: see Wanted.
func (s *State) Distill(by Distilling, want func(Wanted) error) (d centrality.Distilled, err error) {
	if err := s.settle(); err != nil {
		return d, err
	}
	h, err := centrality.NewHubs(s.whole.pages, memory, by.Relevant)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	if err := s.fillHubs(h); err != nil {
		return d, fmt.Errorf("graph of pages: %w", err)
	}
	if d, err = h.Distill(centrality.Stable, centrality.Rounds); err != nil {
		return d, err
	}
	top := centrality.Top{Most: by.Hubs}
	hubs, authorities := column{State: s, kind: ofHubs}, column{State: s, kind: ofAuthorities}
	err = h.Each(func(page uint32, hub, authority float32) error {
		top.Offer(page, hub)
		return errors.Join(hubs.add(page, hub), authorities.add(page, authority))
	})
	if err := errors.Join(err, hubs.keep(), authorities.keep()); err != nil {
		return d, err
	}
	s.whole.ranked = s.whole.links
	if err := s.want(top.Best(), want); err != nil {
		return d, fmt.Errorf("graph of pages: %w", err)
	}
	return d, nil
}

// fillHubs gives h what the pages were worth, the links, and the hubs of the last time.
func (s *State) fillHubs(h *centrality.Hubs) error {
	err := s.each(ofWorth, func(page uint64, value []byte) error {
		var j judgement
		if err := j.unpack(value); err != nil {
			return err
		}
		return h.Judge(uint32(page), float64(j.worth))
	})
	if err != nil {
		return err
	}
	var links []uint32
	err = s.each(ofLinks, func(page uint64, value []byte) (err error) {
		if links, err = unpackLinks(value, links[:0]); err != nil {
			return err
		}
		return h.Add(uint32(page), links)
	})
	if err != nil {
		return err
	}
	return s.each(ofHubs, func(_ uint64, value []byte) error { return eachValue(value, h.Start) })
}

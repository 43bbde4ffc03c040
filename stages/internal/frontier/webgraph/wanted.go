package webgraph

import (
	"fmt"
	"slices"

	"multitext/stages/internal/frontier/centrality"
)

// A Wanted is a page that is to be fetched because of what the hubs are. It is either a page that
// was neither judged nor has links and that one of the best hubs links to: it is wanted once. Or it
// is one of these hubs, for the links that may have come to stand on it: it is wanted again whenever
// the graph has twice the links that it had when the hub was found to be one of the best, or was
// wanted last.
type Wanted struct {
	URL   []byte // valid until the call returns
	Visit uint64 // of a hub: how often it is wanted with this time; else 0
	Depth uint64 // of a hub: links from a seed
}

// A wanting goes through the pages that may be wanted.
type wanting struct {
	*State
	judged, links, asked *walk
	names                names
	want                 func(Wanted) error
}

// want calls do with the pages that are wanted because of these hubs.
func (s *State) want(best []centrality.Valued, do func(Wanted) error) error {
	var pages, links []uint32
	hubs := map[uint32]bool{}
	for _, hub := range best {
		pages, hubs[hub.Page] = append(pages, hub.Page), true
	}
	slices.Sort(pages)
	w := &wanting{s, s.walk(ofWorth), s.walk(ofLinks), s.walk(ofAsked), names{urls: s.walk(ofURLs)}, do}
	walk := s.walk(ofLinks)
	for _, hub := range slices.Clone(pages) {
		ok, err := walk.is(uint64(hub))
		if err == nil && ok {
			links, err = unpackLinks(walk.value, links[:0])
		}
		if err != nil {
			return err
		}
		pages = append(pages, links...)
	}
	slices.Sort(pages)
	for _, page := range slices.Compact(pages) {
		if err := w.page(uint64(page), hubs[page]); err != nil {
			return fmt.Errorf("page %d: %w", page, err)
		}
	}
	return nil
}

// page calls want if the page is wanted.
func (w *wanting) page(page uint64, hub bool) error {
	judged, err := w.judged.is(page)
	if err != nil {
		return err
	}
	links, err := w.links.is(page)
	if err != nil || (judged || links) && !hub {
		return err
	}
	last := asking{}
	asked, err := w.asked.is(page)
	if err == nil && asked {
		err = last.unpack(w.asked.value)
	}
	if err != nil || asked && (!hub || w.whole.links < 2*last.links) {
		return err
	}
	now := asking{links: w.whole.links, visits: last.visits}
	//failpoint:asked-forgotten now.links = 0
	if hub && !asked { // it was fetched not long ago
		w.fresh.Add(keyOf(ofAsked, page), now.pack())
		return nil
	}
	var j judgement
	if hub {
		now.visits++
		if err := j.unpack(w.judged.value); err != nil {
			return err
		}
	}
	w.fresh.Add(keyOf(ofAsked, page), now.pack())
	url, err := w.names.of(page)
	if err != nil {
		return err
	}
	return w.want(Wanted{URL: url, Visit: now.visits, Depth: j.depth})
}

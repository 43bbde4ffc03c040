package centrality

import (
	"errors"
	"fmt"
	"math"
)

// Hubs is the pages 0 to n-1 with their relevance R, from 0 to 1, and the links between them, of
// which some are hubs and some authorities: the distiller of Chakrabarti, van den Berg and Dom,
// "Focused crawling" (WWW 8, 1999). Call Judge for the pages whose relevance is known, then Add for
// those that have links, then Start for those that were a hub, then Distill. Links within a site are
// left out by the caller.
//
// A link from u to v weighs E_F = R(v) on its way forward and E_B = R(u) on its way back:
//
//	a(v) = Σ h(u) R(v)   over the pages u that link to v, where R(v) > ρ; else 0
//	h(u) = Σ a(v) R(u)   over the pages v that u links to
//
// and then each vector is brought to unit length. So neither does a relevant hub make an irrelevant
// page an authority, nor an authority make an irrelevant page a hub. A page that was not judged has
// R = 0, and is neither.
//
// Links to pages that cannot be authorities are dropped, so a round costs as much as there are links
// between judged pages, however many are known.
type Hubs struct {
	g           *Graph // its ranks are the values of hubs, not of unit length: see unit
	above       float64
	worth       *vector  // R of each page
	authorities *vector  // not of unit length
	relevant    []uint64 // a bit for each page: R > above
	hubs        uint64   // pages with R > 0, which can be hubs
	sealed      bool     // no page may be judged any more

	unit, unitA float64 // by which values of hubs, and of authorities, are multiplied for unit length
	squares     float64 // of the values that hubs begin with

	sums           []float64
	r              records
	partial, spare *vector // hubs' values by the blocks before, and those with one more
}

// NewHubs returns the graph of so many pages, as New does, with a bit more for each page. Pages with
// a relevance above ρ can be authorities.
func NewHubs(pages uint64, memory int64, above float64) (*Hubs, error) {
	g, err := New(pages, memory)
	if err != nil {
		return nil, err
	}
	return newHubs(g, above)
}

func newHubs(g *Graph, above float64) (*Hubs, error) {
	h := &Hubs{g: g, above: above, relevant: make([]uint64, (g.pages+63)/64), sums: make([]float64, g.size)}
	h.r.frame = make([]byte, frameSize)
	for _, v := range []**vector{&h.worth, &h.authorities, &h.partial, &h.spare} {
		var err error
		if *v, err = newVector(); err != nil {
			return nil, errors.Join(err, h.Close())
		}
	}
	return h, nil
}

// Judge gives a page its relevance. Pages come in ascending order, each at most once, before all that
// is added.
func (h *Hubs) Judge(page uint32, relevance float64) error {
	if h.sealed || uint64(page) < h.worth.n || uint64(page) >= h.g.pages || !(relevance >= 0 && relevance <= 1) {
		return fmt.Errorf("judge page %d with %v: pages 0 to %d come in ascending order, before links, with 0 to 1",
			page, relevance, h.g.pages-1)
	}
	if err := h.worth.upTo(uint64(page), 0); err != nil {
		return err
	}
	if relevance > h.above {
		h.relevant[page/64] |= 1 << (page % 64)
	}
	if relevance > 0 {
		h.hubs++
	}
	return h.worth.add(float32(relevance))
}

// Add adds the links of a page, as Graph.Add does. targets is changed.
func (h *Hubs) Add(page uint32, targets []uint32) error {
	if err := h.seal(); err != nil {
		return err
	}
	kept := targets[:0]
	for _, to := range targets {
		if uint64(to) >= h.g.pages || h.relevant[to/64]>>(to%64)&1 > 0 {
			kept = append(kept, to) // Graph.Add says what is wrong with a page that is none
		}
	}
	if len(kept) == 0 {
		return nil
	}
	if worth, err := h.worth.at(page); err != nil || worth == 0 {
		return err
	}
	return h.g.Add(page, kept)
}

// seal ends what Judge has begun.
func (h *Hubs) seal() error {
	if h.sealed {
		return nil
	}
	h.sealed = true
	if err := h.worth.upTo(h.g.pages, 0); err != nil {
		return err
	}
	return h.worth.flush()
}

// Start gives the next page, from 0 on, the value as a hub that it had the last time, as Each gave it.
func (h *Hubs) Start(hub float32) error {
	if err := h.seal(); err != nil {
		return err
	}
	hub += h.least()
	h.squares += float64(hub) * float64(hub)
	return h.g.Start(hub)
}

// least is what a hub begins with at least: the values of all that can be hubs have a tenth of unit
// length by it. Without it a page that was none at the last time could not be one, and hubs that are
// not joined with others by links would stay none when more links to theirs come.
func (h *Hubs) least() float32 { return float32(0.1 / math.Sqrt(float64(max(h.hubs, 1)))) }

// Each calls do with every page, ascending, and its values as a hub and as an authority.
func (h *Hubs) Each(do func(page uint32, hub, authority float32) error) error {
	return h.g.Each(func(page uint32, hub float32) error {
		authority, err := h.authorities.at(page)
		if err != nil {
			return err
		}
		return do(page, float32(float64(hub)*h.unit), float32(float64(authority)*h.unitA))
	})
}

// Close lets go of the files.
func (h *Hubs) Close() error {
	errs := []error{h.g.Close()}
	for _, v := range []*vector{h.worth, h.authorities, h.partial, h.spare} {
		if v != nil {
			errs = append(errs, v.close())
		}
	}
	return errors.Join(errs...)
}

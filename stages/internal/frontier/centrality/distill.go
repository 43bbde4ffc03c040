package centrality

import (
	"fmt"
	"math"
)

// For a crawl, distilling ends when a round moves the vector of hubs, whose length is 1, by less than
// Stable, and after so many Rounds at the latest.
const (
	Stable = 1e-3
	Rounds = 50
)

// Distilled is what Distill did.
type Distilled struct {
	Rounds int
	Change float64 // |h - h of the round before| of the last round; the length of h is 1
}

// Distill computes the values of hubs and authorities. It ends with the round that changes the hubs
// by less than enough, as Distilled.Change measures it, and at the latest after so many rounds; that
// is no error. Where no page with R > 0 links to one with R > ρ, all values are 0.
//
// Where the best hubs are nearly as good as others that have no links in common with them, a change
// is small long before the end, and which of them is on top may depend on what Start gave.
func (h *Hubs) Distill(enough float64, rounds int) (Distilled, error) {
	d := Distilled{Change: math.Inf(1)}
	if err := h.ready(); err != nil {
		return d, err
	}
	for d.Change >= enough && d.Rounds < rounds {
		change, err := h.round()
		if err != nil {
			return d, fmt.Errorf("distill %d pages, round %d: %w", h.g.pages, d.Rounds+1, err)
		}
		d = Distilled{d.Rounds + 1, change}
	}
	return d, nil
}

// ready ends what Judge, Add and Start have begun.
func (h *Hubs) ready() error {
	for h.g.ranks.n < h.g.pages {
		if err := h.Start(0); err != nil {
			return err
		}
	}
	if h.unit == 0 {
		h.unit = unit(h.squares)
	}
	return h.g.ready(0)
}

// unit is the factor that brings a vector to unit length whose values have this sum of squares; 0 for
// a vector of zeros.
func unit(squares float64) float64 {
	if squares == 0 {
		return 0
	}
	return 1 / math.Sqrt(squares)
}

// round computes authorities from hubs, and hubs from these.
func (h *Hubs) round() (change float64, err error) {
	squares, err := h.forward()
	if err != nil {
		return 0, err
	}
	h.unitA = unit(squares)
	squares, along, err := h.backward()
	if err != nil {
		return 0, err
	}
	h.g.ranks, h.g.spare = h.g.spare, h.g.ranks
	h.unit = unit(squares)
	if h.unit == 0 {
		return 0, nil
	}
	return math.Sqrt(max(2-2*along*h.unit, 0)), nil // |x-y|² = x²+y²-2xy
}

// forward makes the authorities, and returns the sum of their squares.
func (h *Hubs) forward() (squares float64, err error) {
	h.authorities.restart()
	for i, links := range h.g.blocks {
		sums, first := h.block(i)
		clear(sums)
		err := links.share(sums, h.g.ranks, func(hub float64, _ uint32) float64 { return hub * h.unit }, &h.r)
		if err != nil {
			return 0, err
		}
		for j, sum := range sums {
			worth, err := h.worth.at(first + uint32(j))
			if err != nil {
				return 0, err
			}
			authority := float32(sum * float64(worth))
			squares += float64(authority) * float64(authority)
			if err := h.authorities.add(authority); err != nil {
				return 0, err
			}
		}
	}
	return squares, h.authorities.flush()
}

// block is the memory for the values of a block, and its first page.
func (h *Hubs) block(i int) (values []float64, first uint32) {
	at := uint64(i) * h.g.size
	return h.sums[:min(h.g.size, h.g.pages-at)], uint32(at)
}

// backward makes the hubs, in g.spare. It returns the sum of their squares, and that of their
// products with the hubs of the round before, of unit length.
func (h *Hubs) backward() (squares, along float64, err error) {
	h.g.spare.restart()
	err = h.collect(func(page uint32, sum float64) error {
		worth, err := h.worth.at(page)
		if err != nil {
			return err
		}
		old, err := h.g.ranks.at(page)
		if err != nil {
			return err
		}
		hub := float32(sum * float64(worth))
		squares += float64(hub) * float64(hub)
		along += float64(hub) * float64(old) * h.unit
		return h.g.spare.add(hub)
	})
	if err != nil {
		return 0, 0, err
	}
	return squares, along, h.g.spare.flush()
}

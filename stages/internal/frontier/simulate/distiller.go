package simulate

import (
	"errors"
	"slices"

	"multitext/stages/internal/frontier/centrality"
)

// A distiller finds hubs among the pages that were fetched, as the stage distill does.
type distiller struct {
	*Graph
	hubs    int       // that are followed, the best
	worth   []float64 // of each page
	links   uint64    // between sites, on the pages that were fetched
	last    uint64    // that were when hubs were found
	sources []uint32  // pages that were fetched
	asked   []bool    // pages that were lifted
	value   []float32 // of each page as a hub
}

// relevant is what a page must be worth more than to be an authority, as it is where distill -relevant is
// not given.
const relevant = 0.5

func newDistiller(g *Graph, hubs int, worth []float64) *distiller {
	n := len(g.URLs)
	return &distiller{Graph: g, hubs: hubs, worth: worth, asked: make([]bool, n), value: make([]float32, n)}
}

// fetched takes in the pages of a batch. When their links have grown by a tenth it calls lift, once for
// each page, with those that the best hubs link to.
func (d *distiller) fetched(pages []uint32, lift func(page uint32, score float64) error) error {
	for _, page := range pages {
		d.links += uint64(len(d.toOthers(page)))
	}
	d.sources = append(d.sources, pages...)
	if !centrality.Due(d.links, d.last) {
		return nil
	}
	d.last = d.links
	best, err := d.distill()
	if err != nil {
		return err
	}
	for _, hub := range best {
		for _, to := range d.toOthers(hub.Page) {
			if d.asked[to] {
				continue
			}
			d.asked[to] = true
			if err := lift(to, 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// toOthers are the pages of other sites that a page links to.
func (d *distiller) toOthers(page uint32) (links []uint32) {
	sites := d.domains()
	for _, to := range d.Links[page] {
		if sites[to] != sites[page] {
			links = append(links, to)
		}
	}
	return links
}

// distill returns the best hubs. It begins with those of the last time.
func (d *distiller) distill() (best []centrality.Valued, err error) {
	h, err := centrality.NewHubs(uint64(len(d.URLs)), memory, relevant)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	slices.Sort(d.sources)
	for _, page := range d.sources {
		if err := h.Judge(page, d.worth[page]); err != nil {
			return nil, err
		}
	}
	for _, page := range d.sources {
		if err := h.Add(page, d.toOthers(page)); err != nil {
			return nil, err
		}
	}
	for _, value := range d.value {
		if err := h.Start(value); err != nil {
			return nil, err
		}
	}
	if _, err := h.Distill(centrality.Stable, centrality.Rounds); err != nil {
		return nil, err
	}
	top := centrality.Top{Most: d.hubs}
	err = h.Each(func(page uint32, hub, _ float32) error {
		d.value[page] = hub
		top.Offer(page, hub)
		return nil
	})
	return top.Best(), err
}

package main

import (
	"fmt"
	"slices"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/recall"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
)

// pipeline holds real crawls against the simulation: testweb answers with the pages of webkb, each of
// which is nothing but its links, and the programs crawl it.
func pipeline(l *lab, c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	if err := l.readWebs(); err != nil {
		return err
	}
	on := l.webs[slices.IndexFunc(l.webs, func(on *named) bool { return on.name == "webkb" })]
	ordered := l.ordered(on.heat[inDegree])
	p, err := newServed(l, on.Placed(web.Host), on.seeds[0])
	if err != nil {
		return err
	}
	defer p.close()
	t := &draw.Table{Name: "pipeline", Title: "The pipeline beside the simulation, webkb",
		Note: fmt.Sprintf("A crawl by the programs, of a web on this machine, in batches of %d; each batch is "+
			"fetched and its links are known before the next is composed. Pages: URLs that were handed out, again "+
			"where they came back. Same place: pages that are fetched as the same page of the crawl. Off: in the "+
			"mean, how many places a page is from that of the simulation, in %% of the crawl. Apart: the greatest "+
			"difference between the two curves of the hottest %g %% by in-degree, in points.", l.Shown, l.Priced),
		Columns: []string{"order", "pages", "same place %", "off %", "half found at %", "simulated %", "apart"}}
	for _, order := range l.Pipeline {
		real, simulated, err := p.both(order, l.Shown)
		if err != nil {
			return err
		}
		a, b := curveOf(real, ordered, l.Priced), curveOf(simulated, ordered, l.Priced)
		same, off := places(real, simulated)
		t.Add(order, fmt.Sprint(len(real)), draw.Percent(same), draw.Percent(off), draw.Number(a.Half(), 1),
			draw.Number(b.Half(), 1), draw.Number(apart(a, b), 1))
	}
	c.Table(t)
	return nil
}

// places tells which share of the pages have the same place in two crawls, and how far apart those of a
// page are in the mean, as a share of the crawl. A page that the second lacks is as far as can be.
func places(a, b []uint32) (same, off float64) {
	place := map[uint32]int{}
	for i, page := range b {
		place[page] = i
	}
	for i, page := range a {
		j, ok := place[page]
		switch {
		case !ok:
			off++
		case i == j:
			same++
		default:
			off += max(float64(i-j), float64(j-i)) / float64(len(a))
		}
	}
	return same / float64(len(a)), off / float64(len(a))
}

// apart is the greatest difference between two curves.
func apart(a, b recall.Curve) (most float64) {
	for i := range a {
		most = max(most, a[i]-b[i], b[i]-a[i])
	}
	return most
}

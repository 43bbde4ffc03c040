package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// A sweep is webs of one plot, a hunt on each, with a guide that is right so often.
type sweep struct {
	plot
	accuracy float64
	*field
}

// synthetic shows what the ways find on synthetic webs.
func (l *lab) synthetic(c *results.Chapter) error {
	s, sweeps := &l.Synthetic, l.sweeps()
	for _, w := range sweeps {
		if err := w.crawl(l.bin, waysOf(s.Ways), []int{s.Batch}, l.Points[1]); err != nil {
			return err
		}
	}
	return c.Over(s.Draws, l.Outside, func(i int, c *results.Chapter) error {
		t := &draw.Table{Name: "synthetic", Title: fmt.Sprintf("Synthetic webs of %d pages and %d topics", s.Pages,
			s.Topics),
			Note: fmt.Sprintf("Recall at %d %%, in batches of %d, from %d seeds of the topic that is wanted. "+
				"Locality: share of the links that lead to the topic of their page whatever it is. Accuracy: share of "+
				"the pages that the guide is right about. Hubs: share of the pages that are lists of links to their "+
				"topic, which the guide takes for no page of it.", l.Points[1], s.Batch, s.Seeds),
			Columns: []string{"hubs", "locality", "accuracy"}}
		for _, w := range waysOf(s.Ways) {
			t.Columns = append(t.Columns, w.name)
		}
		for _, of := range sweeps {
			cells := []string{fmt.Sprint(of.hubs), fmt.Sprint(of.locality), fmt.Sprint(of.accuracy)}
			for _, w := range waysOf(s.Ways) {
				recall := of.hunts[i].curve(made{w.name, s.Batch, l.Points[1]})
				cells = append(cells, draw.Number(recall[l.Points[1]], 1))
			}
			t.Add(cells...)
		}
		c.Table(t)
		return nil
	})
}

// sweeps are all of them.
func (l *lab) sweeps() (all []sweep) {
	s := &l.Synthetic
	for _, hubs := range s.Hubs {
		for _, locality := range s.Locality {
			for _, accuracy := range s.Accuracy {
				p := plot{s.Pages, s.Topics, s.Host, s.Links, locality, hubs}
				of := sweep{p, accuracy, &field{name: fmt.Sprint(p, accuracy), batch: s.Batch}}
				for n := range s.Draws {
					of.hunts = append(of.hunts, l.huntOn(n, p, accuracy))
				}
				all = append(all, of)
			}
		}
	}
	return all
}

// huntOn is a hunt on a web of a plot, for the topic of its first page.
func (l *lab) huntOn(n int, p plot, accuracy float64) *hunt {
	random := results.Random(l.Seed, n, "synthetic webs")
	w := p.grow(random)
	wanted := labelled(w, w.Pages[0].Label)
	r := p.judge(wanted, accuracy, random)
	within := make([]bool, len(r))
	var seeds []uint32
	for i := range r {
		if within[i] = r[i] > 0.5; wanted[i] && !p.isHub(i) && len(seeds) < l.Synthetic.Seeds {
			seeds = append(seeds, uint32(i))
		}
	}
	return l.hunting(n, w, wanted, r, within, seeds)
}

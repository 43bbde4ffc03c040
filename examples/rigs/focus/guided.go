package main

import (
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// guides shows how well all guides do.
func (l *lab) guides(c *results.Chapter) error {
	return l.onFields(c, func(*field) error { return nil }, (*lab).guided)
}

// guided shows how well the guide of a hunt tells what is wanted.
func (l *lab) guided(c *results.Chapter, f *field, h *hunt) error {
	t := &draw.Table{Name: "guides-" + f.file(), Title: "The guide, " + f.name,
		Note: "Over all pages. Wanted: their share. R above a half is taken for wanted: how often that is right, " +
			"which share of these are wanted (precision), and which share of the wanted these are (recall). Links: " +
			"of those from wanted pages, which share leads to wanted ones, and of those from others.",
		Columns: []string{"pages", "number", "can be reached", "wanted %", "right %", "precision %", "recall %",
			"links from wanted %", "links from others %"}}
	fit := fitOf(h.r, h.wanted)
	wanted, others := h.locality()
	t.Add("all", draw.Number(float64(len(h.Pages)), 0), draw.Number(float64(h.reached), 0),
		draw.Percent(float64(h.all)/float64(h.reached)), draw.Percent(fit.right), draw.Percent(fit.precision),
		draw.Percent(fit.recall), draw.Percent(wanted), draw.Percent(others))
	c.Table(t)
	return nil
}

// locality is which share of the links of wanted pages leads to wanted ones, and which of those of others.
func (h *hunt) locality() (wanted, others float64) {
	var links, to [2]float64
	for i := range h.Pages {
		from := 0
		if h.wanted[i] {
			from = 1
		}
		for _, page := range h.Pages[i].Links {
			if links[from]++; h.wanted[page] {
				to[from]++
			}
		}
	}
	return to[1] / links[1], to[0] / links[0]
}

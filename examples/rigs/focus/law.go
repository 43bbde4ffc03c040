package main

import (
	"fmt"

	"multitext/classify/topics"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// readLaw is the sections of a code of laws along their citations: hunts from other titles than the wanted
// one, and from that one; and these where each chapter is a site. A section is judged by a guide that has
// learned from the other half of the sections.
func (l *lab) readLaw() (fields []*field, err error) {
	w, samples, err := l.sections()
	if err != nil {
		return nil, err
	}
	tree, err := flat(w.Labels())
	if err != nil {
		return nil, err
	}
	g, err := learn(samples, tree, l.options())
	if err != nil {
		return nil, err
	}
	for _, of := range []struct {
		name string
		*web.Web
		own bool
	}{{"law16, from others", w, false}, {"law16, from its own", w, true},
		{"law16, by chapter", w.Placed(web.Group), true}} {
		f, err := l.lawFrom(of.name, of.Web, g, of.own)
		if err != nil {
			return nil, err
		}
		f.sites = of.Web != w
		fields = append(fields, f)
	}
	return fields, nil
}

// sections are those of the code, with their citations.
func (l *lab) sections() (w *web.Web, samples []sets.Sample, err error) {
	law, err := sets.Law16(l.data)
	if err != nil {
		return nil, nil, err
	}
	w, pages := law.Sections(law.Cited)
	for _, i := range pages {
		samples = append(samples, law.Samples[i])
	}
	return w, samples, nil
}

// lawFrom is the hunts in the code that begin in the wanted title, or in others.
func (l *lab) lawFrom(name string, w *web.Web, g *guide, own bool) (*field, error) {
	f := &field{name: name, batch: l.Law16.Batch, batches: l.Law16.Batches}
	titles := w.Labels()
	for n := 0; len(f.hunts) < l.Law16.Draws; n++ {
		if n == len(titles)*l.Law16.Draws {
			return nil, fmt.Errorf("from %d seeds no %d pages of a title can be reached", l.Law16.Seeds, l.Law16.Least)
		}
		good := titles[n%len(titles)]
		seeds := l.citing(n, w, func(p *web.Page) bool { return (p.Label == good) == own })
		h, err := l.newHunt(n, w, g, good, seeds[:len(seeds)/2])
		if err != nil {
			return nil, err
		}
		if h.twin, err = l.newHunt(n, w, g, good, seeds[len(seeds)/2:]); err != nil {
			return nil, err
		}
		if h.all >= l.Law16.Least {
			f.hunts = append(f.hunts, h)
		}
	}
	return f, nil
}

// citing are pages with links, drawn by lot of some: the seeds of a hunt, and of its twin.
func (l *lab) citing(draw int, w *web.Web, of func(*web.Page) bool) (seeds []uint32) {
	for _, page := range results.Random(l.Seed, draw, "seeds").Perm(len(w.Pages)) {
		if p := &w.Pages[page]; of(p) && len(p.Links) > 0 && len(seeds) < 2*l.Law16.Seeds {
			seeds = append(seeds, uint32(page))
		}
	}
	return seeds
}

// flat is a tree without inner topics.
func flat(labels []string) (*topics.Tree, error) {
	parents := map[string]string{}
	for _, label := range labels {
		parents[label] = ""
	}
	return topics.New(parents)
}

package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// robust shows whether crawls from disjoint seeds meet, on the fields that have a second set of seeds, and
// how far from the seeds they find the authorities.
func (l *lab) robust(c *results.Chapter) error {
	last := l.Points[2]
	crawl := func(f *field) error {
		if err := f.crawl(l.bin, waysOf(l.Held), []int{f.batch}, last); err != nil {
			return err
		}
		return f.twins().crawl(l.bin, waysOf(l.Held), []int{f.batch}, last)
	}
	return l.onFields(c, crawl, func(l *lab, c *results.Chapter, f *field, h *hunt) error {
		if h.twin != nil {
			l.overlaps(c, f, h)
		}
		l.distant(c, f, h)
		return nil
	})
}

// twins is the field with the hunts from the second seeds.
func (f *field) twins() *field {
	other := &field{name: f.name}
	for _, h := range f.hunts {
		if h.twin != nil {
			other.hunts = append(other.hunts, h.twin)
		}
	}
	return other
}

// overlaps shows what two crawls from disjoint seeds have in common.
func (l *lab) overlaps(c *results.Chapter, f *field, h *hunt) {
	t := &draw.Table{Name: "overlap-" + f.file(), Title: "Crawls from disjoint seeds, " + f.name,
		Note: fmt.Sprintf("Two crawls, each from %d seeds of its own. Which per cent of the pages that one has "+
			"fetched the other one has, too, at so many per cent; the same of the groups of these pages (chapters, or "+
			"hosts); and of the best %d authorities among them. Two crawls that take pages by lot have as "+
			"many per cent of their pages in common as they have fetched.", len(h.seeds), l.Authorities),
		Columns: []string{"way"}}
	for _, what := range []string{"pages", "groups", "authorities"} {
		for _, point := range l.Points[:3] {
			t.Columns = append(t.Columns, fmt.Sprintf("%s at %d %%", what, point))
		}
	}
	for _, w := range waysOf(l.Held) {
		cells := [3][]string{}
		for _, point := range l.Points[:3] {
			a, b := l.begun(f, h, w.name, point), l.begun(f, h.twin, w.name, point)
			cells[0] = append(cells[0], draw.Percent(common(a, b)))
			cells[1] = append(cells[1], draw.Percent(common(h.groups(a), h.groups(b))))
			cells[2] = append(cells[2], draw.Percent(common(authorities(h.Web, a, h.r, l.Authorities),
				authorities(h.Web, b, h.r, l.Authorities))))
		}
		t.Add(append(append(append([]string{w.name}, cells[0]...), cells[1]...), cells[2]...)...)
	}
	c.Table(t)
}

// begun is the crawl of a way up to a point.
func (l *lab) begun(f *field, h *hunt, way string, point int) []uint32 {
	crawl := h.made[made{way, f.batch, l.Points[2]}]
	return crawl[:min(point*h.reached/100, len(crawl))]
}

// groups are those of some pages.
func (h *hunt) groups(pages []uint32) (groups []string) {
	met := map[string]bool{}
	for _, page := range pages {
		if g := h.Pages[page].Group; !met[g] {
			met[g] = true
			groups = append(groups, g)
		}
	}
	return groups
}

// common is which share of some things others have, too.
func common[T comparable](some, others []T) float64 {
	is, n := map[T]bool{}, 0.
	for _, thing := range others {
		is[thing] = true
	}
	for _, thing := range some {
		if is[thing] {
			n++
		}
	}
	return n / float64(len(some))
}

package main

import (
	"fmt"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// languages shows what hunts for the pages of one language find on real sites.
func (l *lab) languages(c *results.Chapter) error {
	if l.tongues == nil {
		var err error
		if l.tongues, err = l.readLanguages(); err != nil {
			return err
		}
	}
	f, ways := l.tongues, waysOf(l.Language.Ways)
	if err := f.crawl(l.bin, ways, []int{f.batch}, l.Points[2]); err != nil {
		return err
	}
	return c.Over(len(f.hunts), l.Outside, func(i int, c *results.Chapter) error {
		t := &draw.Table{Name: "language", Title: "Pages of one language on 41 sites",
			Note: fmt.Sprintf("%d hunts in batches of %d, from a page of each site. The guide is the identifier of "+
				"languages by n-grams; wanted are the pages of sites in the language, and those that say so of "+
				"themselves where a site has several.", len(f.hunts), f.batch),
			Columns: []string{"way"}}
		l.early(t, f, f.hunts[i], ways)
		c.Table(t)
		return nil
	})
}

// readLanguages is hunts for each language of the parameters.
func (l *lab) readLanguages() (*field, error) {
	w, err := sets.Sites(l.data)
	if err != nil {
		return nil, err
	}
	said, guessed, err := l.identify()
	if err != nil {
		return nil, err
	}
	f := &field{name: "41 sites", batch: l.Language.Batch, sites: true}
	for n := range l.Language.Draws {
		for _, name := range l.Language.Names {
			wanted, r, within := make([]bool, len(w.Pages)), make([]float64, len(w.Pages)), make([]bool, len(w.Pages))
			for i := range w.Pages {
				file := strings.TrimPrefix(w.Pages[i].URL, "https://")
				wanted[i] = said[file] == name
				if within[i] = guessed[file] == name; within[i] {
					r[i] = 1
				}
			}
			if h := l.hunting(n, w, wanted, r, within, l.oneOfEach(n, w)); h.all >= l.Language.Least {
				f.hunts = append(f.hunts, h)
			}
		}
	}
	return f, nil
}

// oneOfEach is a page with links of each host, by lot.
func (l *lab) oneOfEach(draw int, w *web.Web) (seeds []uint32) {
	met := map[string]bool{}
	for _, page := range results.Random(l.Seed, draw, "a page of each site").Perm(len(w.Pages)) {
		if p := &w.Pages[page]; !met[p.Host] && len(p.Links) > 0 {
			met[p.Host] = true
			seeds = append(seeds, uint32(page))
		}
	}
	return seeds
}

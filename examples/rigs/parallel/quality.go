package main

import (
	"fmt"
	"math"

	"multitext/examples/internal/measures"
	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// A goal is a crawl that ends at a share of the pages, by so many crawlers with so many exchanges.
type goal struct {
	crawlers  int
	share     float64
	exchanges int
}

// An end is what came of it in an order: the share of the best pages that it has found, and pairs of a URL and
// its links that were sent a page.
type end struct{ quality, sent float64 }

const everyBatch = -1 // exchanges

// quality shows whether crawlers find the pages with the most links, by how often they exchange links.
func (l *lab) quality(c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	if err := l.readWebs(); err != nil {
		return err
	}
	for _, on := range l.webs {
		made, err := l.aimed(on)
		if err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
		err = c.Over(l.Simulated, l.Outside, func(number int, c *results.Chapter) error {
			l.qualities(c, on, func(g goal, order string) end { return made[g][order][number] })
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// goals are all of them; one crawler exchanges nothing.
func (l *lab) goals() (goals []goal) {
	for _, share := range l.Quality.Shares {
		goals = append(goals, goal{1, share, everyBatch})
		for _, n := range l.Quality.Crawlers {
			for _, exchanges := range l.Quality.Exchanges {
				goals = append(goals, goal{n, share, exchanges})
			}
		}
	}
	return goals
}

// Orders of the crawls: by the links that are known, and by lot, the control.
const byLinks, atRandom = "backlink", "random"

// aimed makes the crawls of a Web: by goal and order, the ends of all draws.
func (l *lab) aimed(on *named) (map[goal]map[string][]end, error) {
	var seeds [][]uint32
	var draws []int
	for draw := range l.Simulated {
		seeds, draws = append(seeds, first(l.seeds(on, draw), l.Quality.Seeds)), append(draws, draw)
	}
	f, err := advised.New(l.bin, advised.Of(on.Web), nil, seeds)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	best, made := l.popular(on, itself), map[goal]map[string][]end{}
	var things []func() error
	for _, g := range l.goals() {
		ends := map[string][]end{byLinks: make([]end, len(draws)), atRandom: make([]end, len(draws))}
		made[g] = ends
		things = append(things, func() error {
			n := int(math.Ceil(g.share / 100 * float64(len(on.Pages))))
			orders := []string{byLinks}
			if g.crawlers == l.Quality.Crawlers[1] {
				orders = append(orders, atRandom)
			}
			return f.Run(g.trial(l, n), orders, draws, func(draw int, order string, c *advised.Crawl) {
				ends[order][draw] = endOf(c, first(best, n), len(seeds[draw]))
			})
		})
	}
	return made, advised.Together(things...)
}

// trial is the one of a goal, which ends at n pages.
func (g goal) trial(l *lab, n int) advised.Trial {
	t := advised.Trial{Batch: l.Quality.Batch, Most: n, Crawlers: g.crawlers}
	switch {
	case g.exchanges == 0:
		t.Others = "drop"
	case g.exchanges > 0:
		t.Exchange = n / (g.exchanges + 1)
	}
	return t
}

// endOf is what came of a crawl, up to as many pages as there are best ones. There is nothing to say where the
// seeds are more.
func endOf(c *advised.Crawl, best []uint32, seeds int) end {
	if seeds > len(best) {
		return end{math.NaN(), math.NaN()}
	}
	fetched := measures.Fetches[uint32]{}
	for _, page := range c.Pages[:min(len(best), len(c.Pages))] {
		fetched[page]++
	}
	return end{fetched.Share(best), float64(c.Sent.Batch) / float64(len(c.Pages))}
}

// qualities makes the tables of a draw.
func (l *lab) qualities(c *results.Chapter, on *named, of func(goal, string) end) {
	q := &draw.Table{Name: "quality-" + on.file(), Title: "Quality by exchanges, " + on.name,
		Note: fmt.Sprintf("Per cent of the best pages, as many as are fetched, that are found when so many per "+
			"cent of all pages are fetched, in the order backlink. The best are those that most pages link to. "+
			"From %d seeds together, by site. So many times in the course of the crawl the crawlers exchange "+
			"links, each with its number; 0: they drop the links of others; every: after each batch of %d pages. "+
			"One: a crawler alone. Random: %d crawlers in the order random, the control.",
			l.Quality.Seeds, l.Quality.Batch, l.Quality.Crawlers[1]),
		Columns: []string{"exchanges"}}
	s := &draw.Table{Name: "pairs-" + on.file(), Title: "Pairs sent a page, by exchanges, " + on.name,
		Note: "Pairs of a URL and the number of its links that were sent, for each page fetched, in the crawls of " +
			"the table of quality.",
		Columns: []string{"exchanges"}}
	for _, share := range l.Quality.Shares {
		for _, n := range l.Quality.Crawlers {
			name := fmt.Sprintf("%d at %g %%", n, share)
			q.Columns, s.Columns = append(q.Columns, name), append(s.Columns, name)
		}
		q.Columns = append(q.Columns, fmt.Sprintf("one at %g %%", share), fmt.Sprintf("random at %g %%", share))
	}
	chart := &draw.Chart{Name: q.Name, Title: on.name + ": quality", X: "exchanges", Y: "found of the best, %"}
	for _, exchanges := range l.Quality.Exchanges {
		name := fmt.Sprint(exchanges)
		if exchanges == everyBatch {
			name = "every"
		}
		cells, pairs := []string{name}, []string{name}
		for _, share := range l.Quality.Shares {
			for _, n := range l.Quality.Crawlers {
				e := of(goal{n, share, exchanges}, byLinks)
				cells, pairs = append(cells, draw.Percent(e.quality)), append(pairs, draw.Number(e.sent, 3))
				if exchanges != everyBatch {
					chart.Point(fmt.Sprintf("%d at %g %%", n, share), float64(exchanges), 100*e.quality)
				}
			}
			cells = append(cells, draw.Percent(of(goal{1, share, everyBatch}, byLinks).quality),
				draw.Percent(of(goal{l.Quality.Crawlers[1], share, exchanges}, atRandom).quality))
		}
		q.Add(cells...)
		s.Add(pairs...)
	}
	c.Table(q)
	c.Table(s)
	c.Chart(chart)
}

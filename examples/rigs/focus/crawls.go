package main

import (
	"fmt"
	"slices"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
)

// A made is a crawl that was made.
type made struct {
	way   string
	batch int
	until int // per cent of the pages that can be reached at which it was ended, with the batch
}

// toTheEnd is until when nothing is left to fetch.
const toTheEnd = 100

// followed is the Web that a way follows.
func (h *hunt) followed(hard bool) *web.Web {
	if !hard {
		return h.Web
	}
	return h.Where(func(from, _ int) bool { return h.within[from] })
}

// crawl makes the crawls of some ways, those that were not made yet for some size of batches, until so many
// per cent are fetched.
func (h *hunt) crawl(bin string, ways []way, batches []int, until int) error {
	ways = slices.DeleteFunc(slices.Clone(ways), func(w way) bool {
		return !slices.ContainsFunc(batches, func(batch int) bool { return h.made[made{w.name, batch, until}] == nil })
	})
	for _, hard := range []bool{false, true} {
		some := slices.DeleteFunc(slices.Clone(ways), func(w way) bool { return w.hard != hard })
		if len(some) == 0 {
			continue
		}
		on := advised.Of(h.followed(hard))
		on.Words = func(line []byte, page uint32) []byte { return words(line, h.Pages[page].URL) }
		f, err := advised.New(bin, on, h.worths(byLabel), [][]uint32{h.seeds})
		if err != nil {
			return err
		}
		err = h.crawlIn(f, some, batches, until)
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// A source is what the crawls of one run of advise go by.
type source struct {
	worth string
	hubs  int
}

// crawlIn makes crawls in a folder, those that go by the same in one run.
func (h *hunt) crawlIn(f *advised.Folder, ways []way, batches []int, until int) error {
	orders, names := map[source][]string{}, map[source]map[string]string{}
	for _, w := range ways {
		by := source{w.worth, w.hubs}
		if orders[by] == nil {
			names[by] = map[string]string{}
		}
		orders[by], names[by][w.order] = append(orders[by], w.order), w.name
	}
	for by := range orders {
		if by.worth != "" {
			if err := f.Judge(by.worth, h.worths(by.worth)); err != nil {
				return err
			}
		}
		for _, batch := range batches {
			t := advised.Trial{Batch: batch, Worths: by.worth, Hubs: by.hubs}
			if until < toTheEnd {
				t.Most = until*h.reached/100 + 1
			}
			err := f.Run(t, orders[by], []int{0}, func(_ int, order string, c *advised.Crawl) {
				h.made[made{names[by][order], batch, until}] = slices.Clone(c.Pages)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// crawl makes the crawls of all hunts of a field.
func (f *field) crawl(bin string, ways []way, batches []int, until int) error {
	if bin == "" {
		return errNoProgram
	}
	var things []func() error
	for _, h := range f.hunts {
		things = append(things, func() error { return h.crawl(bin, ways, batches, until) })
	}
	if err := advised.Together(things...); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	return nil
}

// onFields makes a part of a chapter for each field, once for each hunt, when its crawls were made.
func (l *lab) onFields(c *results.Chapter, crawl func(*field) error,
	each func(*lab, *results.Chapter, *field, *hunt) error) error {
	if err := l.readFields(); err != nil {
		return err
	}
	for _, f := range l.fields {
		if err := crawl(f); err != nil {
			return err
		}
		err := c.Over(len(f.hunts), l.Outside, func(draw int, c *results.Chapter) error {
			return each(l, c, f, f.hunts[draw])
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

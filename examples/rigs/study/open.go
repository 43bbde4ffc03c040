package main

import (
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/study/internal/sim"
)

// openQuestions are those of the thesis's section 6.1, on the law along its citations, and one of
// X4.
func openQuestions(l *lab, c *results.Chapter) error {
	w, err := l.laws()
	if err != nil {
		return err
	}
	for _, question := range []func(*lab, *collection, *results.Chapter) error{
		confidence, volume, finer, short, arrived,
	} {
		if err := l.over(c, func(l *lab, c *results.Chapter) error { return question(l, w, c) }); err != nil {
			return err
		}
	}
	return nil
}

// crawl lets crawlers crawl the law along its citations.
func (l *lab) crawl(w *collection, p sim.Partition, seeds [][]int) (*sim.Log, error) {
	return (&sim.Crawl{Web: w.Cited, Partition: p, Seeds: seeds, Exchange: l.Crawl.Exchange}).Run()
}

// truth is the owners by the titles themselves.
func truth(w *collection) sim.Owners {
	var labels []string
	for i := range w.Samples {
		labels = append(labels, w.Samples[i].Label)
	}
	return sim.ByLabel(w.titles, labels)
}

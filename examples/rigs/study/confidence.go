package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/study/internal/sim"
)

// confidence: is a page's child more likely to stay if the classifier was sure of the page?
func confidence(l *lab, w *collection, c *results.Chapter) error {
	decided := l.decided(w)
	log, err := l.crawl(w, sim.Partition{Name: "topic, classifier", Pages: sim.ByLabel(w.titles, decided.labels)},
		l.seeds(w, truth(w), len(w.titles), l.Crawl.Seeds))
	if err != nil {
		return err
	}
	log = log.Where(func(e sim.Event) bool {
		return e.Kind == sim.Fetched && e.Parent != sim.None && !w.trained[e.Parent]
	})
	slices.SortStableFunc(log.Events,
		func(a, b sim.Event) int { return cmp.Compare(decided.sure[a.Parent], decided.sure[b.Parent]) })
	shuffled := l.shuffled(log)
	t := &draw.Table{Name: "open-confidence", Title: "Does a parent's confidence predict that its children stay?",
		Note: "Pages fetched by a link, in tenths by the confidence of the classifier in the page that linked to " +
			"them, of parents that it was not trained on. Right: share of the parents' labels that are true, by " +
			"link. Shuffled, the red control: the same pages in tenths at random.",
		Columns: strings.Split("tenth|confidence from|to|pages|kept %|interval from|to|parent right %|shuffled: kept %",
			"|")}
	line := draw.Line{Name: "kept"}
	right := draw.Line{Name: "parent's label right"}
	for bin := range l.Open.Bins {
		from, to := bin*len(log.Events)/l.Open.Bins, (bin+1)*len(log.Events)/l.Open.Bins
		part := log.Slice(from, to)
		low, high := part.Interval(l.Crawl.Bootstrap, l.Crawl.Interval, l.random("confidence"))
		kept := part.Figures().Pages.Micro
		share := 0.
		for _, e := range part.Events {
			if decided.labels[e.Parent] == w.Samples[e.Parent].Label {
				share += 1 / float64(to-from)
			}
		}
		t.Add(fmt.Sprint(bin+1), draw.Number(decided.sure[log.Events[from].Parent], 3),
			draw.Number(decided.sure[log.Events[to-1].Parent], 3),
			fmt.Sprint(to-from), draw.Percent(kept), draw.Percent(low), draw.Percent(high), draw.Percent(share),
			draw.Percent(shuffled.Slice(from, to).Figures().Pages.Micro))
		line.X, line.Y = append(line.X, float64(bin+1)), append(line.Y, 100*kept)
		right.X, right.Y = append(right.X, float64(bin+1)), append(right.Y, 100*share)
	}
	c.Table(t)
	c.Chart(&draw.Chart{Name: t.Name, Title: "Kept by the parent's confidence", X: "tenth of the parents' confidence",
		Y: "%", Lines: []draw.Line{line, right}})
	return nil
}

// shuffled is a log in a random order.
func (l *lab) shuffled(log *sim.Log) *sim.Log {
	other := log.Slice(0, 0)
	for _, i := range l.random("shuffled").Perm(len(log.Events)) {
		other.Events = append(other.Events, log.Events[i])
	}
	return other
}

package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/study/internal/sim"
)

// claims holds the crawl by the classifier's topics against what is wanted of it.
func (l *lab) claims(c *results.Chapter, name string, ways []sim.Partition, logs []*sim.Log) {
	t := &draw.Table{Name: name + "-claims", Title: "What is claimed, along " + name,
		Note: fmt.Sprintf("Kept by %s at least %g times %s; the largest load at most %g times the mean.",
			ways[1].Name, l.Want.OverPermuted, ways[2].Name, l.Want.Load),
		Columns: []string{"% crawled", "kept %", "permuted %", "times", "holds", "load, fetched", "load, taken",
			"load holds"}}
	for _, point := range l.Crawl.Points {
		share := float64(point) / 100
		topic, permuted := logs[1].Until(share).Figures(), logs[2].Until(share).Figures()
		times := topic.Pages.Micro / permuted.Pages.Micro
		t.Add(fmt.Sprint(point), draw.Percent(topic.Pages.Micro), draw.Percent(permuted.Pages.Micro),
			draw.Number(times, 2),
			yes(times >= l.Want.OverPermuted), draw.Number(topic.Fetched, 2), draw.Number(topic.Held, 2),
			yes(topic.Fetched <= l.Want.Load && topic.Held <= l.Want.Load))
	}
	c.Table(t)
	two := &draw.Table{Name: name + "-two",
		Title:   fmt.Sprintf("At least %.0f %% of the URLs by at most two crawlers, along %s", 100*l.Want.Two, name),
		Columns: []string{"partition", "up to % crawled"}}
	for i := range 2 {
		two.Add(ways[i].Name, fmt.Sprint(l.upTo(logs[i])))
	}
	c.Table(two)
}

func yes(holds bool) string {
	if holds {
		return "yes"
	}
	return "no"
}

// upTo is up to how many per cent crawled enough of the URLs are fetched by at most two crawlers.
func (l *lab) upTo(log *sim.Log) int {
	for percent := 1; percent <= 100; percent++ {
		if f := log.Until(float64(percent) / 100).Figures(); f.AtMost(2) < l.Want.Two {
			return percent - 1
		}
	}
	return 100
}

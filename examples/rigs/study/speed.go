package main

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
)

// speed measures how many pages a second one processor classifies (thesis 4.3.3), from the bytes of
// the page to language and topic.
func speed(l *lab, c *results.Chapter) error {
	w, err := l.laws()
	if err != nil {
		return err
	}
	var pages []*sets.Sample
	size := 0
	for i := range w.Whole {
		if len(pages) < l.Comparison.SpeedPages && w.Whole[i].Fold == sets.Test {
			pages = append(pages, &w.Whole[i])
			size += len(w.Whole[i].Body)
		}
	}
	t := &draw.Table{Name: "speed", Title: "Pages a second and processor",
		Note: fmt.Sprintf("%d pages of law16 as they are served, %.1f KB each in the mean; time of the processor, "+
			"the best of three rounds.",
			len(pages), float64(size)/float64(len(pages))/1000),
		Columns: strings.Split("what is done|pages/s|MB/s|pages of 10 KB/s", "|")}
	add := func(name string, do func(*classify.Document)) {
		seconds := fastest(3, pages, do)
		t.Add(name, draw.Number(float64(len(pages))/seconds, 0), draw.Number(float64(size)/seconds/1e6, 0),
			draw.Number(float64(size)/seconds/10e3, 0))
	}
	add("HTML to terms", func(*classify.Document) {})
	english, err := language.NewTwoStep(false)
	if err != nil {
		return err
	}
	add("and English or not, in two steps", func(d *classify.Document) { english.Identify(d) })
	methods, err := l.methods()
	if err != nil {
		return err
	}
	for _, m := range methods {
		model, err := learn(w.Whole, w.trained, m.options)
		if err != nil {
			return err
		}
		var r classify.Ranking
		add(fmt.Sprintf("and its topic: %s (%d terms)", m.name, model.Terms()), func(d *classify.Document) {
			english.Identify(d)
			model.Classify(d, &r)
		})
	}
	c.Table(t)
	return nil
}

// fastest is the seconds of processor that the fastest of some rounds over the pages took.
func fastest(rounds int, pages []*sets.Sample, do func(*classify.Document)) float64 {
	var splitter terms.Splitter
	var d classify.Document
	best := time.Duration(1 << 62)
	for range rounds {
		began := used()
		for _, p := range pages {
			do(p.Document(&d, &splitter))
		}
		best = min(best, used()-began)
	}
	return best.Seconds()
}

// used is the time of processors that this process has taken.
func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

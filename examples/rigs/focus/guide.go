package main

import (
	"fmt"
	"math"

	"multitext/classify"
	"multitext/classify/terms"
	"multitext/classify/topics"
	"multitext/examples/rigs/internal/sets"
)

// A guide is what classifiers make of the pages of a field. Each page is judged by one that has learned
// from pages of the other folds alone.
type guide struct {
	tree  *topics.Tree
	pages []*topics.Judgement
}

// learn trains a model for each fold of some samples, all of which have one, and judges the samples of that
// fold. Labels are topics of the tree.
func learn(samples []sets.Sample, tree *topics.Tree, o classify.Options) (*guide, error) {
	g := &guide{tree: tree, pages: make([]*topics.Judgement, len(samples))}
	var splitter terms.Splitter
	var d classify.Document
	for _, fold := range foldsOf(samples) {
		var t classify.Training
		for i := range samples {
			if samples[i].Fold != fold {
				if err := t.Add(samples[i].Label, samples[i].Document(&d, &splitter)); err != nil {
					return nil, fmt.Errorf("learn from %s: %w", samples[i].Name, err)
				}
			}
		}
		m, err := topics.Train(&t, tree, o)
		if err != nil {
			return nil, fmt.Errorf("train the guide of the fold %s: %w", fold, err)
		}
		for i := range samples {
			if samples[i].Fold != fold {
				continue
			}
			g.pages[i] = &topics.Judgement{}
			m.Judge(samples[i].Document(&d, &splitter), g.pages[i])
		}
	}
	return g, nil
}

// foldsOf are the folds of samples, as they come first.
func foldsOf(samples []sets.Sample) (folds []string) {
	met := map[string]bool{}
	for i := range samples {
		if f := samples[i].Fold; !met[f] {
			met[f] = true
			folds = append(folds, f)
		}
	}
	return folds
}

// part is the guide of some of the pages.
func (g *guide) part(pages []int) *guide {
	some := &guide{tree: g.tree}
	for _, page := range pages {
		some.pages = append(some.pages, g.pages[page])
	}
	return some
}

// relevance is R of each page, for one good topic.
func (g *guide) relevance(good int) []float64 {
	r := make([]float64, len(g.pages))
	for i, p := range g.pages {
		r[i] = p.Relevance([]int{good})
	}
	return r
}

// within tells of each page whether its best topic is good, or below a good one.
func (g *guide) within(good int) []bool {
	is := make([]bool, len(g.pages))
	for i, p := range g.pages {
		is[i] = p.Wanted([]int{good})
	}
	return is
}

// A fit is how well R tells wanted pages from others.
type fit struct{ right, precision, recall float64 }

// fitOf is that of R above a half.
func fitOf(r []float64, wanted []bool) fit {
	var both, said, are, right float64
	for i, is := range wanted {
		if says := r[i] > 0.5; says == is {
			right++
		}
		if is {
			are++
		}
		if r[i] > 0.5 {
			said++
			if is {
				both++
			}
		}
	}
	share := func(a, b float64) float64 {
		if b == 0 {
			return math.NaN()
		}
		return a / b
	}
	return fit{right / float64(len(wanted)), share(both, said), share(both, are)}
}

package main

import (
	"multitext/classify"
	"multitext/classify/terms"
	"multitext/examples/rigs/internal/sets"
)

// A lab is what the experiments share.
type lab struct {
	parameters
	draw               int // which one is made; the first where there is one alone
	data, pages, words string
	bin, example       string                // of the crawl's programs, and its folder
	read               *collection           // law16, once it is needed
	judged             map[string]*judgement // by set and method
}

// A collection is pages to crawl, and what a classifier makes of them.
type collection struct {
	*sets.Law
	titles      []string // the labels, in the order of their crawlers
	inURL       bool     // the label stands in the URL
	trained     []bool   // by page: the classifiers have learned from it
	terms       []int    // of the main part of each page
	empty       int      // pages without text
	main, whole verdicts // of the classifier that reads the main part, and the whole, of pages
}

// verdicts are a label for each page, and how sure the classifier is of it.
type verdicts struct {
	labels []string
	sure   []float64
}

// laws reads law16 and trains the two classifiers on it.
func (l *lab) laws() (*collection, error) {
	if l.read != nil {
		return l.read, nil
	}
	set, err := sets.Law16(l.data)
	if err != nil {
		return nil, err
	}
	w := &collection{Law: set, titles: set.Cited.Labels(), inURL: true, trained: set.Trained(l.Law16.Train)}
	method, err := classify.MethodNamed(l.Law16.Classifier)
	if err != nil {
		return nil, err
	}
	options := classify.Options{Method: method, MinDocuments: l.Comparison.MinDocuments}
	if w.main, err = classifyAll(set.Samples, w.trained, options); err != nil {
		return nil, err
	}
	if w.whole, err = classifyAll(set.Whole, w.trained, options); err != nil {
		return nil, err
	}
	var splitter terms.Splitter
	var d classify.Document
	for i := range set.Samples {
		w.terms = append(w.terms, set.Samples[i].Document(&d, &splitter).Total())
		if w.terms[i] < l.Law16.Terms { // it has no text, so it stays with whoever fetches it
			w.main.labels[i], w.whole.labels[i] = "", ""
			w.empty++
		}
	}
	l.read = w
	return w, nil
}

// roles are the set webkb as a collection: its labels are roles of pages, no topics, but it has
// many hosts. Every page has the label that the classifier trained on the other universities gives
// it.
func (l *lab) roles() (*collection, error) {
	set, err := sets.WebKB(l.data, false)
	if err != nil {
		return nil, err
	}
	methods, err := l.methods()
	if err != nil {
		return nil, err
	}
	j, err := l.judge(trial{set, set.Name, nil}, methods[0])
	if err != nil {
		return nil, err
	}
	labels := verdicts{labels: j.labels}
	return &collection{Law: &sets.Law{Set: *set, Cited: set.Web, Whole: set.Samples}, titles: set.Web.Labels(),
		trained: make([]bool, len(set.Samples)),
		main:    labels, whole: labels}, nil
}

// decided are the labels of the classifier that counts.
func (l *lab) decided(w *collection) verdicts {
	if l.Law16.Text == "whole" {
		return w.whole
	}
	return w.main
}

// classifyAll trains on some of the samples and classifies all.
func classifyAll(samples []sets.Sample, train []bool, o classify.Options) (v verdicts, err error) {
	model, err := learn(samples, train, o)
	if err != nil {
		return v, err
	}
	var splitter terms.Splitter
	var d classify.Document
	var r classify.Ranking
	for i := range samples {
		model.Classify(samples[i].Document(&d, &splitter), &r)
		v.labels, v.sure = append(v.labels, r.Topics[0].Label), append(v.sure, r.Topics[0].Confidence)
	}
	return v, nil
}

// learn trains on the samples that train says.
func learn(samples []sets.Sample, train []bool, o classify.Options) (*classify.Model, error) {
	var splitter terms.Splitter
	var d classify.Document
	var t classify.Training
	for i := range samples {
		if train[i] {
			if err := t.Add(samples[i].Label, samples[i].Document(&d, &splitter)); err != nil {
				return nil, err
			}
		}
	}
	return classify.Train(&t, o)
}

package main

import (
	"multitext/classify"
	"multitext/classify/terms"
	"multitext/examples/c4/experiment/internal/sets"
)

// A lab is what the experiments share.
type lab struct {
	parameters
	data, pages, words string
	read               *laws                 // once it is needed
	judged             map[string]*judgement // by set and method
}

// laws are the set law16, and what a classifier makes of its pages.
type laws struct {
	*sets.Law
	titles      []string // in the order of their crawlers
	trained     []bool   // by page: the classifiers have learned from it
	terms       []int    // of the main part of each page
	main, whole verdicts // of the classifier that reads the main part, and the whole, of pages
}

// verdicts are a label for each page, and how sure the classifier is of it.
type verdicts struct {
	labels []string
	sure   []float64
}

// laws reads law16 and trains the two classifiers on it.
func (l *lab) laws() (*laws, error) {
	if l.read != nil {
		return l.read, nil
	}
	set, err := sets.Law16(l.data)
	if err != nil {
		return nil, err
	}
	w := &laws{Law: set, titles: set.Cited.Labels(), trained: set.Trained(l.Law16.Train)}
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
	}
	l.read = w
	return w, nil
}

// decided are the labels of the classifier that counts.
func (l *lab) decided(w *laws) verdicts {
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

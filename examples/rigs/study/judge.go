package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"multitext/classify"
	"multitext/classify/terms"
	"multitext/examples/rigs/internal/sets"
)

// A trial is a set of samples on which classifiers are tried.
type trial struct {
	*sets.Set
	name  string
	train []bool // what is trained on; nil: all folds but that which is judged
}

// trials are the labelled sets.
func (l *lab) trials() ([]trial, error) {
	var all []trial
	for _, read := range []func() (*sets.Set, error){
		func() (*sets.Set, error) { return sets.Newsgroups(l.data) },
		func() (*sets.Set, error) { return sets.BBC(l.data) },
		func() (*sets.Set, error) { return sets.WebKB(l.data, true) },
		func() (*sets.Set, error) { return sets.WebKB(l.data, false) },
	} {
		s, err := read()
		if err != nil {
			return nil, err
		}
		all = append(all, trial{Set: s, name: s.Name})
	}
	w, err := l.laws()
	if err != nil {
		return nil, err
	}
	whole := w.Set
	whole.Samples = w.Whole
	return append(all, trial{&w.Set, "law16, main part", w.trained}, trial{&whole, "law16, whole pages", w.trained}),
		nil
}

// A judgement is what a classifier has made of samples that it was not trained on.
type judgement struct {
	classify.Confusion
	labels []string // by sample; "": not judged
}

// permuted is the trial with the labels of what is trained on dealt out anew: the red control.
func (t trial) permuted(random *rand.Rand) trial {
	set := *t.Set
	set.Samples = slices.Clone(t.Samples)
	var at []int
	for i := range set.Samples {
		if f := set.Samples[i].Fold; f != "" && (t.train == nil && f != sets.Test || t.train != nil && t.train[i]) {
			at = append(at, i)
		}
	}
	for i, j := range random.Perm(len(at)) {
		set.Samples[at[i]].Label = t.Samples[at[j]].Label
	}
	return trial{&set, t.name + ", labels permuted", t.train}
}

// judge trains on all folds but one and judges that one, for each fold that is to be judged. It
// remembers what came of it.
func (l *lab) judge(t trial, m method) (*judgement, error) {
	key := t.name + "\x00" + m.name
	if j := l.judged[key]; j != nil {
		return j, nil
	}
	j := &judgement{labels: make([]string, len(t.Samples))}
	var splitter terms.Splitter
	var d classify.Document
	var r classify.Ranking
	for _, fold := range t.Folds() {
		train := t.train
		if train == nil {
			for i := range t.Samples {
				train = append(train, t.Samples[i].Fold != "" && t.Samples[i].Fold != fold)
			}
		}
		model, err := learn(t.Samples, train, m.options)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", m.name, t.name, err)
		}
		for i := range t.Samples {
			if t.Samples[i].Fold == fold {
				model.Classify(t.Samples[i].Document(&d, &splitter), &r)
				j.Add(t.Samples[i].Label, &r)
				j.labels[i] = r.Topics[0].Label
			}
		}
	}
	if l.judged == nil {
		l.judged = make(map[string]*judgement)
	}
	l.judged[key] = j
	return j, nil
}

// A method is a way to train a classifier.
type method struct {
	name    string
	options classify.Options
}

// methods are those of the parameters; Lewis' a second time with chosen terms.
func (l *lab) methods() (all []method, err error) {
	for _, name := range l.Comparison.Methods {
		m, err := classify.MethodNamed(name)
		if err != nil {
			return nil, err
		}
		o := classify.Options{Method: m, MinDocuments: l.Comparison.MinDocuments}
		all = append(all, method{name, o})
		if name == "lewis" {
			o.Terms = l.Comparison.LewisTerms
			all = append(all, method{fmt.Sprintf("lewis, %d terms", o.Terms), o})
		}
	}
	return all, nil
}

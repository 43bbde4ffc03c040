package classify

import (
	"errors"
	"fmt"
)

// Options say how to train. The zero value is naive Bayes over all terms.
type Options struct {
	Method       Method    // nil: NaiveBayes{Smoothing: 1}
	Select       Selection // how terms are chosen, by SelectionNamed; nil: chi2
	Terms        int       // keep so many terms at most; 0: all
	MinDocuments int       // leave out terms that fewer documents have
}

// A Method learns bias, scale and weights from documents. How its scores decide stands in the
// package comment.
type Method interface {
	// Name is a short word that the model file keeps.
	Name() string
	// fit learns from documents; labels have one each at least.
	fit(*corpus) fitted
}

// fitted is what a method has learned. Weights are for x(t), that is, after scale.
type fitted struct {
	value  value
	weight table
	scale  []float64 // of each term; nil: 1 for all
	bias   []float64 // of each label; nil: 0 for all
}

// Methods are the five, with the parameters that are sensible where nothing else is known.
func Methods() []Method {
	return []Method{NaiveBayes{Smoothing: 1}, Lewis{}, Rocchio{}, Complement{Smoothing: 0.1}, Linear{Cost: 1}}
}

// MethodNamed finds one of Methods by its name.
func MethodNamed(name string) (Method, error) {
	var names []string
	for _, m := range Methods() {
		if m.Name() == name {
			return m, nil
		}
		names = append(names, m.Name())
	}
	return nil, fmt.Errorf("method %q is none of %q", name, names)
}

// Train learns a model from t. The model has every label of t and the terms that o chooses.
func Train(t *Training, o Options) (*Model, error) {
	if len(t.labels) == 0 {
		return nil, errors.New("train: no document to learn from")
	}
	if o.Method == nil {
		o.Method = NaiveBayes{Smoothing: 1}
	}
	if o.Select == nil {
		o.Select = chiSquare
	}
	c := t.corpus().choose(o.Select, o.Terms, max(o.MinDocuments, 1))
	m, err := newModel(o.Method.Name(), c, o.Method.fit(c))
	if err != nil {
		return nil, fmt.Errorf("train %s: %w", o.Method.Name(), err)
	}
	if m.sharpness, err = sharpness(c, o.Method); err != nil {
		return nil, fmt.Errorf("train %s: %w", o.Method.Name(), err)
	}
	return m, nil
}

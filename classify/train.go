package classify

import (
	"errors"
	"fmt"
)

// Options contains the parameters of training. The zero value is naive Bayes with all terms.
type Options struct {
	Method       Method    // nil: NaiveBayes{Smoothing: 1}
	Select       Selection // the selection of terms, see SelectionNamed; nil: chi2
	Terms        int       // the maximum number of terms; 0: all
	MinDocuments int       // drop terms that fewer documents contain
}

// A Method learns bias, scale and weights from documents. The package comment explains how they
// determine the scores.
type Method interface {
	// Name returns a short word that is stored in the model file.
	Name() string
	// fit learns from documents. Each label has at least one document.
	fit(*corpus) fitted
}

// fitted is what a method has learned. The weights are to be multiplied by x(t), which includes
// scale.
type fitted struct {
	value  value
	weight table
	scale  []float64 // one for each term; nil: 1 for all
	bias   []float64 // one for each label; nil: 0 for all
}

// Methods returns the five methods, with default parameters.
func Methods() []Method {
	return []Method{NaiveBayes{Smoothing: 1}, Lewis{}, Rocchio{}, Complement{Smoothing: 0.1}, Linear{Cost: 1}}
}

// MethodNamed returns one of Methods by its name.
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

// Train trains a model on t. The model has every label of t, and the terms that o selects.
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

package classify

import (
	"errors"
	"math"
	"slices"

	"multitext/classify/internal/index"
	"multitext/classify/terms"
)

// A Model assigns labels to documents. It never changes, so any number of goroutines may use it at
// once.
type Model struct {
	method    string
	labels    []string // ascending
	terms     []string // ascending
	value     value
	sharpness float64
	scale     []float32
	bias      []float32
	weight    []float32 // len(labels) for each term

	index index.Index // hash of a term → its position
}

// Method returns the name of the method with which the model was trained.
func (m *Model) Method() string { return m.method }

// Labels returns the labels that the model can assign, sorted by bytes. The caller must not change
// the slice.
func (m *Model) Labels() []string { return m.labels }

// Terms returns the number of terms that the model knows.
func (m *Model) Terms() int { return len(m.terms) }

// A value is the function f(n): the value of n occurrences of a term.
type value uint32

const (
	byCount value = iota
	byPresence
	byLog
)

func (v value) of(n uint32) float64 {
	switch v {
	case byPresence:
		return min(float64(n), 1)
	case byLog:
		return math.Log1p(float64(n))
	}
	return float64(n)
}

// newModel converts what a method has learned to single-precision floats. It shifts each row to a
// mean of 0.
func newModel(method string, c *corpus, f fitted) (*Model, error) {
	m := &Model{method: method, labels: c.labels, terms: c.terms, value: f.value, sharpness: 1}
	m.scale = slices.Repeat([]float32{1}, len(c.terms))
	for t, x := range f.scale {
		m.scale[t] = float32(x)
	}
	m.bias = make([]float32, len(c.labels))
	if f.bias != nil {
		m.bias = centred(nil, f.bias)
	}
	m.weight = make([]float32, 0, len(f.weight.cells))
	for t := range c.terms {
		m.weight = centred(m.weight, f.weight.row(t))
	}
	return m, m.prepare()
}

// centred appends row minus its mean to to.
func centred(to []float32, row []float64) []float32 {
	mean := sum(row) / float64(len(row))
	for _, x := range row {
		to = append(to, float32(x-mean))
	}
	return to
}

// largest is the maximum of scales, biases and weights, so that no page, however long, makes a
// score infinite.
const largest = 1e9

// prepare checks the numbers and computes the fields that are not in the file.
func (m *Model) prepare() error {
	for _, xs := range [][]float32{m.scale, m.bias, m.weight} {
		for _, x := range xs {
			if !(x >= -largest && x <= largest) { // also true for NaN
				return errors.New("a weight is out of bounds")
			}
		}
	}
	for t, term := range m.terms {
		if _, added := m.index.Put(terms.Hash([]byte(term)), uint32(t)); !added {
			return errors.New("two terms have the same hash")
		}
	}
	return nil
}

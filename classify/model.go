package classify

import (
	"errors"
	"math"
	"slices"

	"multitext/classify/internal/index"
	"multitext/classify/terms"
)

// A Model gives documents their labels. It never changes, and any number of goroutines may use
// it at once.
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

// Method is the name of the method that the model was trained by.
func (m *Model) Method() string { return m.method }

// Labels are what documents may be given, in order of bytes. The slice is the model's own.
func (m *Model) Labels() []string { return m.labels }

// Terms is the number of terms that the model knows.
func (m *Model) Terms() int { return len(m.terms) }

// A value is f(n): what n occurrences of a term are worth.
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

// newModel rounds what a method has learned to single floats, each row moved to a mean of 0.
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

// centred appends row, less its mean, to to.
func centred(to []float32, row []float64) []float32 {
	mean := sum(row) / float64(len(row))
	for _, x := range row {
		to = append(to, float32(x-mean))
	}
	return to
}

// largest bounds scales, biases and weights, so that no page, however long, makes a score
// infinite.
const largest = 1e9

// prepare checks the numbers and makes what is not in the file.
func (m *Model) prepare() error {
	for _, xs := range [][]float32{m.scale, m.bias, m.weight} {
		for _, x := range xs {
			if !(x >= -largest && x <= largest) { // NaN, too
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

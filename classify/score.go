package classify

import (
	"math"
	"slices"
)

// known appends the terms of d that the model knows.
func (m *Model) known(to []cell, d *Document) []cell {
	for i := range d.Len() {
		hash, count := d.Hashed(i)
		if t, ok := m.index.Find(hash); ok {
			to = append(to, cell{t, count})
		}
	}
	return to
}

// x returns the value x(t) of a document's term.
func (m *Model) x(c cell) float64 { return m.value.of(c.count) * float64(m.scale[c.term]) }

// score computes the score of each label for a document with these terms, in the order of the
// labels. It returns ‖x‖.
func (m *Model) score(terms []cell, scores []float64) (length float64) {
	for label, b := range m.bias {
		scores[label] = float64(b)
	}
	squares := 0.0
	for _, c := range terms {
		x := m.x(c)
		squares += x * x
		for label, w := range m.row(c.term) {
			scores[label] += x * float64(w)
		}
	}
	if squares == 0 {
		return 1
	}
	length = math.Sqrt(squares)
	for label := range scores {
		scores[label] /= length
	}
	return length
}

// row returns the weights of a term, one for each label.
func (m *Model) row(term uint32) []float32 { return m.weight[int(term)*len(m.labels):][:len(m.labels)] }

// softmax writes exp(sharpness·score), divided by the sum over all scores, to p.
func softmax(p, scores []float64, sharpness float64) {
	top, total := slices.Max(scores), 0.0
	for c, s := range scores {
		p[c] = math.Exp(sharpness * (s - top))
		total += p[c]
	}
	for c := range p {
		p[c] /= total
	}
}

package classify

import (
	"cmp"
	"math"
	"slices"
)

// A Ranking is what a model says of a document. Its zero value is ready; one that is used again
// keeps its memory, so that classifying allocates nothing.
type Ranking struct {
	Topics []Topic // all labels of the model, the best first
	Known  int     // how many different terms of the document the model knows

	sums []float32
}

// A Topic is a label with what speaks for it.
type Topic struct {
	Label      string
	Score      float64 // as in the package comment; comparable between labels of one document
	Confidence float64 // 0 to 1; those of a document add up to 1

	order int
}

// Classify ranks all labels for d into r. A document without a known term has the highest bias
// first, if the method has any, and else all labels equal.
func (m *Model) Classify(d *Document, r *Ranking) {
	if cap(r.sums) < len(m.labels) {
		r.sums = make([]float32, len(m.labels))
		r.Topics = make([]Topic, len(m.labels))
	}
	r.sums, r.Topics = r.sums[:len(m.labels)], r.Topics[:len(m.labels)]
	length, known := m.score(d, r.sums)
	r.Known = known
	for c, s := range r.sums {
		r.Topics[c] = Topic{Label: m.labels[c], Score: float64(s) / length, order: c}
	}
	slices.SortFunc(r.Topics, func(a, b Topic) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.order, b.order))
	})
	total := 0.0
	for i := range r.Topics {
		p := math.Exp(m.sharpness * (r.Topics[i].Score - r.Topics[0].Score))
		r.Topics[i].Confidence = p
		total += p
	}
	for i := range r.Topics {
		r.Topics[i].Confidence /= total
	}
}

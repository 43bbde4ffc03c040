package classify

import (
	"cmp"
	"math"
	"slices"

	"multitext/classify/terms"
)

// A Document is the input of a classifier: the bag of a page's terms.
type Document = terms.Document

// A Ranking is the result of classifying a document. Its zero value is ready to use. Reusing a
// Ranking reuses its memory, so classifying allocates nothing.
type Ranking struct {
	Topics []Topic // all labels of the model, the best first
	Known  int     // number of different terms of the document that the model knows

	terms              []cell // the known terms
	scores, confidence []float64
	length             float64 // ‖x‖
	sharpness          float64 // of the model
}

// A Topic is a label with its score.
type Topic struct {
	Label      string
	Score      float64 // see the package comment; scores of the labels of one document are comparable
	Confidence float64 // 0 to 1; the sum over a document's labels is 1

	order int
}

// Classify ranks all labels for d into r. For a document without known terms, the label with the
// highest bias is first if the method has biases; otherwise all labels are equal.
func (m *Model) Classify(d *Document, r *Ranking) {
	n := len(m.labels)
	r.Topics = slices.Grow(r.Topics[:0], n)[:n]
	r.scores, r.confidence = slices.Grow(r.scores[:0], n)[:n], slices.Grow(r.confidence[:0], n)[:n]
	r.terms = m.known(r.terms[:0], d)
	r.Known, r.sharpness = len(r.terms), m.sharpness
	r.length = m.score(r.terms, r.scores)
	softmax(r.confidence, r.scores, m.sharpness)
	for c, label := range m.labels {
		r.Topics[c] = Topic{label, r.scores[c], r.confidence[c], c}
	}
	slices.SortFunc(r.Topics, func(a, b Topic) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.order, b.order))
	})
}

// Logs appends the natural logarithm of each label's confidence to to, in the order of
// Model.Labels. It is finite where the confidence itself is too small for a float64.
func (r *Ranking) Logs(to []float64) []float64 {
	top, total := slices.Max(r.scores), 0.0
	for _, s := range r.scores {
		total += math.Exp(r.sharpness * (s - top))
	}
	for _, s := range r.scores {
		to = append(to, r.sharpness*(s-top)-math.Log(total))
	}
	return to
}

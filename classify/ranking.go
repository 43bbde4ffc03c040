package classify

import (
	"cmp"
	"slices"

	"multitext/classify/terms"
)

// A Document is what is classified: the bag of a page's terms.
type Document = terms.Document

// A Ranking is what a model says of a document. Its zero value is ready; one that is used again
// keeps its memory, so that classifying allocates nothing.
type Ranking struct {
	Topics []Topic // all labels of the model, the best first
	Known  int     // how many different terms of the document the model knows

	terms              []cell // those that are known
	scores, confidence []float64
	length             float64 // ‖x‖
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
	n := len(m.labels)
	r.Topics = slices.Grow(r.Topics[:0], n)[:n]
	r.scores, r.confidence = slices.Grow(r.scores[:0], n)[:n], slices.Grow(r.confidence[:0], n)[:n]
	r.terms = m.known(r.terms[:0], d)
	r.Known = len(r.terms)
	r.length = m.score(r.terms, r.scores)
	softmax(r.confidence, r.scores, m.sharpness)
	for c, label := range m.labels {
		r.Topics[c] = Topic{label, r.scores[c], r.confidence[c], c}
	}
	slices.SortFunc(r.Topics, func(a, b Topic) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.order, b.order))
	})
}

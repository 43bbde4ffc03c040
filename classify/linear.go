package classify

import (
	"math"
	"math/rand/v2"
)

// Linear is a linear support vector machine, one label against the rest, on vectors of
// log(1+n)·IDF of length 1, without bias. For each label it computes the w that minimizes
//
//	½ w·w + Cost · Σ max(0, 1 − y·w·x)²        y = 1 for documents of the label, else −1
//
// by dual coordinate descent: Hsieh, Chang, Lin, Keerthi and Sundararajan, "A Dual Coordinate
// Descent Method for Large-scale Linear SVM" (2008), algorithm 1 with the L2 loss. Each pass visits
// the documents in a new random order. The random numbers have a fixed seed, so training is
// repeatable. This method is today's baseline: if the vocabulary determines the label, few methods
// are better.
type Linear struct {
	Cost float64 // the weight of an error; 1 is usual
}

// Name returns "linear".
func (Linear) Name() string { return "linear" }

// The training of a label ends when in a whole pass no document has a gradient of more than enough,
// or after maxPasses.
const (
	enough    = 0.1
	maxPasses = 100
)

func (m Linear) fit(c *corpus) fitted {
	idf := inverse(c, c.count())
	vectors := make([][]float64, len(c.docs))
	for i, d := range c.docs {
		vectors[i] = unit(d.terms, idf)
	}
	weight := newTable(len(c.terms), len(c.labels))
	for label := range c.labels {
		for t, w := range m.separate(c, vectors, label) {
			weight.row(t)[label] = w
		}
	}
	return fitted{value: byLog, weight: weight, scale: idf}
}

// separate computes w for one label.
func (m Linear) separate(c *corpus, vectors [][]float64, label int) []float64 {
	w, dual := make([]float64, len(c.terms)), make([]float64, len(c.docs))
	random := rand.New(rand.NewPCG(1, uint64(label)))
	for range maxPasses {
		worst := 0.0
		for _, i := range random.Perm(len(c.docs)) {
			terms, v := c.docs[i].terms, vectors[i]
			y := -1.0
			if c.docs[i].label == label {
				y = 1
			}
			margin, length := 0.0, 0.0
			for j, x := range terms {
				margin += v[j] * w[x.term]
				length += v[j] * v[j]
			}
			gradient := y*margin - 1 + dual[i]/(2*m.Cost)
			if dual[i] == 0 && gradient >= 0 {
				continue
			}
			worst = max(worst, math.Abs(gradient))
			moved := max(dual[i]-gradient/(length+1/(2*m.Cost)), 0)
			step := (moved - dual[i]) * y
			dual[i] = moved
			for j, x := range terms {
				w[x.term] += step * v[j]
			}
		}
		if worst < enough {
			break
		}
	}
	return w
}

package classify

import (
	"fmt"
	"math"
)

// heldOut determines how many documents calibration holds out: one of this many documents of a
// label.
const heldOut = 4

// sharpness fits the number that converts scores of method into confidence. It trains a model on
// three of four documents, and chooses the sharpness with the smallest error on the others. The
// terms were chosen with all documents, which makes little difference. If no document can be held
// out, the sharpness is 1.
func sharpness(c *corpus, method Method) (float64, error) {
	learn, judge := split(c)
	if len(judge) == 0 {
		return 1, nil
	}
	m, err := newModel(method.Name(), learn, method.fit(learn))
	if err != nil {
		return 0, fmt.Errorf("to calibrate its confidence: %w", err)
	}
	scores := make([][]float64, len(judge))
	for i, e := range judge {
		scores[i] = make([]float64, len(c.labels))
		m.score(e.terms, scores[i])
	}
	// The search covers e^-10 to e^25, because the methods have scores of very different sizes.
	return math.Exp(lowest(-10, 25, func(x float64) float64 {
		return wrong(scores, judge, math.Exp(x))
	})), nil
}

// split holds out every fourth document of each label.
func split(c *corpus) (learn *corpus, judge []example) {
	learn = &corpus{labels: c.labels, terms: c.terms}
	seen := make([]int, len(c.labels))
	for _, d := range c.docs {
		seen[d.label]++
		if seen[d.label]%heldOut == 0 {
			judge = append(judge, d)
		} else {
			learn.docs = append(learn.docs, d)
		}
	}
	return learn, judge
}

// wrong returns Brier's score of the confidence that a sharpness yields: for each document the sum
// over the labels of (confidence − truth)², where truth is 1 for its own label and 0 for the
// others. One document adds at most 2. The likelihood would be dominated by the few documents about
// which a naive method is almost certain and wrong.
func wrong(scores [][]float64, docs []example, sharpness float64) float64 {
	total, confidence := 0.0, make([]float64, len(scores[0]))
	for i, s := range scores {
		softmax(confidence, s, sharpness)
		for c, p := range confidence {
			if c == docs[i].label {
				p--
			}
			total += p * p
		}
	}
	return total
}

// lowest finds the minimum of f between a and b. It first uses steps of 1, because f may have more
// than one local minimum, and then smaller steps around the best of them.
func lowest(a, b float64, f func(float64) float64) float64 {
	best, least := a, f(a)
	for step := 1.0; step > 1e-4; step /= 8 {
		for x := a; x <= b; x += step {
			if here := f(x); here < least {
				best, least = x, here
			}
		}
		a, b = best-step, best+step
	}
	return best
}

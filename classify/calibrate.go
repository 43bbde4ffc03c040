package classify

import (
	"fmt"
	"math"
)

// heldOut is how many documents of a label there are for each one that calibration holds out.
const heldOut = 4

// sharpness fits the number that turns scores of method into confidence. A model is trained on
// three documents of four, and the sharpness sought under which it is the least wrong about
// the others. The terms were chosen with all of them, which makes little difference. Where no
// document can be held out it is 1.
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
	// From e^-10 to e^25: scores differ as much as the methods.
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

// wrong is Brier's score of the confidence that a sharpness gives: for each document the sum over
// the labels of (confidence − truth)², truth being 1 for its own label and 0 for the others.
// One document adds 2 at most. The likelihood would be ruled by the few that a naive method is
// quite sure of and wrong about.
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

// lowest finds where f is lowest between a and b: first among steps of 1, as f may have more than
// one valley, then by smaller steps around the best of them.
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

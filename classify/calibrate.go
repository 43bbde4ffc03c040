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
	var scores [][]float64
	for _, e := range judge {
		scores = append(scores, m.scores(e))
	}
	// From e^-10 to e^25: scores are as different as the methods.
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

// scores are those of a document for each label, in order of the labels.
func (m *Model) scores(e example) []float64 {
	all := make([]float64, len(m.labels))
	for c, b := range m.bias {
		all[c] = float64(b)
	}
	squares := 0.0
	for _, cell := range e.terms {
		x := float64(m.x(cell.term, cell.count))
		squares += x * x
		for c := range all {
			all[c] += x * float64(m.weight[int(cell.term)*len(all)+c])
		}
	}
	if squares > 0 {
		for c := range all {
			all[c] /= math.Sqrt(squares)
		}
	}
	return all
}

// wrong is Brier's score of the confidence that a sharpness gives: for each document the sum over
// the labels of (confidence − truth)², truth being 1 for its own label and 0 for the others.
// One document adds 2 at most. The likelihood would be ruled by the few that a naive method is
// quite sure of and wrong about.
func wrong(scores [][]float64, docs []example, sharpness float64) float64 {
	total := 0.0
	for i, s := range scores {
		confidence := softmax(s, sharpness)
		for c, p := range confidence {
			if c == docs[i].label {
				p--
			}
			total += p * p
		}
	}
	return total
}

// softmax gives exp(sharpness·score) for each score, over the sum of all.
func softmax(scores []float64, sharpness float64) []float64 {
	top, total := scores[0], 0.0
	for _, s := range scores {
		top = max(top, s)
	}
	p := make([]float64, len(scores))
	for c, s := range scores {
		p[c] = math.Exp(sharpness * (s - top))
		total += p[c]
	}
	for c := range p {
		p[c] /= total
	}
	return p
}

// lowest finds where f is lowest between the whole numbers a and b: first among whole numbers,
// as f may have more than one valley, then around the best of them by golden sections.
func lowest(a, b int, f func(float64) float64) float64 {
	best, least := a, f(float64(a))
	for n := a + 1; n <= b; n++ {
		if here := f(float64(n)); here < least {
			best, least = n, here
		}
	}
	return golden(float64(best-1), float64(best+1), f)
}

// golden finds where f, which falls and then rises between a and b, is lowest.
func golden(a, b float64, f func(float64) float64) float64 {
	const ratio = 0.6180339887498949
	x, y := b-ratio*(b-a), a+ratio*(b-a)
	fx, fy := f(x), f(y)
	for range 20 {
		if fx <= fy {
			b, y, fy = y, x, fx
			x = b - ratio*(b-a)
			fx = f(x)
		} else {
			a, x, fx = x, y, fy
			y = a + ratio*(b-a)
			fy = f(y)
		}
	}
	return (a + b) / 2
}

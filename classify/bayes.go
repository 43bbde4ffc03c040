package classify

import "math"

// NaiveBayes is the multinomial naive Bayes classifier, which the thesis chose for its
// crawlers (4.1.4, 4.3.4). A label's score is the logarithm of a probability: that of getting
// this document by drawing terms at random from the label's training documents (McCallum and Nigam,
// "A Comparison of Event Models for Naive Bayes Text Classification", 1998, equations 5 and 6):
//
//	weight(t,c) = log P(t|c)
//	P(t|c)      = (occurrences of t under c + λ) / (all occurrences under c + λ·|V|)
//
// |V| is the number of terms of the model. The thesis does not say how it treats terms that
// never occur under a label. McCallum and Nigam use Laplace's λ = 1.
type NaiveBayes struct {
	Smoothing float64 // λ, positive: 1 is Laplace's; a smaller one is Lidstone's
}

// Name returns "bayes".
func (NaiveBayes) Name() string { return "bayes" }

func (m NaiveBayes) fit(c *corpus) fitted {
	weight := c.count().occur
	all := weight.sums()
	for t := range c.terms {
		row := weight.row(t)
		for l := range row {
			row[l] = math.Log((row[l] + m.Smoothing) / (all[l] + m.Smoothing*float64(len(c.terms))))
		}
	}
	return fitted{value: byCount, weight: weight}
}

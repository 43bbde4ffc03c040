package classify

import "math"

// Lewis is the probabilistic classifier of D. Lewis, "An Evaluation of Phrasal and Clustered
// Representations on a Text Categorization Task" (1992), after Fuhr, as the thesis
// describes it (4.1.4). The product includes all terms of the model, even those that are not in
// the document:
//
//	P(c|d) = P(c) · Π ( P(W=1|c)·P(W=1|d) / P(W=1)  +  P(W=0|c)·P(W=0|d) / P(W=0) )
//
// P(W=1|d) is 1 for a term that is in the document and 0 for any other term. The sources leave the
// choice open; this is Lewis' choice for words. One of the two summands is then 0. The denominators
// are the same for all labels and do not change the decision. The remaining formula is
//
//	log P(c|d) = const + Σ over all terms   log (1 − P(W=1|c))                          the bias
//	                   + Σ over those in d  log P(W=1|c) − log (1 − P(W=1|c))           the weights
//
// So the time to classify a document depends on its length and not on the vocabulary. P(W=1|c) is
// the share of c's documents that contain the term, smoothed: (documents with it + 1) / (documents
// + 2).
//
// Every term of the model influences the score of every document. So limit the number of terms with
// Options.Terms: use a few thousand, not all.
type Lewis struct{}

// Name returns "lewis".
func (Lewis) Name() string { return "lewis" }

func (Lewis) fit(c *corpus) fitted {
	counts := c.count()
	weight, bias := counts.contain, make([]float64, len(c.labels))
	for t := range c.terms {
		row := weight.row(t)
		for l := range row {
			p := (row[l] + 1) / (float64(counts.documents[l]) + 2)
			bias[l] += math.Log(1 - p)
			row[l] = math.Log(p) - math.Log(1-p)
		}
	}
	return fitted{value: byPresence, weight: weight, bias: bias}
}

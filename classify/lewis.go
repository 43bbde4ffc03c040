package classify

import "math"

// Lewis is the probabilistic classifier of D. Lewis, "An Evaluation of Phrasal and Clustered
// Representations on a Text Categorization Task" (1992), after Fuhr, as the thesis has it
// (4.1.4). The product runs over all terms of the model, present in the document or not:
//
//	P(c|d) = P(c) · Π ( P(W=1|c)·P(W=1|d) / P(W=1)  +  P(W=0|c)·P(W=0|d) / P(W=0) )
//
// P(W=1|d) is 1 for a term that is in the document and 0 for another: sources leave the choice
// open, and this is Lewis' for words, which are there or not. One of the two summands is
// then 0, and the denominators, the same for all labels, decide nothing. What is left is
//
//	log P(c|d) = const + Σ over all terms   log (1 − P(W=1|c))                          the bias
//	                   + Σ over those in d  log P(W=1|c) − log (1 − P(W=1|c))           the weights
//
// so that a document costs its own length, not the vocabulary's. P(W=1|c) is the share of c's
// documents that have the term, smoothed: (documents with it + 1) / (documents + 2).
//
// Every term of the model has its say in every document, so Lewis' is the method that wants its
// terms chosen (Options.Terms): a few thousand, not all.
type Lewis struct{}

// Name is "lewis".
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

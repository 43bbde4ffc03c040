package classify

import "math"

// Rocchio is Rocchio-TFIDF as the thesis defines it (4.1.4), after Joachims, "A Probabilistic
// Analysis of the Rocchio Algorithm with TFIDF for Text Categorization" (1997): the cosine
// between the document's vector and one vector for all documents of the label.
//
//	x(t)        = TF(t,d)·IDF(t)
//	weight(t,c) = TF(t,c)·IDF(t) / √ Σ over all terms (TF(t',c)·IDF(t'))²
//	IDF(t)      = log( |D| / documents that contain t )
//
// TF counts occurrences. |D| is the number of training documents. The thesis says "the size of the
// document" instead; its section 4.1.2 and Joachims show that this is a mistake. The figures of the
// thesis suggest that its program contained the same mistake: see TestRocchioAsPrinted.
type Rocchio struct{}

// Name returns "rocchio".
func (Rocchio) Name() string { return "rocchio" }

func (Rocchio) fit(c *corpus) fitted {
	counts := c.count()
	weight, idf := counts.occur, inverse(c, counts)
	squares := make([]float64, len(c.labels))
	for t := range c.terms {
		row := weight.row(t)
		for l := range row {
			row[l] *= idf[t]
			squares[l] += row[l] * row[l]
		}
	}
	for i := range weight.cells {
		if length := math.Sqrt(squares[i%weight.labels]); length > 0 {
			weight.cells[i] /= length
		}
	}
	return fitted{value: byCount, weight: weight, scale: idf}
}

// inverse returns the inverse document frequency of each term: log(|D| / documents that contain
// it). If calibration has left a term without documents, it counts as a term of one document.
func inverse(c *corpus, n *counts) []float64 {
	idf := make([]float64, len(c.terms))
	for t := range idf {
		idf[t] = math.Log(float64(len(c.docs)) / max(sum(n.contain.row(t)), 1))
	}
	return idf
}

package classify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Selection returns the value of a term as a feature. contain is, for each label, the number of
// its documents that contain the term. documents is the number of all its documents. Yang and
// Pedersen, "A Comparative Study on Feature Selection in Text Categorization" (1997), compares
// these three and others; the thesis cites it for document frequency (4.1.5).
type Selection func(contain []float64, documents []int) float64

// SelectionNamed returns a selection by its name: "df" for the document frequency, "ig" for the
// information gain, "chi2" for χ².
func SelectionNamed(name string) (Selection, error) {
	switch name {
	case "df":
		return documentFrequency, nil
	case "ig":
		return informationGain, nil
	case "chi2":
		return chiSquare, nil
	}
	return nil, fmt.Errorf("feature selection %q is none of df, ig, chi2", name)
}

// documentFrequency returns the number of documents that contain the term.
func documentFrequency(contain []float64, _ []int) float64 { return sum(contain) }

// informationGain returns the information about a document's label that one gets from knowing
// whether the document contains the term, in bits (Yang and Pedersen, 2.2): H(C) − P(t)·H(C|t) −
// P(¬t)·H(C|¬t).
func informationGain(contain []float64, documents []int) float64 {
	all, without := make([]float64, len(documents)), make([]float64, len(documents))
	for c, n := range documents {
		all[c], without[c] = float64(n), float64(n)-contain[c]
	}
	present := sum(contain) / sum(all)
	return entropy(all) - present*entropy(contain) - (1-present)*entropy(without)
}

// entropy returns the entropy of a distribution given by counts, in bits. It is 0 if there are no
// counts.
func entropy(counts []float64) float64 {
	total, h := sum(counts), 0.0
	for _, n := range counts {
		if n > 0 {
			h -= n / total * math.Log2(n/total)
		}
	}
	return h
}

// chiSquare returns the greatest χ² of the term and a label, over all labels (Yang and Pedersen,
// 2.4). It measures how far the joint occurrence of the two is from chance. Let A be the number of
// documents of the label with the term, B those with only the term, C those with only the label,
// and D those with neither:
//
//	χ² = N·(A·D − C·B)² / ( (A+C)·(B+D)·(A+B)·(C+D) )
func chiSquare(contain []float64, documents []int) float64 {
	n, with, best := 0.0, sum(contain), 0.0
	for _, d := range documents {
		n += float64(d)
	}
	for label, a := range contain {
		b, c := with-a, float64(documents[label])-a
		d := n - a - b - c
		below := (a + c) * (b + d) * (a + b) * (c + d)
		if below > 0 {
			best = max(best, n*(a*d-c*b)*(a*d-c*b)/below)
		}
	}
	return best
}

// choose returns c with only some of its terms: those that at least minDocuments documents contain,
// and of these the n with the highest value (n = 0: all). Of equal terms it keeps the first, sorted
// by bytes.
func (c *corpus) choose(selection Selection, n, minDocuments int) *corpus {
	counts := c.count()
	var keep []int
	worth := make([]float64, len(c.terms))
	for t := range c.terms {
		if row := counts.contain.row(t); sum(row) >= float64(minDocuments) {
			worth[t] = selection(row, counts.documents)
			keep = append(keep, t)
		}
	}
	if n > 0 && n < len(keep) {
		slices.SortStableFunc(keep, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
		keep = keep[:n]
		slices.Sort(keep)
	}
	return c.only(keep)
}

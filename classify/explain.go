package classify

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// An Explanation says why a document got its label and not the second best. It lists how much each
// term added to the difference between the two scores. The shares of all terms plus Bias equal that
// difference.
type Explanation struct {
	Ranking Ranking
	Terms   []Share // the terms with the largest shares, for or against, the largest first
	Others  float64 // the sum of the shares of all other terms
	Bias    float64 // the difference before any term is counted
}

// A Share is the contribution of one term to a decision.
type Share struct {
	Term  string  // as in the training documents; untrusted, so quote it on a terminal
	Count int     // number of occurrences in the document
	For   float64 // positive: for the first label; negative: for the second
}

// Explain classifies d and returns at most n terms that decided.
func (m *Model) Explain(d *Document, n int) *Explanation {
	e := new(Explanation)
	m.Classify(d, &e.Ranking)
	if len(m.labels) < 2 {
		return e
	}
	first, second := e.Ranking.Topics[0].order, e.Ranking.Topics[1].order
	e.Bias = float64(m.bias[first]-m.bias[second]) / e.Ranking.length
	for _, c := range e.Ranking.terms {
		row := m.row(c.term)
		share := m.x(c) * float64(row[first]-row[second]) / e.Ranking.length
		e.Terms = append(e.Terms, Share{m.terms[c.term], int(c.count), share})
	}
	slices.SortFunc(e.Terms, func(a, b Share) int {
		return cmp.Or(cmp.Compare(math.Abs(b.For), math.Abs(a.For)), cmp.Compare(a.Term, b.Term))
	})
	for _, s := range e.Terms[min(n, len(e.Terms)):] {
		e.Others += s.For
	}
	e.Terms = e.Terms[:min(n, len(e.Terms))]
	return e
}

// Print writes e as text: the three best labels, then the terms. It quotes a term that contains
// characters which a terminal would interpret.
func (e *Explanation) Print(w io.Writer) error {
	var b bytes.Buffer
	for _, t := range e.Ranking.Topics[:min(3, len(e.Ranking.Topics))] {
		fmt.Fprintf(&b, "%5.1f %%  %s\n", 100*t.Confidence, Plain(t.Label))
	}
	if len(e.Ranking.Topics) > 1 {
		fmt.Fprintf(&b, "\nfor %s (+) or %s (-), of %d known terms:\n",
			Plain(e.Ranking.Topics[0].Label), Plain(e.Ranking.Topics[1].Label), e.Ranking.Known)
	}
	for _, s := range e.Terms {
		fmt.Fprintf(&b, "%+10.4f  %s × %d\n", s.For, Plain(s.Term), s.Count)
	}
	fmt.Fprintf(&b, "%+10.4f  all other terms\n%+10.4f  before any term\n", e.Others, e.Bias)
	_, err := b.WriteTo(w)
	return err
}

// Plain returns s if it is harmless on a terminal and in a column. Otherwise it returns s quoted in
// ASCII. The texts that this package prints are plain.
func Plain(s string) string {
	quoted := strconv.QuoteToGraphic(s)
	if quoted[1:len(quoted)-1] == s {
		return s
	}
	return strconv.QuoteToASCII(s)
}

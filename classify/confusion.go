package classify

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
)

// A Confusion counts how documents with a known label were classified. Its zero value is empty.
type Confusion struct {
	counts map[[2]string]int // true label, assigned label → documents
	labels []string          // ascending
	bins   [10]float64       // by confidence: the sum of the confidences minus the number of correct documents
	brier  float64           // the sum of Brier's scores
}

// Add counts a document of label truth that was classified as r.
func (c *Confusion) Add(truth string, r *Ranking) {
	given := r.Topics[0]
	if c.counts == nil {
		c.counts = make(map[[2]string]int)
	}
	c.counts[[2]string{truth, given.Label}]++
	for _, l := range []string{truth, given.Label} {
		if at, found := slices.BinarySearch(c.labels, l); !found {
			c.labels = slices.Insert(c.labels, at, l)
		}
	}
	bin := &c.bins[min(int(given.Confidence*10), 9)]
	*bin += given.Confidence
	if truth == given.Label {
		*bin--
	}
	c.brier += brier(truth, r)
}

// brier returns Brier's score of a ranking: the sum over the labels of (confidence − truth)², where
// truth is 1 for the label truth and 0 for the others.
func brier(truth string, r *Ranking) (score float64) {
	right := 0.0
	for _, t := range r.Topics {
		if t.Label == truth {
			right = t.Confidence
		} else {
			score += t.Confidence * t.Confidence
		}
	}
	return score + (1-right)*(1-right)
}

// Labels returns all true and assigned labels, sorted by bytes.
func (c *Confusion) Labels() []string { return slices.Clone(c.labels) }

// count returns the number of documents of label truth that were assigned the label given. ""
// stands for any label.
func (c *Confusion) count(truth, given string) (n int) {
	if truth != "" && given != "" {
		return c.counts[[2]string{truth, given}]
	}
	for pair, documents := range c.counts {
		if pair[0] == truth || pair[1] == given {
			n += documents
		}
	}
	return n
}

// Accuracy returns the share of the label's documents that were assigned this label, 0 to 1. The
// thesis shows it for each category (figure 4.1); others call it recall. It is 0 if the label has
// no documents.
func (c *Confusion) Accuracy(label string) float64 {
	return share(c.count(label, label), c.count(label, ""))
}

// f1 returns the harmonic mean of Accuracy and precision. Precision is the share of the documents
// assigned the label that have this label.
func (c *Confusion) f1(label string) float64 {
	return share(2*c.count(label, label), c.count(label, "")+c.count("", label))
}

// A Summary is an evaluation in one line.
type Summary struct {
	Documents int
	Overall   float64 // share of all documents that were assigned their own label
	Mean      float64 // mean of Accuracy over the labels that have documents; the thesis calls it average
	Variance  float64 // variance of Accuracy in per cent over the same labels (divided by n − 1), as in the thesis
	MacroF1   float64 // mean of F1 over the same labels; F1 combines accuracy and precision
	Majority  float64 // share of the most frequent label, which a classifier reaches that ignores the document
	Error     float64 // expected calibration error: the average difference between confidence and truth
	Brier     float64 // mean of Brier's scores, from 0 to 2: less is better
}

// Summary computes the summary.
func (c *Confusion) Summary() Summary {
	var s Summary
	var accuracies []float64
	right, most := 0, 0
	for _, l := range c.labels {
		n := c.count(l, "")
		if n == 0 {
			continue
		}
		s.Documents += n
		right += c.count(l, l)
		most = max(most, n)
		accuracies = append(accuracies, c.Accuracy(l))
		s.MacroF1 += c.f1(l)
	}
	if s.Documents == 0 {
		return s
	}
	k := float64(len(accuracies))
	s.Overall, s.Majority = share(right, s.Documents), share(most, s.Documents)
	s.Mean, s.MacroF1 = sum(accuracies)/k, s.MacroF1/k
	for _, a := range accuracies {
		if k > 1 {
			s.Variance += 100 * (a - s.Mean) * 100 * (a - s.Mean) / (k - 1)
		}
	}
	s.Brier = c.brier / float64(s.Documents)
	for _, bin := range c.bins {
		s.Error += math.Abs(bin) / float64(s.Documents)
	}
	return s
}

// Print writes a row for each label: its documents, accuracy, F1 and the labels with which it was
// most often confused. Then it writes the summary.
func (c *Confusion) Print(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%-24s %9s %9s %7s  taken for\n", "label", "documents", "accuracy", "F1")
	for _, l := range c.labels {
		fmt.Fprintf(&b, "%-24s %9d %8.1f%% %7.3f ", Plain(l), c.count(l, ""), 100*c.Accuracy(l), c.f1(l))
		for _, other := range c.takenFor(l, 3) {
			fmt.Fprintf(&b, " %s %d", Plain(other), c.count(l, other))
		}
		fmt.Fprintf(&b, "\n")
	}
	s := c.Summary()
	fmt.Fprintf(&b, "mean %.1f %%, variance %.4f; of all %.1f %%, macro F1 %.3f; "+
		"the most frequent label %.1f %%; confidence is off by %.1f %%\n",
		100*s.Mean, s.Variance, 100*s.Overall, s.MacroF1, 100*s.Majority, 100*s.Error)
	_, err := b.WriteTo(w)
	return err
}

// PrintMatrix writes the whole matrix: a row for each true label, and a column for each assigned
// label, with a number as its heading.
func (c *Confusion) PrintMatrix(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%-28s", "true \\ given")
	for i := range c.labels {
		fmt.Fprintf(&b, " %5d", i+1)
	}
	for i, truth := range c.labels {
		fmt.Fprintf(&b, "\n%3d %-24s", i+1, Plain(truth))
		for _, given := range c.labels {
			fmt.Fprintf(&b, " %5d", c.count(truth, given))
		}
	}
	fmt.Fprintf(&b, "\n")
	_, err := b.WriteTo(w)
	return err
}

// takenFor returns the n wrong labels that documents of label truth were most often assigned.
func (c *Confusion) takenFor(truth string, n int) []string {
	var others []string
	for _, l := range c.labels {
		if l != truth && c.count(truth, l) > 0 {
			others = append(others, l)
		}
	}
	slices.SortStableFunc(others, func(a, b string) int { return c.count(truth, b) - c.count(truth, a) })
	return others[:min(n, len(others))]
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

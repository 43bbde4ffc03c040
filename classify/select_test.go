package classify

import (
	"math"
	"slices"
	"testing"
)

// The example of Manning, Raghavan and Schütze, "Introduction to Information Retrieval" (2008),
// 13.5: "export" and the class poultry in Reuters-RCV1.
func TestSelectionsAsPublished(t *testing.T) {
	contain, documents := []float64{49, 27652}, []int{49 + 141, 27652 + 774106}
	if got := informationGain(contain, documents); math.Abs(got-0.0001105) > 1e-7 {
		t.Errorf("information gain %.7f, the book has 0.0001105", got)
	}
	if got := chiSquare(contain, documents); math.Abs(got-284) > 1 {
		t.Errorf("χ² %.1f, the book has 284", got)
	}
	if got := documentFrequency(contain, documents); got != 49+27652 {
		t.Errorf("document frequency %v", got)
	}
}

func TestChoose(t *testing.T) {
	var tr Training
	for _, d := range [][2]string{
		{"a", "the ball goal"}, {"a", "the ball once"}, {"b", "the vote"}, {"b", "the vote"},
	} {
		add(t, &tr, d[0], d[1])
	}
	for _, c := range []struct {
		name  string
		terms int
		least int
		want  []string
	}{
		{"df", 1, 0, []string{"the"}},
		{"df", 2, 0, []string{"ball", "the"}},
		{"ig", 2, 0, []string{"ball", "vote"}},
		{"chi2", 2, 0, []string{"ball", "vote"}},
		{"chi2", 0, 0, []string{"ball", "goal", "once", "the", "vote"}},
		{"chi2", 9, 2, []string{"ball", "the", "vote"}},
	} {
		by, err := SelectionNamed(c.name)
		if err != nil {
			t.Fatal(err)
		}
		got := tr.corpus().choose(by, c.terms, c.least)
		if !slices.Equal(got.terms, c.want) {
			t.Errorf("%s %d of %d: %q, want %q", c.name, c.terms, c.least, got.terms, c.want)
		}
		for _, d := range got.docs {
			for _, x := range d.terms {
				if int(x.term) >= len(got.terms) {
					t.Errorf("%s: a document has term number %d of %d", c.name, x.term, len(got.terms))
				}
			}
		}
	}
	if _, err := SelectionNamed("best"); err == nil {
		t.Error("an unknown selection is found")
	}
}

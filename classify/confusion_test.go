package classify

import (
	"math"
	"strings"
	"testing"
)

// said is the ranking of a classifier that says label.
func said(label string, confidence float64) *Ranking {
	return &Ranking{Topics: []Topic{{Label: label, Confidence: confidence}}}
}

func TestConfusion(t *testing.T) {
	var c Confusion
	for _, x := range []struct {
		truth, given string
		n            int
	}{{"a", "a", 8}, {"a", "b", 2}, {"b", "b", 2}, {"b", "a", 2}, {"c", "never", 1}} {
		for range x.n {
			c.Add(x.truth, said(x.given, 0.85))
		}
	}
	// Accuracies 0.8, 0.5 and 0; F1 16/(10+10), 4/(4+4) and 0. What is
	// only given, as never, is no label of its own.
	want := Summary{
		Documents: 15, Overall: 10.0 / 15, Mean: 1.3 / 3,
		Variance: (math.Pow(80-130.0/3, 2) + math.Pow(50-130.0/3, 2) + math.Pow(130.0/3, 2)) / 2,
		MacroF1:  (16.0/20 + 0.5) / 3, Majority: 10.0 / 15, Error: 0.85 - 10.0/15,
	}
	got := c.Summary()
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"documents", float64(got.Documents), float64(want.Documents)}, {"overall", got.Overall, want.Overall},
		{"mean", got.Mean, want.Mean}, {"variance", got.Variance, want.Variance},
		{"macro F1", got.MacroF1, want.MacroF1}, {"majority", got.Majority, want.Majority},
		{"error", got.Error, want.Error},
	} {
		if math.Abs(x.got-x.want) > 1e-9 {
			t.Errorf("%s is %v, want %v", x.name, x.got, x.want)
		}
	}
}

func TestConfusionPrints(t *testing.T) {
	var c Confusion
	c.Add("arts", said("arts", 0.9))
	c.Add("arts", said("news", 0.6))
	c.Add("news", said("news", 1))
	var b strings.Builder
	if err := c.Print(&b); err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n")
	if err := c.PrintMatrix(&b); err != nil {
		t.Fatal(err)
	}
	const want = `label                    documents  accuracy      F1  taken for
arts                             2     50.0%   0.667  news 1
news                             1    100.0%   0.667 
mean 75.0 %, variance 1250.0000; of all 66.7 %, macro F1 0.667; the most frequent label 66.7 %; confidence is off by 23.3 %

true \ given                     1     2
  1 arts                         1     1
  2 news                         0     1
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestConfusionOfNothing(t *testing.T) {
	var c Confusion
	if s := c.Summary(); s != (Summary{}) {
		t.Errorf("the summary of nothing is %+v", s)
	}
}

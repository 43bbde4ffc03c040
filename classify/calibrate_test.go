package classify

import (
	"fmt"
	"math"
	"testing"
)

func scoresOf(m *Model, e example) []float64 {
	scores := make([]float64, len(m.labels))
	m.score(e.terms, scores)
	return scores
}

// The lower of two valleys is found.
func TestLowest(t *testing.T) {
	f := func(x float64) float64 { return math.Min((x+5)*(x+5)+1, (x-7.3)*(x-7.3)) }
	if got := lowest(-10, 25, f); math.Abs(got-7.3) > 1e-3 {
		t.Errorf("found %v, want 7.3", got)
	}
}

func TestSoftmax(t *testing.T) {
	got := make([]float64, 3)
	softmax(got, []float64{1, 2, 1}, math.Log(2))
	for c, want := range []float64{0.25, 0.5, 0.25} {
		if math.Abs(got[c]-want) > 1e-12 {
			t.Errorf("got %v", got)
		}
	}
}

// Terms that only held-out documents have are no obstacle.
func TestCalibrationWithStrangeTerms(t *testing.T) {
	var tr Training
	for i := range 8 {
		add(t, &tr, "a", fmt.Sprintf("ball goal a%d", i))
		add(t, &tr, "b", fmt.Sprintf("vote law b%d", i))
	}
	for _, method := range Methods() {
		if m := train(t, &tr, method); m.sharpness == 1 {
			t.Errorf("%s is not calibrated", method.Name())
		}
	}
}

// Both a sharpness too small and one too large are more wrong.
func TestSharpnessIsTheBest(t *testing.T) {
	c := topicalTraining(t, 200).corpus()
	for _, method := range Methods() {
		learn, judge := split(c)
		if len(judge) < 45 || len(learn.docs)+len(judge) != len(c.docs) {
			t.Fatalf("%d documents are held out of %d", len(judge), len(c.docs))
		}
		m, err := newModel("", learn, method.fit(learn))
		if err != nil {
			t.Fatal(err)
		}
		var scores [][]float64
		for _, d := range judge {
			scores = append(scores, scoresOf(m, d))
		}
		best, err := sharpness(c, method)
		if err != nil {
			t.Fatal(err)
		}
		least := wrong(scores, judge, best)
		for _, other := range []float64{0.01, 0.5, 0.9, 1.1, 2, 100} {
			if w := wrong(scores, judge, best*other); w < least {
				t.Errorf("%s: %v × the sharpness %v gives %v, less than %v", method.Name(), other, best, w, least)
			}
		}
	}
}

package classify

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Every method learns what is there to learn, and says how sure it is: near enough to the truth.
func TestMethodsLearn(t *testing.T) {
	tr := topicalTraining(t, 600)
	labels, texts := topical(rand.New(rand.NewPCG(8, 9)), 600)
	for _, m := range Methods() {
		model := train(t, tr, m)
		var c Confusion
		var r Ranking
		for i := range texts {
			model.Classify(bag(texts[i]), &r)
			c.Add(labels[i], &r)
		}
		s := c.Summary()
		if s.Overall < 0.7 {
			t.Errorf("%s: right in %.1f %%", m.Name(), 100*s.Overall)
		}
		if s.Error > 0.1 {
			t.Errorf("%s: confidence is off by %.1f %%", m.Name(), 100*s.Error)
		}
	}
}

func TestRanking(t *testing.T) {
	model := train(t, topicalTraining(t, 90), Lewis{})
	var r Ranking
	for _, text := range []string{"w1 w2 w3 w3", "w45 w50", "nothing known", ""} {
		model.Classify(bag(text), &r)
		total := 0.0
		for i, topic := range r.Topics {
			total += topic.Confidence
			if i > 0 && r.Topics[i-1].Score < topic.Score {
				t.Errorf("%q: rank %d scores %v, the one before %v", text, i, topic.Score, r.Topics[i-1].Score)
			}
		}
		if math.Abs(total-1) > 1e-9 || len(r.Topics) != 3 {
			t.Errorf("%q: %d labels, their confidence %v together", text, len(r.Topics), total)
		}
	}
}

// What a term says for all labels alike is taken out of a model.
func TestRowsAreCentred(t *testing.T) {
	for _, m := range Methods() {
		model := train(t, topicalTraining(t, 30), m)
		for term := range model.terms {
			row := model.weight[3*term:][:3]
			if mean := (row[0] + row[1] + row[2]) / 3; math.Abs(float64(mean)) > 1e-5*math.Abs(float64(row[0]))+1e-6 {
				t.Fatalf("%s: the weights of %s have a mean of %v", m.Name(), model.terms[term], mean)
			}
		}
	}
}

// Labels with the same score come in order of bytes, and share their confidence.
func TestRankingOfEquals(t *testing.T) {
	var tr Training
	for _, label := range []string{"b", "a", "c"} {
		add(t, &tr, label, "x y")
	}
	var r Ranking
	train(t, &tr, NaiveBayes{1}).Classify(bag("x"), &r)
	for i, want := range []string{"a", "b", "c"} {
		if r.Topics[i].Label != want || math.Abs(r.Topics[i].Confidence-1.0/3) > 1e-9 {
			t.Errorf("rank %d is %q with %v", i, r.Topics[i].Label, r.Topics[i].Confidence)
		}
	}
}

func TestClassifyAllocatesNothing(t *testing.T) {
	model := train(t, topicalTraining(t, 90), NaiveBayes{1})
	words := bytes.Fields([]byte("w1 w2 w3 w3 unknown"))
	var d Document
	var r Ranking
	if n := testing.AllocsPerRun(100, func() {
		d.Reset()
		for _, w := range words {
			d.Add(w)
		}
		model.Classify(&d, &r)
	}); n != 0 {
		t.Errorf("%v allocations for a document", n)
	}
}

// What an explanation names adds up to the distance between the first two.
func TestExplainAddsUp(t *testing.T) {
	tr := topicalTraining(t, 90)
	_, texts := topical(rand.New(rand.NewPCG(8, 9)), 10)
	for _, m := range Methods() {
		model := train(t, tr, m)
		for _, text := range texts {
			e := model.Explain(bag(text+" strange"), 3)
			got := e.Bias + e.Others
			for i, s := range e.Terms {
				got += s.For
				if i > 0 && math.Abs(s.For) > math.Abs(e.Terms[i-1].For) {
					t.Errorf("%s: term %d matters more than the one before", m.Name(), i)
				}
			}
			want := e.Ranking.Topics[0].Score - e.Ranking.Topics[1].Score
			if len(e.Terms) != 3 || math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("%s: %d terms; all add up to %v, the distance is %v", m.Name(), len(e.Terms), got, want)
			}
		}
	}
}

func TestExplanationIsHarmless(t *testing.T) {
	var tr Training
	add(t, &tr, "a", "evil\x1b[2J plain grün")
	add(t, &tr, "b\x07", "other")
	var b strings.Builder
	if err := train(t, &tr, NaiveBayes{1}).Explain(bag("evil\x1b[2J plain grün"), 9).Print(&b); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\x07") {
		t.Errorf("control characters are printed: %q", b.String())
	}
	for _, want := range []string{`"evil\x1b[2J" × 1`, "plain × 1", "grün × 1", `"b\a"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// A score is the plain sum of the package comment, whatever the numbers of labels and terms.
func TestScoreIsThePlainSum(t *testing.T) {
	for _, labels := range []int{1, 2, 21} {
		var tr Training
		random := rand.New(rand.NewPCG(5, uint64(labels)))
		for i := range 3 * labels {
			text := ""
			for range 100 {
				text += fmt.Sprintf("w%d ", random.IntN(200))
			}
			add(t, &tr, fmt.Sprintf("label%02d", i%labels), text)
		}
		model, d := train(t, &tr, Linear{1}), bag("unknown")
		for range 1000 {
			d.Add(fmt.Appendf(nil, "w%d", random.IntN(3)*random.IntN(90)))
		}
		want, squares := make([]float64, labels), 0.0
		for i := range d.Len() {
			term, n := d.Term(i)
			at, known := slices.BinarySearch(model.terms, string(term))
			if !known {
				continue
			}
			x := math.Log(1+float64(n)) * float64(model.scale[at])
			squares += x * x
			for c := range want {
				want[c] += x * float64(model.weight[at*labels+c])
			}
		}
		var r Ranking
		model.Classify(d, &r)
		for _, topic := range r.Topics {
			want := want[slices.Index(model.labels, topic.Label)] / math.Sqrt(squares)
			if math.Abs(topic.Score-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%d labels: %s has %v, want %v", labels, topic.Label, topic.Score, want)
			}
		}
	}
}

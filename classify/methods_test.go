package classify

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// train trains with all terms.
func train(t testing.TB, tr *Training, m Method) *Model {
	t.Helper()
	model, err := Train(tr, Options{Method: m})
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// topical makes documents of labels a, b and c: each draws words w0 … w59 by chance, those of
// its label's third more often.
func topical(random *rand.Rand, n int) (labels, texts []string) {
	for i := range n {
		label, text := i%3, ""
		for range 5 + random.IntN(25) {
			word := random.IntN(60)
			if random.IntN(3) == 0 {
				word = label*20 + random.IntN(20)
			}
			text += fmt.Sprintf("w%d ", word)
		}
		labels, texts = append(labels, string(rune('a'+label))), append(texts, text)
	}
	return labels, texts
}

func topicalTraining(t testing.TB, n int) *Training {
	labels, texts := topical(rand.New(rand.NewPCG(1, 2)), n)
	var tr Training
	for i := range texts {
		add(t, &tr, labels[i], texts[i])
	}
	return &tr
}

// Example 13.1 of Manning, Raghavan and Schütze: P(Chinese|c) = 3/7, P(Tokyo|c) = P(Japan|c) =
// 1/14, all of them 2/9 for the other class. Priors are uniform here.
func TestNaiveBayesAsPublished(t *testing.T) {
	var tr Training
	add(t, &tr, "china", "Chinese Beijing Chinese")
	add(t, &tr, "china", "Chinese Chinese Shanghai")
	add(t, &tr, "china", "Chinese Macao")
	add(t, &tr, "other", "Tokyo Japan Chinese")
	var r Ranking
	train(t, &tr, NaiveBayes{1}).Classify(bag("Chinese Chinese Chinese Tokyo Japan Kyoto"), &r)
	want := 3*math.Log((3.0/7)/(2.0/9)) + 2*math.Log((1.0/14)/(2.0/9))
	scores := map[string]float64{}
	for _, topic := range r.Topics {
		scores[topic.Label] = topic.Score * math.Sqrt(3*3+1+1)
	}
	if got := scores["china"] - scores["other"]; math.Abs(got-want) > 1e-5 {
		t.Errorf("log odds %v, want %v", got, want)
	}
	if r.Known != 3 {
		t.Errorf("%d known terms, want 3", r.Known)
	}
}

// plainly computes scores by the formulas of the papers, term by term and over the whole
// vocabulary, with none of the package's rearrangements.
type plainly struct {
	c *corpus
}

// of is how often d has term t, tf how often label l's documents have it, df in how many.
func of(d example, t int) float64 {
	for _, x := range d.terms {
		if int(x.term) == t {
			return float64(x.count)
		}
	}
	return 0
}

func (p plainly) tf(t, label int) (n float64) {
	for _, d := range p.c.docs {
		if d.label == label {
			n += of(d, t)
		}
	}
	return n
}

func (p plainly) df(t, label int) (n float64) {
	for _, d := range p.c.docs {
		if (label < 0 || d.label == label) && of(d, t) > 0 {
			n++
		}
	}
	return n
}

func (p plainly) idf(t int) float64 { return math.Log(float64(len(p.c.docs)) / p.df(t, -1)) }

func (p plainly) docs(label int) (n float64) {
	for _, d := range p.c.docs {
		if d.label == label {
			n++
		}
	}
	return n
}

func (p plainly) bayes(d example, label int) (score float64) {
	all := 0.0
	for t := range p.c.terms {
		all += p.tf(t, label)
	}
	for t := range p.c.terms {
		score += of(d, t) * math.Log((p.tf(t, label)+1)/(all+float64(len(p.c.terms))))
	}
	return score
}

// lewis has the thesis's product whole: priors of the features, present and absent.
func (p plainly) lewis(d example, label int) (score float64) {
	for t := range p.c.terms {
		given, prior, here := (p.df(t, label)+1)/(p.docs(label)+2), 0.0, min(of(d, t), 1)
		for l := range p.c.labels {
			prior += (p.df(t, l) + 1) / (p.docs(l) + 2) / float64(len(p.c.labels))
		}
		score += math.Log(given*here/prior + (1-given)*(1-here)/(1-prior))
	}
	return score
}

func (p plainly) rocchio(d example, label int) float64 {
	above, below := 0.0, 0.0
	for t := range p.c.terms {
		w := p.tf(t, label) * p.idf(t)
		above += of(d, t) * p.idf(t) * w
		below += w * w
	}
	return above / math.Sqrt(below)
}

func (p plainly) complement(d example, label int) (score float64) {
	v := func(e example, t int) float64 {
		squares := 0.0
		for s := range p.c.terms {
			squares += math.Pow(math.Log(1+of(e, s))*p.idf(s), 2)
		}
		return math.Log(1+of(e, t)) * p.idf(t) / math.Sqrt(squares)
	}
	theta, all := make([]float64, len(p.c.terms)), 0.0
	for _, e := range p.c.docs {
		for t := range theta {
			if e.label != label {
				theta[t] += v(e, t)
				all += v(e, t)
			}
		}
	}
	length := 0.0
	for t := range theta {
		theta[t] = math.Log((0.3 + theta[t]) / (0.3*float64(len(theta)) + all))
		length += math.Abs(theta[t])
	}
	for t := range theta {
		score -= of(d, t) * theta[t] / length
	}
	return score
}

// Every generative method scores as its paper says.
func TestMethodsFollowTheirFormulas(t *testing.T) {
	tr := topicalTraining(t, 24)
	c := tr.corpus()
	p := plainly{c}
	for _, m := range []struct {
		method  Method
		plainly func(example, int) float64
		x       func(d example, t int) float64
	}{
		{NaiveBayes{1}, p.bayes, of},
		{Lewis{}, p.lewis, func(d example, t int) float64 { return min(of(d, t), 1) }},
		{Rocchio{}, p.rocchio, func(d example, t int) float64 { return of(d, t) * p.idf(t) }},
		{Complement{0.3}, p.complement, of},
	} {
		model := train(t, tr, m.method)
		for _, d := range []example{c.docs[0], c.docs[9], c.docs[23]} {
			squares := 0.0
			for term := range c.terms {
				squares += math.Pow(m.x(d, term), 2)
			}
			got := scoresOf(model, d)
			for l := 1; l < len(c.labels); l++ {
				want := (m.plainly(d, l) - m.plainly(d, 0)) / math.Sqrt(squares)
				if math.Abs(got[l]-got[0]-want) > 1e-4*math.Abs(want)+1e-6 {
					t.Errorf("%s: label %d is %v ahead, want %v", model.Method(), l, got[l]-got[0], want)
				}
			}
		}
	}
}

// The weights of the linear method are near the minimum of what it minimises: the gradient
// there is small beside that at 0.
func TestLinearFindsTheMinimum(t *testing.T) {
	c := topicalTraining(t, 90).corpus()
	idf := inverse(c, c.count())
	vectors := make([][]float64, len(c.docs))
	for i, d := range c.docs {
		vectors[i] = unit(d.terms, idf)
	}
	const cost = 1
	slope := func(w []float64, label int) float64 {
		g := append([]float64(nil), w...)
		for i, d := range c.docs {
			y, margin := -1.0, 0.0
			if d.label == label {
				y = 1
			}
			for j, x := range d.terms {
				margin += w[x.term] * vectors[i][j]
			}
			for j, x := range d.terms {
				g[x.term] -= 2 * cost * max(0, 1-y*margin) * y * vectors[i][j]
			}
		}
		squares := 0.0
		for _, x := range g {
			squares += x * x
		}
		return math.Sqrt(squares)
	}
	for label := range c.labels {
		w := Linear{cost}.separate(c, vectors, label)
		if end, start := slope(w, label), slope(make([]float64, len(w)), label); end > start/20 {
			t.Errorf("label %d: the gradient is %v, at the start %v", label, end, start)
		}
	}
}

// A model depends on the documents, not on the order they came in.
func TestTrainingIsRepeatable(t *testing.T) {
	labels, texts := topical(rand.New(rand.NewPCG(3, 4)), 60)
	for _, m := range Methods() {
		var files [][]byte
		for seed := range uint64(3) {
			var tr Training
			for _, i := range rand.New(rand.NewPCG(seed, 5)).Perm(len(texts)) {
				add(t, &tr, labels[i], texts[i])
			}
			model, err := Train(&tr, Options{Method: m, Terms: 40, Select: informationGain})
			if err != nil {
				t.Fatal(err)
			}
			if model.Terms() != 40 {
				t.Fatalf("%d terms, want 40", model.Terms())
			}
			file, err := model.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		if !bytes.Equal(files[0], files[1]) || !bytes.Equal(files[0], files[2]) {
			t.Errorf("%s: the order of the documents changes the model", m.Name())
		}
	}
}

func TestTrainRefusesNothing(t *testing.T) {
	if _, err := Train(new(Training), Options{}); err == nil {
		t.Error("a model is trained on no document")
	}
	if err := new(Training).Add("", bag("x")); err == nil {
		t.Error("a document without label is taken")
	}
	if _, err := MethodNamed("oracle"); err == nil {
		t.Error("an unknown method is found")
	}
}

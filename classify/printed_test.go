package classify

import (
	"fmt"
	"math"
	"testing"
)

// printedRocchio is Rocchio-TFIDF as the thesis prints it: IDF(w) = log(|D|/DF(w)), |D| being "the
// size of the document". The IDF of a word that more training documents have than the page has
// words is below 0, and counts for as much as that of a rare word, since it is squared. The norm of
// a label is another for each page; it is taken apart here, so that it costs three sums.
type printedRocchio struct {
	occur  table
	logDF  []float64    // of each term
	norms  [3][]float64 // of each label: Σ TF², Σ TF²·log DF, Σ TF²·log² DF
	sought *Model       // that finds the terms
}

func newPrintedRocchio(c *corpus, sought *Model) *printedRocchio {
	n := c.count()
	p := &printedRocchio{occur: n.occur, sought: sought}
	for i := range p.norms {
		p.norms[i] = make([]float64, len(c.labels))
	}
	for t := range c.terms {
		log := math.Log(sum(n.contain.row(t)))
		p.logDF = append(p.logDF, log)
		for c, tf := range n.occur.row(t) {
			p.norms[0][c] += tf * tf
			p.norms[1][c] += tf * tf * log
			p.norms[2][c] += tf * tf * log * log
		}
	}
	return p
}

func (p *printedRocchio) label(d *Document) string {
	size, best := math.Log(float64(d.Total())), 0
	scores := make([]float64, len(p.sought.labels))
	for i := range d.Len() {
		hash, count := d.Hashed(i)
		if t, ok := p.sought.index.Find(hash); ok {
			idf := size - p.logDF[t]
			for c, tf := range p.occur.row(int(t)) {
				scores[c] += float64(count) * idf * idf * tf
			}
		}
	}
	for c := range scores {
		scores[c] /= math.Sqrt(size*size*p.norms[0][c] - 2*size*p.norms[1][c] + p.norms[2][c])
		if scores[c] > scores[best] {
			best = c
		}
	}
	return p.sought.labels[best]
}

// TestRocchioAsPrinted asks why the thesis had Lewis' far above Rocchio-TFIDF (58.2 and 43.7 %),
// where our Rocchio beats Lewis'. As printed Rocchio is far below naive Bayes on each set, and
// below Lewis' on all but WebKB. That would also be why it was slower than Lewis' there, by half:
// all norms had to be made anew for each page. Apart from that, with 2,000 chosen terms Lewis' is
// above our Rocchio on the sets with many labels. As in the thesis, a label has at most 500
// documents to train on, and 500 to be judged.
func TestRocchioAsPrinted(t *testing.T) {
	if !*whole {
		t.Skip("run with -sets")
	}
	four := func(t testing.TB) []sample {
		all := webkb(t, "course", "faculty", "project", "student")
		for i := range all {
			if all[i].fold != "cornell" {
				all[i].fold = "train"
			}
		}
		return all
	}
	for _, set := range []struct {
		name, test string
		load       func(testing.TB) []sample
	}{{"20news", "test", newsgroups}, {"bbc", "test", bbc}, {"law16", "test", law16}, {"webkb-4", "cornell", four}} {
		all := set.load(t)
		for _, n := range []int{0, 2000} {
			accuracy, line := printedTrial(t, all, set.test, n)
			t.Logf("%s, %d terms chosen:%s", set.name, n, line)
			if p := accuracy["printed"]; n == 0 && (p > accuracy["rocchio"]-0.05 || p > accuracy["bayes"]-0.05) {
				t.Errorf("%s: as printed it is no worse: %v", set.name, accuracy)
			}
		}
	}
}

// printedTrial gives the mean accuracy of the thesis's three methods, and of the third as printed.
func printedTrial(t *testing.T, all []sample, test string, terms int) (accuracy map[string]float64, line string) {
	var tr Training
	var d Document
	for _, s := range first(all, "train", 500) {
		if err := tr.Add(s.label, words(&d, s.text)); err != nil {
			t.Fatal(err)
		}
	}
	methods := []Method{NaiveBayes{Smoothing: 1}, Lewis{}, Rocchio{}}
	var models []*Model
	for _, m := range methods {
		model, err := Train(&tr, Options{Method: m, MinDocuments: 2, Terms: terms})
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, model)
	}
	printed := newPrintedRocchio(tr.corpus().choose(chiSquare, terms, 2), models[0])
	counts := map[string]*Confusion{"printed": {}, "bayes": {}, "lewis": {}, "rocchio": {}}
	var r Ranking
	for _, s := range first(all, test, 500) {
		words(&d, s.text)
		for _, m := range models {
			m.Classify(&d, &r)
			counts[m.Method()].Add(s.label, &r)
		}
		counts["printed"].Add(s.label, said(printed.label(&d), 1))
	}
	accuracy = map[string]float64{}
	for _, name := range []string{"bayes", "lewis", "rocchio", "printed"} {
		s := counts[name].Summary()
		accuracy[name] = s.Mean
		line += fmt.Sprintf("  %s %.1f %% (variance %.0f)", name, 100*s.Mean, s.Variance)
	}
	return accuracy, line
}

// first is the first n of each label in a fold.
func first(all []sample, fold string, n int) (some []sample) {
	of := map[string]int{}
	for _, s := range all {
		if s.fold == fold && of[s.label] < n {
			of[s.label]++
			some = append(some, s)
		}
	}
	return some
}

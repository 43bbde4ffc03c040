package classify

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// What a crawl has: a model of 16 labels and 50,000 terms, documents of 1,000 words. About 430 of
// them are different, as in 1,000 words of BBC's news (450) or of 20 Newsgroups (395).
const (
	benchLabels = 16
	benchTerms  = 50_000
	benchLength = 1000
)

// benchWords gives documents as lists of words. Some words no model knows.
func benchWords(n int) [][][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.25, 4, benchTerms*5/4)
	docs := make([][][]byte, n)
	for i := range docs {
		for range benchLength {
			docs[i] = append(docs[i], fmt.Appendf(nil, "word%d", zipf.Uint64()))
		}
	}
	return docs
}

func benchModel(b *testing.B, m Method) *Model {
	random := rand.New(rand.NewPCG(3, 4))
	var tr Training
	var d Document
	for label := range benchLabels {
		for range 40 {
			d.Reset()
			for range 2000 {
				d.Add(fmt.Appendf(nil, "word%d", (random.IntN(benchTerms)*random.IntN(1000)/1000+label*100)%benchTerms))
			}
			if err := tr.Add(fmt.Sprint("topic", label), &d); err != nil {
				b.Fatal(err)
			}
		}
	}
	return train(b, &tr, m)
}

// cpuTime is what this process has used of processors: on a machine with other work that, not the
// clock, says how fast the code is.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Documents that are there already, as the same page judged by several models.
func BenchmarkClassify(b *testing.B) {
	var docs []*Document
	distinct := 0
	for _, words := range benchWords(500) {
		d := new(Document)
		for _, w := range words {
			d.Add(w)
		}
		docs, distinct = append(docs, d), distinct+d.Len()
	}
	for _, m := range Methods() {
		b.Run(m.Name(), func(b *testing.B) {
			model := benchModel(b, m)
			var r Ranking
			b.ReportAllocs()
			i, start := 0, cpuTime()
			for b.Loop() {
				model.Classify(docs[i%len(docs)], &r)
				i++
			}
			b.ReportMetric(float64(b.N)/(cpuTime()-start).Seconds(), "docs/cpu-s")
			b.ReportMetric(float64(distinct)/float64(len(docs)), "terms/doc")
			b.ReportMetric(float64(model.Terms()), "model-terms")
		})
	}
}

// The whole way from words.
func BenchmarkAddAndClassify(b *testing.B) {
	docs, model := benchWords(500), benchModel(b, NaiveBayes{1})
	var d Document
	var r Ranking
	b.ReportAllocs()
	i, start := 0, cpuTime()
	for b.Loop() {
		d.Reset()
		for _, w := range docs[i%len(docs)] {
			d.Add(w)
		}
		model.Classify(&d, &r)
		i++
	}
	b.ReportMetric(float64(b.N)/(cpuTime()-start).Seconds(), "docs/cpu-s")
}

func BenchmarkParse(b *testing.B) {
	file := encode(b, benchModel(b, NaiveBayes{1}))
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		if _, err := Parse(file); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTrain(b *testing.B) {
	tr := topicalTraining(b, 3000)
	for _, m := range Methods() {
		b.Run(m.Name(), func(b *testing.B) {
			for b.Loop() {
				train(b, tr, m)
			}
		})
	}
}

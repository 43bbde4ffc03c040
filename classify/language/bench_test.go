package language

import (
	"testing"

	"multitext/classify/terms"
)

// benchIdentify times an identifier with the splitting of pages, of 10 KB each.
func benchIdentify(b *testing.B, identify func(page []byte)) {
	pages := readPages(b)
	for i, p := range pages {
		pages[i].body = p.body[:min(len(p.body), 10_000)]
	}
	n := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		page := pages[i%len(pages)].body
		identify(page)
		n += len(page)
	}
	b.SetBytes(int64(n / b.N))
}

func BenchmarkSplitAlone(b *testing.B) {
	s := new(terms.Splitter)
	benchIdentify(b, func(page []byte) {
		for range s.HTML(page) {
		}
	})
}

func BenchmarkWordList(b *testing.B) {
	s, l := new(terms.Splitter), list(b, Cutoff)
	benchIdentify(b, func(page []byte) { l.Identify(s.HTML(page)) })
}

func BenchmarkNGrams(b *testing.B) {
	s, n := new(terms.Splitter), languages(b)
	benchIdentify(b, func(page []byte) { n.Identify(s.HTML(page)) })
}

func BenchmarkLoadEnglish(b *testing.B) {
	for b.Loop() {
		list(b, Cutoff)
	}
}

func BenchmarkLoadLanguages(b *testing.B) {
	for b.Loop() {
		languages(b)
	}
}

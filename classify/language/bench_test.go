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

func BenchmarkRead(b *testing.B) {
	s, d := new(terms.Splitter), new(terms.Document)
	benchIdentify(b, func(page []byte) { d.Read(s.HTML(page)) })
}

func BenchmarkWordList(b *testing.B) {
	s, d, l := new(terms.Splitter), new(terms.Document), list(b, Cutoff)
	benchIdentify(b, func(page []byte) { d.Read(s.HTML(page)); l.Identify(d) })
}

func BenchmarkNGrams(b *testing.B) {
	s, d, n := new(terms.Splitter), new(terms.Document), languages(b)
	benchIdentify(b, func(page []byte) { d.Read(s.HTML(page)); n.Identify(d) })
}

func BenchmarkTwoStep(b *testing.B) {
	s, d, l := new(terms.Splitter), new(terms.Document), twoStep(b, true)
	benchIdentify(b, func(page []byte) { d.Read(s.HTML(page)); l.Identify(d) })
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

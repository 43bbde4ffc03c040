package terms

import (
	"testing"

	"multitext/classify/testkit"
)

// benchPages is the first 10 KB of real pages.
func benchPages(b *testing.B) (pages [][]byte) {
	testkit.Pages(b, 40, func(_ string, page []byte) bool {
		pages = append(pages, page[:min(len(page), 10_000)])
		return true
	})
	return pages
}

func BenchmarkHTML(b *testing.B) {
	pages, s := benchPages(b), new(Splitter)
	run(b, pages, func(page []byte) (n int) {
		for range s.HTML(page) {
			n++
		}
		return n
	})
}

func run(b *testing.B, pages [][]byte, do func(page []byte) int) {
	bytes, n := 0, 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		page := pages[i%len(pages)]
		bytes += len(page)
		n += do(page)
	}
	b.SetBytes(int64(bytes / b.N))
	b.ReportMetric(float64(n)/float64(b.N), "found/op")
}

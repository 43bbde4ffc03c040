package links

import (
	"testing"

	"multitext/classify/testkit"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/web/httphead"
)

// BenchmarkFind reads real pages. It goes by the processor's time, which others on the machine
// change least.
func BenchmarkFind(b *testing.B) {
	var pages []Page
	size := int64(0)
	header := httphead.Fields{{Name: "Content-Type", Value: "text/html"}}
	testkit.Pages(b, 8, func(name string, page []byte) bool {
		pages = append(pages, Page{"http://" + name, header, page, ""})
		size += int64(len(page))
		return true
	})
	finder := NewFinder(Options{Kinds: All, Obey: true, Max: 10_000})
	b.ReportAllocs()
	before := stagetest.Processor()
	for b.Loop() {
		for _, p := range pages {
			if _, err := finder.Find(p); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*float64(size)/1e6/(stagetest.Processor()-before).Seconds(), "MB/cpu-s")
}

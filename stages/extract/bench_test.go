package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"multitext/classify/testkit"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/web/canon"
)

// BenchmarkExtract runs the whole stage on 1,500 pages of real sites, from a page batch to a batch
// of links. It goes by the processor's time, which others on the machine change least; MB are those
// of the HTML. Run it with -cpu 1: more than one processor adds what collecting garbage at the same
// time costs.
func BenchmarkExtract(b *testing.B) {
	path, pages, size := realBatch(b)
	b.ReportAllocs()
	before := stagetest.Processor()
	for b.Loop() {
		r := stagetest.MustRun(b, tool(), setup, "", "-links", filepath.Join(b.TempDir(), "links.zst"), path)
		if !r.Has(fmt.Sprint("in ", pages)) {
			b.Fatalf("not all of %d pages were read:\n%s", pages, r.Report)
		}
	}
	spent := (stagetest.Processor() - before).Seconds() / float64(b.N)
	b.ReportMetric(float64(size)/1e6/spent, "MB/cpu-s")
	b.ReportMetric(spent*1e6/float64(pages), "cpu-µs/page")
}

// realBatch writes a page batch of real pages, each as a server would send it, and gives their
// number and that of the bytes of their HTML.
func realBatch(b *testing.B) (path string, pages int, size int64) {
	var all []*warc.Exchange
	testkit.Pages(b, 8, func(name string, page []byte) bool {
		if url, err := canon.Parse("http://" + name); err == nil {
			all = append(all, stagetest.Answer(b, url+"\tdepth=3", htmlHead+"\r\nServer: real\r\n\r\n"+string(page)))
			size += int64(len(page))
		}
		return true
	})
	return stagetest.Pages(b, all...), len(all), size
}

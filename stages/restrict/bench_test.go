package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/testkit/stagetest"
)

// crawlRules are those of a crawl of one domain.
const crawlRules = "reject type image style as not-pages\nkeep domain test\nreject all as elsewhere\n"

func BenchmarkDecide(b *testing.B) {
	for name, url := range map[string]string{
		"plain": "http://h017.test/d4/p00111.html",
		"query": "http://www.example.org/some/where/2026/page-17.html?x=1&day=2026-10-11",
	} {
		b.Run(name, func(b *testing.B) {
			sc, s, rec := rulesOf(b, traps+crawlRules), &subject{year: 2026}, urlbatch.New(url)
			b.ReportAllocs()
			for b.Loop() {
				s.set(rec)
				sc.decide(s)
			}
		})
	}
}

// BenchmarkRestrict is the whole stage: a batch in, two batches out, a tenth of the URLs rejected.
func BenchmarkRestrict(b *testing.B) {
	const n = 100_000
	var lines []string
	for i := range n {
		page := i / 20
		url := fmt.Sprintf("http://h%03d.test/d%d/p%05d.html", (page+i*i%3)%100, i%7, i*7919%20000)
		if i%10 == 9 {
			url = fmt.Sprintf("http://h%03d.test/img/%d.gif", page%100, i%5)
		}
		lines = append(lines, fmt.Sprintf("%s\tdepth=%d\tvia=http://h%03d.test/d%d/p%05d.html", url, page%9, page%100,
			page%7, page))
	}
	in := stagetest.Write(b, "in.zst", lines...)
	for name, args := range map[string][]string{"rules": nil, "max-hosts": {"-max-hosts", "1000"}} {
		b.Run(name, func(b *testing.B) {
			before := stagetest.Processor()
			for b.Loop() {
				dir := b.TempDir()
				stagetest.MustRun(b, tool(), setup, "", append(args, "-rule", "reject type image style as not-pages",
					"-rule", "keep domain test", "-rule", "reject all as elsewhere",
					"-kept", filepath.Join(dir, "kept.zst"), "-rejected", filepath.Join(dir, "rejected.zst"), in)...)
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "URLs/s")
			b.ReportMetric(float64(stagetest.Processor()-before)/float64(n*b.N), "CPU-ns/URL")
		})
	}
}

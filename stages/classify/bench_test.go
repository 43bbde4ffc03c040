package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// BenchmarkPages runs the whole stage, files to files, on pages of some 10 KB: "topic" as in a
// crawl of topics, "tree" in a focused crawl, "content" and "none" for what copying costs. MB/s are
// those of pages, inflated.
func BenchmarkPages(b *testing.B) {
	model, nodes := worldModel(b), worldFile(b, world)
	const pages = 2000
	in, size := benchBatch(b, pages)
	for _, c := range []struct{ name, args string }{
		{"topic", "-model " + model},
		{"tree", "-by none -good nature -tree " + topicModel(b)},
		{"language", "-by language"},
		{"content", "-by content"},
		{"none", "-by none"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(size)
			start := stagetest.Processor()
			for i := range b.N {
				dir := filepath.Join(b.TempDir(), fmt.Sprint(i))
				if err := os.Mkdir(dir, 0o777); err != nil {
					b.Fatal(err)
				}
				args := append([]string{"-nodes", nodes, "-node", "arts", "-mine", dir + "/mine.warc.gz",
					"-outgoing", dir + "/x.warc.gz", "-report", dir + "/report"}, strings.Fields(c.args)...)
				v := pagesVerb()
				if code := stage.Run(context.Background(), v.Tool, v.Setup, append(args, in), nil, io.Discard,
					os.Stderr); code != 0 {
					b.Fatal("exit code ", code)
				}
			}
			b.ReportMetric(float64(b.N*pages)/(stagetest.Processor()-start).Seconds(), "pages/CPU-s")
		})
	}
}

// benchBatch writes a batch of pages in English, half of each tags.
func benchBatch(b *testing.B, pages int) (path string, size int64) {
	text, err := os.ReadFile("../../examples/words/sonnets.txt")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	random := rand.New(rand.NewPCG(1, 2))
	var all []answer
	for i := range pages {
		var page bytes.Buffer
		page.WriteString("<!doctype html><html><head><title>A page</title><script>var x = {a: 1};</script></head><body>")
		for page.Len() < 10_000 {
			fmt.Fprintf(&page, "<div class=\"item c%d\"><a href=\"/d%d/p%d.html\" title=\"more\">%s</a></div>\n",
				random.IntN(9), random.IntN(90), random.IntN(900), lines[random.IntN(len(lines))])
		}
		size += int64(page.Len())
		all = append(all, answer{fmt.Sprintf("http://h%03d.test/p%d.html\tdepth=3", i%50, i), ok, page.String()})
	}
	return batch(b, all...), size
}

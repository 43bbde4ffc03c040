package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// BenchmarkText runs the whole stage, files to files, on pages of some 10 KB, half of it text.
func BenchmarkText(b *testing.B) {
	const pages = 2000
	sonnets, err := os.ReadFile("../../examples/words/sonnets.txt")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(string(sonnets), "\n")
	menu := "<nav><ul>" + strings.Repeat("<li class=item><a href=/a/page/of/the/site.html>A page</a></li>", 60) +
		"</ul></nav>"
	var all []*warc.Exchange
	size := 0
	for i := range pages {
		body := "<title>A page</title>" + menu + "<main>"
		for k := 0; len(body) < 10_000; k++ {
			from := (i*37 + k*4) % (len(lines) - 4)
			body += "<div class=\"verse c1\"><p>" + strings.Join(lines[from:from+4], "<br>\n") + "</p></div>\n"
		}
		size += len(body)
		all = append(all, page(b, fmt.Sprintf("http://h%03d.test/%d", i%50, i), ok, body))
	}
	in, model := stagetest.Pages(b, all...), qualityModel(b, "good", "bad")
	for name, args := range map[string]string{"jsonl": "-jsonl x.jsonl.zst", "wet": "-wet x.warc.gz",
		"quality": "-jsonl x.jsonl.zst -quality " + model} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			start := stagetest.Processor()
			for range b.N {
				b.Chdir(b.TempDir())
				if code := stage.Run(context.Background(), tool(), setup, append(strings.Fields(args), "-report",
					filepath.Join(b.TempDir(), "report"), in), nil, io.Discard, os.Stderr); code != 0 {
					b.Fatal("exit code ", code)
				}
			}
			b.ReportMetric(float64(b.N*pages)/(stagetest.Processor()-start).Seconds(), "pages/CPU-s")
		})
	}
}

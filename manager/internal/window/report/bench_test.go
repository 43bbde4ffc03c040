package report

import (
	"fmt"
	"io"
	"testing"
	"time"

	"multitext/manager/internal/follow"
	"multitext/manager/internal/window/crawls"
)

// BenchmarkWrite writes the report of a crawl of 100,000 transactions, and 10,000 batches that
// wait. Its memory is what is taken in all, not what is held at once.
func BenchmarkWrite(b *testing.B) {
	w := newWorld(b, fmt.Sprintf(flow, 4), even)
	w.each = 10_000
	w.seed("fresh", 10_000, noon.Add(1e6*time.Hour))
	w.seed("links", 8, time.Time{})
	w.run(100_000)
	for b.Loop() {
		c := follow.New(w.script)
		var n count
		w.must(Write(b.Context(), io.MultiWriter(io.Discard, &n), &crawls.Crawl{Name: "c", Crawl: c}))
		b.ReportMetric(float64(n.N), "bytes")
		c.Close()
	}
}

// Write counts.
func (c *count) Write(text []byte) (int, error) { c.N += int64(len(text)); return len(text), nil }

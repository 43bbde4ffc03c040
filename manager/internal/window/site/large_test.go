package site

import (
	"os"
	"path/filepath"
	"testing"

	"multitext/txlog"
)

// BenchmarkLargeQueues makes pages of a crawl in which 100,000 batches wait, and which has exported
// as many.
func BenchmarkLargeQueues(b *testing.B) {
	w := newWorld(b)
	w.begin()
	for range 100 {
		c := &txlog.Commit{Tx: w.log.Number(), Stage: "one", Read: -1, Run: w.ran()}
		for part := range 1000 {
			name := txlog.FileName("m", c.Tx, part, "zst")
			c.Outputs = append(c.Outputs, txlog.Output{Name: txlog.Name("b/" + name), Size: 1, Hash: "0123456789abcdef", Records: 1})
			w.must(os.WriteFile(filepath.Join(w.script.Dir, "sent", name), nil, 0o666))
		}
		w.must(w.log.Append(c))
	}
	w.complete()
	for _, at := range []string{"queues", "queue/b", "queue/sent", "products"} {
		b.Run(at, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.page(200, at)
			}
		})
	}
}

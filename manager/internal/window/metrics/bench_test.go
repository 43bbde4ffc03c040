package metrics

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"multitext/manager/internal/window/crawls"
	"multitext/txlog"
)

// BenchmarkScrape scrapes a crawl in which 100,000 batches wait, and nothing has changed.
func BenchmarkScrape(b *testing.B) {
	var commits []txlog.Record
	for tx := uint64(4); tx < 104; tx++ {
		c := &txlog.Commit{Tx: tx, Read: -1}
		for part := range 1000 {
			c.Outputs = append(c.Outputs, batch("a", tx, part+1))
		}
		commits = append(commits, c)
	}
	all := []*crawls.Crawl{newCrawl(b, nil, commits...)}
	for b.Loop() {
		h := Handler(all) // which has no figures to use again
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil)); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

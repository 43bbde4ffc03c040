package webgraph

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
)

var (
	benchPages = flag.Int("pages", 20_000, "pages of the benchmark's graph, of ten links each")
	benchTake  = flag.Int("take", 50_000, "links of a run")
)

// BenchmarkGraph has the links of a graph come in, page by page, in many runs, ranks it whenever
// that is due, and tells what that took. A page has 0 to 20 links; targets follow a power law.
//
//	go test ./stages/internal/frontier/webgraph -run '^$' -bench Graph -benchtime 1x -pages 1000000
func BenchmarkGraph(b *testing.B) {
	bench(b, func(s *State) (passes int, err error) {
		o, err := s.Rank(func([]byte, float32) error { return nil })
		return o.Passes, err
	}, func(int) string { return "" })
}

// BenchmarkDistill has the same pages, of which all were judged and a quarter are relevant, and
// distills them. A million pages with ten million links took 11 s of CPU to take in, 7 s to save, and
// 12.5 s to distill 38 times, the last time 1.3 s for 3 rounds; the state had 82 bytes a page.
func BenchmarkDistill(b *testing.B) {
	bench(b, func(s *State) (passes int, err error) {
		d, err := s.Distill(Distilling{100, 0.5}, func(Wanted) error { return nil })
		return d.Rounds, err
	}, func(page int) string { return []string{"0.9", "0.1", "0.2", "0.4"}[page%4] })
}

func bench(b *testing.B, all func(s *State) (passes int, err error), worth func(page int) string) {
	for b.Loop() {
		c := &crawl{TB: b, dir: b.TempDir(), quick: true}
		t := &timed{crawl: c, b: b, over: all, batch: &urlbatch.Buffer{}}
		rnd, begin := rand.New(rand.NewPCG(7, 7)), cpu(b)
		rec := urlbatch.New("http://-/")
		for page := range *benchPages {
			for range rnd.IntN(21) {
				x := rnd.Float64()
				to := int(float64(*benchPages) * x * x * x) // the density at y is as y to the power of -2/3
				rec.Reset(fmt.Appendf(nil, "http://www.host%d.test/articles/%d.html", to%9973, to))
				rec.Set(urlbatch.Via, fmt.Sprintf("http://www.host%d.test/articles/%d.html", page%9973, page))
				t.batch.Add(rec)
			}
			if text := worth(page); text != "" {
				rec.Reset(fmt.Appendf(nil, "http://www.host%d.test/articles/%d.html", page%9973, page))
				rec.Set(urlbatch.Worth, text)
				t.batch.Add(rec)
			}
			if t.batch.Len() >= *benchTake {
				t.run()
			}
		}
		t.run()
		all := cpu(b) - begin
		size := int64(0)
		for _, path := range c.segments {
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			size += info.Size()
		}
		links := float64(t.links)
		b.ReportMetric(links/1e6, "Mlinks")
		b.ReportMetric(float64(t.pages)/1e6, "Mpages")
		b.ReportMetric(float64(t.take.Nanoseconds())/links, "ns-take/link")
		b.ReportMetric(float64((all-t.take-t.ranking).Nanoseconds())/links, "ns-save/link")
		b.ReportMetric(float64(t.ranking.Nanoseconds())/links, "ns-rank/link")
		b.ReportMetric(float64(t.ranked), "rankings")
		b.ReportMetric(float64(t.passes), "passes")
		b.ReportMetric(t.last.Seconds(), "s-last")
		b.ReportMetric(float64(t.lastPasses), "passes-last")
		b.ReportMetric(float64(size)/float64(t.pages), "bytes/page")
	}
}

// timed is the times of a crawl.
type timed struct {
	*crawl
	b                          *testing.B
	over                       func(s *State) (passes int, err error)
	batch                      *urlbatch.Buffer
	take, ranking, last        time.Duration
	ranked, passes, lastPasses int
	links, pages               uint64
}

// run takes in the batch.
func (t *timed) run() {
	t.crawl.run(func(s *State) {
		begin := cpu(t.b)
		if err := s.Take(t.batch); err != nil {
			t.b.Fatal(err)
		}
		taken := cpu(t.b)
		t.take += taken - begin
		if s.Due() {
			passes, err := t.over(s)
			if err != nil {
				t.b.Fatal(err)
			}
			t.last = cpu(t.b) - taken
			t.ranking += t.last
			t.ranked, t.passes, t.lastPasses = t.ranked+1, t.passes+passes, passes
		}
		t.links, t.pages = s.Links(), s.Pages()
	})
	t.batch.Reset()
}

// cpu is the CPU time of this process.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

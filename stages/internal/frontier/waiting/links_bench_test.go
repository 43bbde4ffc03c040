package waiting

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/testkit/stagetest"
)

// BenchmarkLinks counts links to URLs that wait, 80,000 in a run: half of them to hosts by a law of
// Zipf. A million URLs, 100,000 hosts. What lifting URLs costs is in it.
func BenchmarkLinks(b *testing.B) {
	const urls, hosts, ofRun, toBuild = 1_000_000, 100_000, 80_000, 100_000
	c, rnd := newCrawl(b), rand.New(rand.NewPCG(1, 1))
	by := c.orderOf("backlink")
	zipf := rand.NewZipf(rnd, 1.05, 20, hosts-1)
	host := func() uint64 {
		if rnd.IntN(2) == 0 {
			return zipf.Uint64()
		}
		return rnd.Uint64N(hosts)
	}
	known := make([]string, 0, urls)
	for len(known) < urls {
		c.unchecked(func(s *State) {
			for range toBuild {
				url := fmt.Sprintf("http://www.host%d.com/some/path/of/it/page-%d.html", host(), len(known))
				known = append(known, url)
				rec := c.parse(url + "\tdepth=3\tvia=http://www.host1.com/some/page.html")
				if _, err := s.Add(rec, order.Band(by, rec)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	var lines []string
	links, rose, took := 0, uint64(0), time.Duration(0)
	for b.Loop() {
		lines = lines[:0]
		for range ofRun {
			page := known[rnd.IntN(urls)]
			lines = append(lines, fmt.Sprintf("%s\tdepth=4\tvia=%s/x%d\tknown=1",
				known[int(urls*rnd.Float64()*rnd.Float64())],
				page[:strings.LastIndexByte(page, '/')], rnd.IntN(100)))
		}
		c.unchecked(func(s *State) {
			before, at := s.meta.stale, stagetest.Processor()
			for _, line := range lines {
				c.link(s, line)
			}
			if err := s.takeIn(); err != nil {
				b.Fatal(err)
			}
			took += stagetest.Processor() - at
			rose += s.meta.stale - before
		})
		links += ofRun
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took.Nanoseconds())/float64(links), "ns/link")
	b.ReportMetric(float64(rose)/float64(links), "lifted/link")
	b.ReportMetric(float64(len(c.Paths)), "segments")
}

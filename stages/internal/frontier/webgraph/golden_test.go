package webgraph

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var makeGolden = flag.Bool("golden", false, "write testdata anew: only before the format is released")

// TestGolden reads a state of version 1 and goes on with it. Its URLs fill two entries, and links
// came behind its ranks.
func TestGolden(t *testing.T) {
	const golden = "testdata/v1.seg"
	if *makeGolden {
		writeGolden(t, golden)
	}
	c := goldenCrawl(t, golden)
	c.run(func(s *State) {
		before := c.ranksOf(s)
		if s.Pages() != 310 || s.Links() != 299+9 || s.Due() || len(before) != 300 {
			t.Errorf("%d pages, %d links, due %v, %d ranks", s.Pages(), s.Links(), s.Due(), len(before))
		}
		c.take(s, "http://a.test/309\tvia=http://a.test/299")
		called := map[string]float32{}
		if _, err := s.Rank(func(url []byte, score float32) error {
			called[string(url)] = score
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(called) != 1 || called["http://a.test/309"] == 0 {
			t.Errorf("called: %v", called)
		}
	})
}

// goldenCrawl goes on with a copy of a segment.
func goldenCrawl(t *testing.T, golden string) *crawl {
	t.Helper()
	c := &crawl{TB: t, dir: t.TempDir()}
	whole, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	c.segments = []string{filepath.Join(c.dir, "v1")}
	if err := os.WriteFile(c.segments[0], whole, 0o666); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGoldenJudged reads a state of version 1 whose pages were judged and distilled, and goes on with
// it: when the links have doubled, the hub is wanted again.
func TestGoldenJudged(t *testing.T) {
	const golden = "testdata/v1-judged.seg"
	links := func(n int) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf("http://x%d.test/\tvia=http://hub.test/", i))
		}
		return lines
	}
	if *makeGolden {
		c := &crawl{TB: t, dir: t.TempDir()}
		c.run(func(s *State) {
			c.take(s, append(links(2), "http://hub.test/\tworth=0.75\tdepth=3", "http://x0.test/\tworth=1")...)
			if _, err := s.Distill(Distilling{9, 0.5}, func(Wanted) error { return nil }); err != nil {
				t.Fatal(err)
			}
			s.set.MergeAll()
		})
		if err := os.Rename(c.segments[0], golden); err != nil {
			t.Fatal(err)
		}
	}
	c := goldenCrawl(t, golden)
	c.run(func(s *State) {
		hubs, authorities, err := s.List(9, 9)
		if err != nil || len(hubs) != 1 || len(authorities) != 1 || hubs[0].Worth != 0.75 ||
			authorities[0].Value < 0.99 || s.Due() {
			t.Errorf("hubs %v, authorities %v, %v, due %v", hubs, authorities, err, s.Due())
		}
		c.take(s, links(4)...)
		wanted := ""
		if _, err := s.Distill(Distilling{9, 0.5}, func(w Wanted) error {
			wanted += fmt.Sprintf("%s %d %d, ", w.URL, w.Visit, w.Depth)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if wanted != "http://hub.test/ 1 3, http://x2.test/ 0 0, http://x3.test/ 0 0, " {
			t.Errorf("wanted: %s", wanted)
		}
	})
}

// writeGolden writes the state: page 0 links to itself and to 1 to 9, page 1 to 10 to 19 and so on,
// up to 29; in the second run 300 links to itself and nine more.
func writeGolden(t *testing.T, path string) {
	c := &crawl{TB: t, dir: t.TempDir()}
	for run := range 2 {
		c.run(func(s *State) {
			var lines []string
			for i := range 300 - 290*run {
				lines = append(lines, fmt.Sprintf("http://a.test/%d\tvia=http://a.test/%d", i+300*run, i/10+run*300))
			}
			c.take(s, lines...)
			if s.set.MergeAll(); run == 1 {
				return
			}
			if _, err := s.Rank(func([]byte, float32) error { return nil }); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := os.Rename(c.segments[0], path); err != nil {
		t.Fatal(err)
	}
}

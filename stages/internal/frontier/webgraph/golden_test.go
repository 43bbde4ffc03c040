package webgraph

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var makeGolden = flag.Bool("golden", false, "write testdata/v1.seg anew: only before the format is released")

// TestGolden reads a state of version 1 and goes on with it. Its URLs fill two entries, and links
// came behind its ranks.
func TestGolden(t *testing.T) {
	const golden = "testdata/v1.seg"
	if *makeGolden {
		writeGolden(t, golden)
	}
	c := &crawl{TB: t, dir: t.TempDir()}
	whole, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	c.segments = []string{filepath.Join(c.dir, "v1")}
	if err := os.WriteFile(c.segments[0], whole, 0o666); err != nil {
		t.Fatal(err)
	}
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

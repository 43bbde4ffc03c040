package waiting

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/state/ordered"
	"multitext/stages/internal/traffic/visits"
)

var makeGolden = flag.Bool("golden", false, "write testdata/v3 anew: only before the format is released")

// TestGolden reads a state of each version and goes on with it. They have hosts in all lanes, packed
// and plain chunks, URLs that were handed out, and standings; from version 2 on rows say how many
// records are stale, one has a low yield, standings have scores, and there are domains. In version 3 rows
// lie in front of all chunks.
func TestGolden(t *testing.T) {
	scored := []string{"127 wait", "98 of a.test", " had 1 pages, 1000 bytes", "0 http://a.test/7 ",
		"2 http://slow.test/2"}
	for dir, is := range map[string]golden{
		"testdata/v1": {"backlink", 1, []string{"124 wait", "98 of a.test", " had 0 pages, 0 bytes",
			"0 http://a.test/7 http://a.test/3",
			"2 http://slow.test/3"}},
		"testdata/v2": {"score", 8, scored},
		"testdata/v3": {"score", 8, scored},
	} {
		t.Run(dir, func(t *testing.T) { testGolden(t, dir, is) })
	}
}

type golden struct {
	order string
	share int
	want  []string
}

func testGolden(t *testing.T, dir string, is golden) {
	c := newCrawl(t)
	c.orderOf(is.order)
	c.rules.Slow = 10 * time.Second
	c.rules.Domain.Pages = 1000
	if *makeGolden && dir == "testdata/v3" {
		c.Dir = dir
		c.makeGolden()
	}
	c.Dir = t.TempDir()
	if err := os.CopyFS(c.Dir, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	c.Paths, c.Runs = []string{filepath.Join(c.Dir, "segment-2")}, 2 // it replaced the first
	c.now = c.now.Add(time.Hour)
	c.run(func(s *State) {
		if err := s.Check(t.Context(), func(err error) { t.Error(err) }); err != nil {
			t.Error(err)
		}
		d, err := s.domain("slow.test")
		if err != nil {
			t.Fatal(err)
		}
		said := []string{fmt.Sprint(s.Waiting(), " wait"),
			fmt.Sprint("the domain slow.test had ", d.answered, " pages, ", d.bytes, " bytes")}
		for _, h := range c.hosts(s) {
			said = append(said, fmt.Sprint(h.Waiting, " of ", h.Name))
			if h.Name == "failed.test" && h.Share != is.share {
				t.Errorf("%s has one part of %d of its turn, want %d", h.Name, h.Share, is.share)
			}
		}
		for lane, most := range map[Lane]int{Main: 5, Slow: 2} {
			urls := c.compose(s, Plan{Lane: lane, Longest: time.Minute, Most: most})
			said = append(said, fmt.Sprint(lane, " ", strings.Join(urls, " ")))
		}
		got := strings.Join(said, "; ")
		for _, want := range is.want {
			if !strings.Contains(got, want) {
				t.Errorf("want %q in %s", want, got)
			}
		}
	})
	c.check()
	if n := c.oldRows(); n > 0 {
		t.Errorf("%d rows lie among the chunks", n)
	}
}

// oldRows is the number of rows that lie where versions 1 and 2 had them.
func (c *crawl) oldRows() (n int) {
	set, err := ordered.OpenSet(listOf(c.t, c.Paths...), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	defer set.Close()
	for walk := set.Cursor(); ; {
		key, _, ok, err := walk.Next()
		if err != nil {
			c.t.Fatal(err)
		}
		if !ok {
			return n
		}
		if isOldRow(key) {
			n++
		}
	}
}

// makeGolden writes the newest state that TestGolden reads.
func (c *crawl) makeGolden() {
	defer os.Remove(filepath.Join(c.Dir, "list"))
	c.run(func(s *State) {
		c.add(s, 10, urlsOf("a.test", 100)...)
		c.add(s, 10, "https://b.test/x", "http://b.test:81/x")
		c.add(s, failed, "http://failed.test/")
		c.add(s, 10, urlsOf("slow.test", 30)...)
		c.compose(s, Plan{Longest: time.Minute, Most: 10})
	})
	c.now = c.now.Add(time.Minute)
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "slow.test", Asked: 1, Answered: 1, Pause: 20 * time.Second, Bytes: 1000})
		c.visit(s, visits.Visit{Host: "b.test", Asked: 1, Failed: 1, Unreached: "head-timeout"})
		c.judge(s, "a.test", "1", 900)
		c.judge(s, "failed.test", "0", 70)
		for i := range 5 {
			c.link(s, fmt.Sprintf("http://a.test/7\tknown=1\tscore=0.%d\tvia=http://c%d.test/", i+5, i))
		}
	})
}

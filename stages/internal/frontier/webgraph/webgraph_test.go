package webgraph

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/centrality"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/ordered"
)

// A crawl has runs, each on the segments that those before it have left.
type crawl struct {
	testing.TB
	dir      string
	segments []string
	runs     int
	quick    bool // segments are not verified
}

// run has do work on the state, and saves it.
func (c *crawl) run(do func(s *State)) {
	c.Helper()
	list := filepath.Join(c.dir, "list")
	if err := os.WriteFile(list, []byte(strings.Join(c.segments, "\n")), 0o666); err != nil {
		c.Fatal(err)
	}
	s, err := Open(list, nil, c.dir)
	if err != nil {
		c.Fatal(err)
	}
	defer s.Close()
	do(s)
	c.runs++
	path, rep := filepath.Join(c.dir, fmt.Sprint("segment-", c.runs)), report.New()
	if err := s.Save(output.NewRun(nil), path, rep); err != nil {
		c.Fatal(err)
	}
	reported := filepath.Join(c.dir, fmt.Sprint("report-", c.runs))
	if err := rep.WriteFile(reported); err != nil {
		c.Fatal(err)
	}
	text, _ := os.ReadFile(reported)
	c.segments = append(c.segments[:len(c.segments)-strings.Count(string(text), "\nreplaces ")], path)
	if c.quick {
		return
	}
	if err := ordered.VerifyFile(path, nil, Verify); err != nil {
		c.Fatal(err)
	}
}

// take has s take in records.
func (c *crawl) take(s *State, lines ...string) {
	c.Helper()
	b := &urlbatch.Buffer{}
	for _, line := range lines {
		rec, err := urlbatch.Parse([]byte(line))
		if err != nil {
			c.Fatal(line, err)
		}
		b.Add(rec)
	}
	if err := s.Take(b); err != nil {
		c.Fatal(err)
	}
}

// A model is the graph in memory.
type model struct {
	links map[string]map[string]bool
	pages map[string]bool
}

func (m *model) take(line string) {
	url, attrs, _ := strings.Cut(line, "\t")
	m.pages[url] = true
	if via, ok := strings.CutPrefix(attrs, "via="); ok {
		via = strings.ReplaceAll(via, "%25", "%")
		m.pages[via] = true
		if m.links[via] == nil {
			m.links[via] = map[string]bool{}
		}
		if via != url {
			m.links[via][url] = true
		}
	}
}

// ranks are those of the equation.
func (m *model) ranks() map[string]float64 {
	ranks := map[string]float64{}
	for range 80 {
		next := map[string]float64{}
		for page := range m.pages {
			next[page] = 0.15
		}
		for from, links := range m.links {
			for to := range links {
				next[to] += 0.85 * ranks[from] / float64(len(links))
			}
		}
		ranks = next
	}
	return ranks
}

// ranksOf are the ranks of the state, by URL.
func (c *crawl) ranksOf(s *State) map[string]float64 {
	c.Helper()
	ranks := map[string]float64{}
	if err := s.Each(func(url []byte, rank float32, _ bool) error {
		if rank > 0 {
			ranks[string(url)] = float64(rank)
		}
		return nil
	}); err != nil {
		c.Fatal(err)
	}
	return ranks
}

// TestRanks has links come in many runs, beside a model in memory: the ranks are those of the
// equation, but for 0.006 in the mean; a page is called when it has risen, and none else.
func TestRanks(t *testing.T) {
	c := &crawl{TB: t, dir: t.TempDir()}
	m := &model{links: map[string]map[string]bool{}, pages: map[string]bool{}}
	rnd := rand.New(rand.NewPCG(1, 1))
	url := func(n int) string { return fmt.Sprintf("http://h%d.test/%%%x", n%7, n) }
	ranked := 0
	for n := 1; c.runs < 60; {
		c.run(func(s *State) {
			for range 1 + rnd.IntN(3) { // portions
				var lines []string
				for range rnd.IntN(40) {
					line := url(n)
					if rnd.IntN(3) == 0 {
						line = url(rnd.IntN(n))
					} else {
						n++
					}
					if rnd.IntN(20) > 0 {
						page := url(int(float64(n) * rnd.Float64() * rnd.Float64()))
						line += "\tvia=" + strings.ReplaceAll(page, "%", "%25")
					}
					m.take(line)
					lines = append(lines, line)
				}
				c.take(s, lines...)
			}
			if int(s.Pages()) != len(m.pages) {
				t.Fatalf("run %d: %d pages, want %d", c.runs, s.Pages(), len(m.pages))
			}
			if !s.Due() {
				return
			}
			ranked++
			before := c.ranksOf(s)
			called := map[string]float32{}
			o, err := s.Rank(func(url []byte, score float32) error {
				called[string(url)] = score
				return nil
			})
			if err != nil || o.Change >= centrality.Enough {
				t.Fatal(o, err)
			}
			if s.Due() {
				t.Fatal("pages that were ranked are due")
			}
			if err := s.settle(); err != nil {
				t.Fatal(err)
			}
			m.hold(c, before, c.ranksOf(s), called)
		})
	}
	if ranked < 10 || ranked > 50 {
		t.Errorf("pages were ranked in %d of 60 runs", ranked)
	}
	if len(c.segments) > 12 {
		t.Errorf("%d segments are left of 60", len(c.segments))
	}
}

// hold compares ranks, and the pages that were called, with the model.
func (m *model) hold(c *crawl, before, ranks map[string]float64, called map[string]float32) {
	c.Helper()
	if len(ranks) != len(m.pages) {
		c.Fatalf("%d pages have ranks, want %d", len(ranks), len(m.pages))
	}
	off := 0.0
	for page, want := range m.ranks() {
		off += math.Abs(want - ranks[page])
		score := centrality.Score(float32(ranks[page]))
		rose := score > centrality.Score(float32(before[page])) && len(m.links[page]) == 0
		if got, ok := called[page]; ok != rose || ok && got != score {
			c.Errorf("run %d: %s is called %v with %v; rank %v, before %v", c.runs, page, ok, got, ranks[page],
				before[page])
		}
	}
	if off /= float64(len(ranks)); off > 0.006 {
		c.Errorf("run %d: ranks are off by %v in the mean", c.runs, off)
	}
}

// TestManyLinks: a page whose links change for ever has a bounded number of them.
func TestManyLinks(t *testing.T) {
	c := &crawl{TB: t, dir: t.TempDir()}
	for n := range 5 {
		c.run(func(s *State) {
			var lines []string
			for i := range 4000 {
				lines = append(lines, fmt.Sprintf("http://a.test/%d-%d\tvia=http://a.test/", n, i))
			}
			c.take(s, lines...)
			if want := min(n+1, 3) * 4000; int(s.Links()) != want || int(s.Pages()) != 1+4000*(n+1) {
				t.Errorf("run %d: %d links and %d pages, want %d links", n, s.Links(), s.Pages(), want)
			}
		})
	}
}

// TestManyPages has more pages than one entry has ranks of, and more URLs than one has of those.
func TestManyPages(t *testing.T) {
	c, called := &crawl{TB: t, dir: t.TempDir()}, 0
	for run := range 2 {
		c.run(func(s *State) {
			var lines []string
			for i := range 10_000 {
				lines = append(lines, fmt.Sprintf("http://a.test/%d%s\tvia=http://a.test/from%d", i%5000,
					strings.Repeat("x", i%60), run*5000+i/2))
			}
			c.take(s, lines...)
			s.most = 2
			if _, err := s.Rank(func(url []byte, _ float32) error {
				called++
				if bytes.Contains(url, []byte("from")) {
					t.Errorf("%s is called, and was fetched", url)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if n := s.fresh.Len(); n >= s.most {
				t.Errorf("%d entries of ranks are in memory, want less than %d", n, s.most)
			}
			if err := s.settle(); err != nil {
				t.Fatal(err)
			}
			ranks := c.ranksOf(s)
			if from := ranks["http://a.test/from1"]; len(ranks) != int(s.Pages()) || math.Abs(from-0.15) > 1e-6 {
				t.Errorf("%d ranks of %d pages; %v", len(ranks), s.Pages(), from)
			}
		})
	}
	if called < 5000 {
		t.Errorf("%d pages were called", called)
	}
}

// TestStrange: what is no page has no links, and a page that links to itself has none by that.
func TestStrange(t *testing.T) {
	c := &crawl{TB: t, dir: t.TempDir()}
	c.run(func(s *State) {
		c.take(s, "http://a.test/\tvia=http://a.test/", "http://b.test/\tvia=", "http://c.test/\tvia=x%00%0Ay",
			"http://a.test/%41\tvia=http://a.test/%2541")
		if s.Links() != 0 || s.Pages() != 4 {
			t.Errorf("%d links, %d pages", s.Links(), s.Pages())
		}
	})
}

// TestVerify: each entry is whole, and none that is cut or longer.
func TestVerify(t *testing.T) {
	var u urls
	e := &ordered.Entries{}
	u.add(7, []byte("http://a.test/7"), e)
	u.add(8, []byte("http://a.test/8"), e)
	chunk := func() []byte {
		lines, _, err := unpackURLs(8, packURLs(u.lines), nil)
		if err != nil || len(lines) != 2 {
			t.Fatal(lines, err)
		}
		return packURLs(u.lines)
	}()
	for _, x := range []struct {
		key   ordered.Key
		value []byte
	}{
		{keyOf(ofWhole, 0), (&whole{3, 2, 1}).pack()},
		{keyOf(ofNumber, 1<<63), []byte{5}},
		{keyOf(ofURLs, 8), chunk},
		{keyOf(ofLinks, 8), packLinks(nil, []uint32{0, 1, 300})},
		{keyOf(ofRanks, 2*inColumn), []byte{0, 0, 128, 63}},
		{keyOf(ofHubs, 0), []byte{0, 0, 0, 0}},
		{keyOf(ofAuthorities, inColumn), []byte{0, 0, 128, 63}},
		{keyOf(ofWorth, 9), judgement{0.5, 3}.pack()},
		{keyOf(ofAsked, 9), asking{1000, 2}.pack()},
	} {
		if err := Verify(x.key, x.value); err != nil {
			t.Errorf("%v: %v", x.key, err)
		}
		for _, bad := range [][]byte{x.value[:len(x.value)-1], append(slices.Clone(x.value), 0)} {
			if Verify(x.key, bad) == nil {
				t.Errorf("%v: %x is taken for whole", x.key, bad)
			}
		}
		if wrong := keyOf(x.key.Hi+70, x.key.Lo); Verify(wrong, x.value) == nil {
			t.Errorf("%v is taken for a key", wrong)
		}
	}
	for key, value := range map[ordered.Key]string{
		keyOf(ofRanks, 0): "\x00\x00\x80\xff", keyOf(ofURLs, 0): string(chunk),
		keyOf(ofRanks, 5): "\x00\x00\x80\x3f", keyOf(ofLinks, 5): "\x01\x00",
		keyOf(ofNumber, 0): "\xff\xff\xff\xff\x7f", keyOf(ofWorth, 0): "\x01\x00\x80\x3f\x00",
		keyOf(ofHubs, 1): "\x00\x00\x00\x00", keyOf(ofWorth, 1): "\x00\x00\xc0\x7f\x00",
		keyOf(ofAsked, mostPages): "\x01\x00"} {
		if Verify(key, []byte(value)) == nil {
			t.Errorf("%v: %x is taken for whole", key, value)
		}
	}
}

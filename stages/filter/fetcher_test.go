package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/sharing/partition"
	"multitext/stages/internal/testkit/stagetest"
)

// nodesFile writes a nodes.toml: four nodes and so many that joined, of which the last leave.
func nodesFile(t *testing.T, joined, leaving int) string {
	t.Helper()
	text := "nodes = 1\nurl = \"file:$FROM/outgoing/$TO\"\n"
	for i := range 4 + joined {
		text += fmt.Sprintf("[[node]]\nname = \"n%d\"\njoined = %t\nleaves = %t\n", i, i >= 4, i >= 4+joined-leaving)
	}
	path := filepath.Join(t.TempDir(), "nodes.toml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A sharer is the crawler of a node, as far as filter is concerned.
type sharer struct {
	crawl
	name    string
	nodes   string   // its nodes.toml
	coming  []string // records for filter
	waiting []string // records in its frontier
}

// run runs filter over the records, and returns those that stay and those for other nodes.
func (s *sharer) run(t *testing.T, records []string, recheck bool) (stay []string, away map[string][]string) {
	t.Helper()
	if len(records) == 0 {
		return nil, nil
	}
	s.runs++
	fresh := filepath.Join(s.dir, fmt.Sprint("fresh-", s.runs, ".zst"))
	segment := filepath.Join(s.dir, fmt.Sprint(s.runs))
	outgoing := filepath.Join(s.dir, fmt.Sprint("out-", s.runs))
	if err := os.Mkdir(outgoing, 0o777); err != nil {
		t.Fatal(err)
	}
	args := []string{"-seen", s.list(), "-fresh", fresh, "-nodes", s.nodes, "-node", s.name, "-by", "host",
		"-outgoing", filepath.Join(outgoing, "m-000000000001-00001.zst")}
	if recheck {
		args = append(args, "-recheck")
	} else {
		args = append(args, "-new", segment)
	}
	r := stagetest.MustRun(t, tool(), setup, strings.Join(records, "\n"), args...)
	s.paths = s.paths[:len(s.paths)-strings.Count(r.Report, "replaces ")]
	if _, err := os.Stat(segment); err == nil {
		s.paths = append(s.paths, segment)
	}
	os.WriteFile(s.list(), []byte(strings.Join(append(slices.Clone(s.paths), ""), "\n")), 0o666)
	away = map[string][]string{}
	files, _ := filepath.Glob(outgoing + "/*/*")
	for _, file := range files {
		to := filepath.Base(filepath.Dir(file))
		away[to] = append(away[to], stagetest.Lines(t, file)...)
	}
	return stagetest.Lines(t, fresh), away
}

// A collaboration is crawlers that pass each other batches. Where a batch is, and how long, is for
// chance.
type collaboration struct {
	*testing.T
	rnd      *rand.Rand
	all      []*sharer
	onTheWay []batch
	moves    int // URLs that went from one crawler to another that fetches them
	found    map[string]bool
	fetched  map[string]int
}

type batch struct {
	to      string
	records []string
}

// find has a crawler find a link, which classify links sends to the node that remembers it.
func (c *collaboration) find(one *sharer) {
	set, err := nodes.Load(one.nodes)
	if err != nil {
		c.Fatal(err)
	}
	remembers, err := partition.New("host", set.Remembering(), set.All()[0])
	if err != nil {
		c.Fatal(err)
	}
	url := fmt.Sprintf("http://h%d.test/%d", c.rnd.IntN(40), c.rnd.IntN(5))
	c.found[url] = true
	c.onTheWay = append(c.onTheWay, batch{remembers(urlbatch.New(url)).Name, []string{url}})
}

// left is how many batches and URLs are somewhere.
func (c *collaboration) left() int {
	n := len(c.onTheWay)
	for _, one := range c.all {
		n += len(one.coming) + len(one.waiting)
	}
	return n
}

// step has one crawler do one thing. A server that is busy gives a URL back.
func (c *collaboration) step(one *sharer, busy bool) {
	var away map[string][]string
	switch c.rnd.IntN(3) {
	case 0: // its gofer brings a batch
		if i := slices.IndexFunc(c.onTheWay, func(b batch) bool { return b.to == one.name }); i >= 0 {
			one.coming = append(one.coming, c.onTheWay[i].records...)
			c.onTheWay = slices.Delete(c.onTheWay, i, i+1)
		}
	case 1: // its filter takes what has come
		var stay []string
		stay, away = one.run(c.T, one.coming, false)
		one.coming, one.waiting = nil, append(one.waiting, stay...)
	case 2: // some that waited have their turn
		var stay []string
		n := c.rnd.IntN(len(one.waiting) + 1)
		stay, away = one.run(c.T, one.waiting[:n], true)
		one.waiting = slices.Clone(one.waiting[n:])
		for _, line := range stay {
			if busy && c.rnd.IntN(4) == 0 {
				one.waiting = append(one.waiting, line)
				continue
			}
			c.fetched[line]++
		}
	}
	for to, records := range away {
		c.onTheWay = append(c.onTheWay, batch{to, records})
		c.moves += len(records)
	}
}

// TestSharersFetchOnce has nodes join and leave while links are found. Each crawler gets a new
// nodes.toml at a time of its own. Yet each URL is fetched once, whatever the order of things, and in
// the end by the nodes alone that stay.
func TestSharersFetchOnce(t *testing.T) {
	stagetest.Secret(t)
	grown, shrunk := nodesFile(t, 1, 0), nodesFile(t, 1, 2)
	versions := []string{grown, shrunk, nodesFile(t, 1, 1), nodesFile(t, 0, 0), nodesFile(t, 0, 1)}
	const withLast = 3 // so many of them have the node that joined
	for seed := range uint64(2) {
		c := &collaboration{T: t, rnd: rand.New(rand.NewPCG(seed, 16)), found: map[string]bool{},
			fetched: map[string]int{}}
		for i := range 5 {
			c.all = append(c.all, &sharer{crawl: crawl{dir: t.TempDir()}, name: fmt.Sprint("n", i), nodes: grown})
		}
		for range 300 {
			at := c.rnd.IntN(len(c.all))
			c.find(c.all[at])
			if one := c.all[at]; c.rnd.IntN(10) == 0 {
				one.nodes = versions[c.rnd.IntN(len(versions))]
				if at == 4 {
					one.nodes = versions[c.rnd.IntN(withLast)]
				}
			}
			c.step(c.all[at], true)
		}
		before := len(c.fetched)
		for _, one := range c.all {
			one.nodes = shrunk
		}
		for c.left() > 0 {
			for _, one := range c.all {
				had := len(c.fetched)
				c.step(one, false)
				if len(c.fetched) > had && one.name >= "n3" {
					t.Errorf("crawl %d: %s fetches though it has left", seed, one.name)
				}
			}
		}
		for url := range c.found {
			if c.fetched[url] != 1 {
				t.Errorf("crawl %d: %s was fetched %d times", seed, url, c.fetched[url])
			}
		}
		if after := len(c.fetched) - before; len(c.fetched) != len(c.found) || after < 20 || c.moves < 40 {
			t.Errorf("crawl %d: %d URLs found, %d fetched, %d of them in the end; %d moves", seed, len(c.found),
				len(c.fetched), after, c.moves)
		}
	}
}

// TestFetchersByMode: a URL is sent on in the modes of exchange, and fetched here in the others.
func TestFetchersByMode(t *testing.T) {
	in := stagetest.Write(t, "a.zst", "http://h1.test/", "http://h2.test/", "http://h3.test/", "http://h4.test/")
	for mode, sends := range map[string]bool{"send": true, "later": true, "drop": false, "aside": false} {
		dir := t.TempDir()
		fresh := filepath.Join(dir, "fresh.zst")
		stagetest.MustRun(t, tool(), setup, "", "-fresh", fresh, "-nodes", nodesFile(t, 0, 0), "-node", "n0", "-by",
			"host", "-others", mode, "-outgoing", filepath.Join(dir, "m.zst"), in)
		if n := len(stagetest.Lines(t, fresh)); (n == 4) == sends {
			t.Errorf("-others %s: %d of 4 URLs are fetched here", mode, n)
		}
	}
	r := stagetest.Run(t, tool(), setup, "", "-nodes", nodesFile(t, 0, 0), "-node", "n0", "-by", "host", "-others", "sent",
		"-outgoing", filepath.Join(t.TempDir(), "m.zst"), in)
	if r.Code != stage.ExitUsage || !strings.Contains(r.Stderr, `did you mean "send"?`) {
		t.Errorf("-others sent: exit %d, %s", r.Code, r.Stderr)
	}
}

// TestMoved: a URL that another crawler let through passes though it was seen, if there are nodes.
// Without nodes moved=1 means nothing: nobody can have a URL pass again by it.
func TestMoved(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	c.filter(t, stagetest.Write(t, "a.zst", "http://a/", "http://b/"))
	in := stagetest.Write(t, "b.zst", "http://a/\tdepth=1\tmoved=1", "http://b/", "http://c/\tmoved=1")
	for _, at := range []struct{ flags, want []string }{
		{[]string{"-nodes", nodesFile(t, 0, 3), "-node", "n0", "-by", "host"},
			[]string{"http://a/\tdepth=1", "http://c/"}},
		{nil, []string{"http://c/\tmoved=1"}},
	} {
		dir := t.TempDir()
		fresh := filepath.Join(dir, "fresh.zst")
		r := stagetest.MustRun(t, tool(), setup, "", append(at.flags, "-seen", c.list(), "-fresh", fresh, "-outgoing",
			filepath.Join(dir, "m.zst"), in)...)
		counted := r.Has("count moved 2")
		if got := stagetest.Lines(t, fresh); !slices.Equal(got, at.want) || counted != (at.flags != nil) {
			t.Errorf("%q: %q passed, want %q; report:\n%s", at.flags, got, at.want, r.Report)
		}
	}
}

// TestFetchersOnePart: the URLs of a node are in one part, though more nodes get some than can have
// an open part. Wherever moved=1 was, it is the last attribute then, by which filter knows it.
func TestFetchersOnePart(t *testing.T) {
	var urls []string
	for i := range 1000 {
		urls = append(urls, fmt.Sprintf("http://h%d.test/\tmoved=1\tdepth=1", i))
	}
	s := &sharer{crawl: crawl{dir: t.TempDir()}, name: "n0", nodes: nodesFile(t, 76, 0)}
	stay, away := s.run(t, urls, false)
	files, _ := filepath.Glob(filepath.Join(s.dir, "out-*", "*", "*"))
	if len(away) != 79 || len(files) != len(away) || len(stay) > 50 {
		t.Errorf("%d nodes have got URLs in %d parts, and %d URLs stay", len(away), len(files), len(stay))
	}
	for node, lines := range away {
		if !strings.HasSuffix(lines[0], "/\tdepth=1\tmoved=1") {
			t.Errorf("%s has got %q", node, lines[0])
		}
	}
}

package simulate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
)

// small is a graph of one host whose pages are fetched in an order that can be worked out by hand.
//
//	0 ─► 1 2 3    1 ─► 4 5    2 ─► 5    3 ─► 6 5    4 ─► 7    5 ─► 8    6 ─► (nothing)
func small() *Graph {
	return graphOf([][]uint32{{1, 2, 3}, {4, 5}, {5}, {6, 5}, {7}, {8}, {}, {}, {}},
		func(int) string { return "a.test" })
}

func graphOf(links [][]uint32, host func(i int) string) *Graph {
	g := &Graph{Links: links}
	for i := range links {
		g.URLs = append(g.URLs, fmt.Sprintf("http://%s/%d", host(i), i))
	}
	return g
}

func rules(t testing.TB, g *Graph, name string, seeds ...uint32) Rules {
	t.Helper()
	r := Rules{Batch: 1}
	switch name {
	case "backlink":
		name, r.Scorer = "score", g.Backlink()
	case "opic":
		name, r.Scorer = "score", g.OPIC(seeds)
	case "pagerank":
		name, r.Scorer = "score", g.PageRank()
	case "oracle":
		weights := make([]float64, len(g.URLs))
		for i, n := range g.InDegree() {
			weights[i] = float64(n)
		}
		name, r.Scorer = "score", Oracle(weights)
	}
	var err error
	if r.Order, err = order.New(name, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

func crawled(t testing.TB, g *Graph, seeds []uint32, r Rules) []uint32 {
	t.Helper()
	pages, err := g.Crawl(seeds, r)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// TestByHand: the order of a small graph.
func TestByHand(t *testing.T) {
	for _, test := range []struct {
		order string
		batch int
		want  []uint32
	}{
		{"breadth", 1, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8}},
		// Behind 0 and 1 wait 2 and 3 at depth 1, 4 and 5 at depth 2; 4 leads to 7 at depth 3.
		{"depth", 1, []uint32{0, 1, 4, 7, 5, 8, 2, 3, 6}},
		// The batch {1 2} knows nothing of 4, which is deeper, and {3 4} is full without 5.
		{"depth", 2, []uint32{0, 1, 2, 4, 5, 7, 8, 3, 6}},
		// Behind 0 and 1 all have one link; in a band the oldest is first. 2 is the second page that links
		// to 5, which has two then and a better band.
		{"backlink", 1, []uint32{0, 1, 2, 5, 3, 4, 8, 6, 7}},
		// Cash: 0 gives 1/3 to each of 1 2 3; 1 gives 1/6 to each of 4 and 5; 2 gives 1/3 to 5, which has 1/2 then:
		// a better band than that of 3. 5 gives all of it to 8. 3 gives 1/6 to 6, which is younger than 4.
		{"opic", 1, []uint32{0, 1, 2, 5, 8, 3, 4, 6, 7}},
		// Links in all: 5 has three, the others one.
		{"oracle", 1, []uint32{0, 1, 5, 2, 3, 4, 8, 6, 7}},
		{"breadth", 100, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		g := small()
		r := rules(t, g, test.order, 0)
		r.Batch = test.batch
		if got := crawled(t, g, []uint32{0}, r); !slices.Equal(got, test.want) {
			t.Errorf("%s, batches of %d: %v, want %v", test.order, test.batch, got, test.want)
		}
	}
}

var names = []string{"breadth", "depth", "random", "backlink", "opic", "pagerank", "oracle"}

// synthetic is a graph with so many pages and ten times as many links, on hosts of 100 pages. Half of
// the links are to pages with links, half to any page.
func synthetic(n int) *Graph {
	random, links, targets := rand.New(rand.NewPCG(1, 2)), make([][]uint32, n), []uint32{0}
	for i := range links {
		for range 10 {
			to := uint32(random.IntN(n))
			if random.IntN(2) == 0 {
				to = targets[random.IntN(len(targets))]
			}
			if to != uint32(i) && !slices.Contains(links[i], to) {
				links[i], targets = append(links[i], to), append(targets, to)
			}
		}
	}
	return graphOf(links, func(i int) string { return fmt.Sprintf("h%d.test", i/100) })
}

// TestEachOnce: under every order, size of batches and pause, a crawl fetches what can be reached,
// each page once, and the same again in the same order.
func TestEachOnce(t *testing.T) {
	g := synthetic(300)
	g.Links[7] = nil
	reachable := len(crawled(t, g, []uint32{3, 5}, rules(t, g, "breadth")))
	if reachable < 250 {
		t.Fatalf("%d pages can be reached", reachable)
	}
	for _, name := range names {
		for _, batch := range []int{1, 10, 1000} {
			for _, pause := range []time.Duration{0, time.Second} {
				var before []uint32
				for range 2 {
					if pause > 0 && (batch == 1 || name == "pagerank") {
						continue // it takes long
					}
					r := rules(t, g, name, 3, 5)
					r.Batch, r.Pause, r.Span = batch, pause, time.Minute
					got := crawled(t, g, []uint32{3, 5}, r)
					if before != nil && !slices.Equal(before, got) {
						t.Errorf("%s, batches of %d, pause %v: another order the second time", name, batch, pause)
					}
					before = slices.Clone(got)
					slices.Sort(got)
					if n := len(got); n != reachable || len(slices.Compact(got)) != n {
						t.Errorf("%s, batches of %d, pause %v: %d pages, want %d, each once", name, batch, pause, n,
							reachable)
					}
				}
			}
		}
	}
}

// batches is a Scorer of equal scores that notes the batches.
type batches struct {
	fixed
	all [][]uint32
}

func (b *batches) Fetched(pages []uint32, _ func(uint32)) error {
	b.all = append(b.all, slices.Clone(pages))
	return nil
}

// TestPause: with a pause, batches have as many URLs of each host as there is time for in Span, once
// it is known that so many wait and that the host answers; never more.
func TestPause(t *testing.T) {
	links := make([][]uint32, 201)
	for i := range uint32(200) {
		links[0] = append(links[0], i+1)
	}
	g := graphOf(links, func(i int) string { return fmt.Sprintf("h%d.test", i%2) })
	r, seen := rules(t, g, "breadth"), &batches{fixed: make(fixed, 201)}
	r.Batch, r.Pause, r.Span, r.Scorer = 50, time.Second, 10*time.Second, seen
	if got := crawled(t, g, []uint32{0}, r); len(got) != 201 {
		t.Errorf("%d pages, want 201", len(got))
	}
	most := 0
	for _, batch := range seen.all {
		of := [2]int{}
		for _, page := range batch {
			of[page%2]++
		}
		most = max(most, of[0], of[1])
	}
	if most != 10 {
		t.Errorf("a batch of ten seconds has %d URLs of a host, want 10", most)
	}
}

// TestClasses: each class of a Scorer has a band of its own, in order.
func TestClasses(t *testing.T) {
	g := small()
	c := &crawl{Rules: rules(t, g, "oracle")}
	for class := range uint8(last + 1) {
		if got := bandOf(t, c.Order, score(class)); got != class {
			t.Errorf("class %d has band %d", class, got)
		}
	}
}

func BenchmarkCrawl(b *testing.B) {
	g := synthetic(100_000)
	for _, name := range names {
		for _, batch := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", name, batch), func(b *testing.B) {
				for b.Loop() {
					r := rules(b, g, name, 0)
					r.Batch = batch
					crawled(b, g, []uint32{0}, r)
				}
			})
		}
	}
}

func bandOf(t *testing.T, o *order.Order, score string) uint8 {
	t.Helper()
	rec := urlbatch.New("http://a.test/")
	rec.Set(urlbatch.Score, score)
	return order.Own(o, rec)
}

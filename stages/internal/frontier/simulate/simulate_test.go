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

func rules(t testing.TB, g *Graph, name string) Rules {
	t.Helper()
	r := Rules{Batch: 1}
	switch name {
	case "pagerank":
		r.Ranks = true
	case "oracle":
		weights := make([]float64, len(g.URLs))
		for i, n := range g.InDegree() {
			weights[i] = float64(n)
		}
		name, r.Scores = "score", Oracle(weights)
	}
	var err error
	if r.Order, err = order.New(name, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

func crawled(t testing.TB, g *Graph, seeds []uint32, r Rules) []uint32 {
	t.Helper()
	o, err := g.Crawl(seeds, r)
	if err != nil {
		t.Fatal(err)
	}
	return o.Pages
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
		// Behind 1, R(4) = R(5) = 0.15 + 0.85·R(1)/2 are in a better class than R(2) = R(3) = R(1), and 4 is older;
		// 7 has all of 4, and 8 all of 5.
		{"pagerank", 1, []uint32{0, 1, 4, 7, 5, 8, 2, 3, 6}},
		// Links in all: 5 has three, the others one.
		{"oracle", 1, []uint32{0, 1, 5, 2, 3, 4, 8, 6, 7}},
		{"breadth", 100, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		g := small()
		r := rules(t, g, test.order)
		r.Batch = test.batch
		if got := crawled(t, g, []uint32{0}, r); !slices.Equal(got, test.want) {
			t.Errorf("%s, batches of %d: %v, want %v", test.order, test.batch, got, test.want)
		}
	}
}

// TestFocus: links have the worth of their page. 3, which is worth more than 1, lifts 5 behind 6; 2 is
// worth nothing and lowers nothing. 4 has a link of 1 alone. Scores are of no account.
func TestFocus(t *testing.T) {
	g := small()
	r := rules(t, g, "score")
	r.Worth, r.Focus = []float64{0.5, 0.2, 0, 0.9, 0, 1, 0, 0, 0}, true
	r.Scores = []float64{0, 0, 0, 0, 1, 0, 0, 1, 0}
	if got, want := crawled(t, g, []uint32{0}, r), []uint32{0, 1, 2, 3, 6, 5, 8, 4, 7}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if r.Focus = false; crawled(t, g, []uint32{0}, r)[2] != 4 {
		t.Error("without Focus Scores are of no account, either")
	}
}

// TestHubs: 1 and 2 link to 4, of another site, which is relevant, so they are hubs. When that is known,
// 5 rises above 10, the best that waits, because 2 links to it. 8 and 9 are of the site of 1 and do not.
func TestHubs(t *testing.T) {
	g := graphOf([][]uint32{{1, 2, 3}, {4, 8, 9}, {4, 5}, {6, 7}, {10}, {}, {}, {}, {}, {}, {}},
		func(i int) string { return fmt.Sprintf("%c.test", "abcdefghbbi"[i]) })
	r := rules(t, g, "score")
	r.Worth, r.Focus = []float64{1, 0.25, 0.2, 0.3, 0.6, 0, 0, 0, 0, 0, 0}, true
	for hubs, want := range [][]uint32{{0, 2, 3, 1, 6, 7, 4, 10, 8, 9, 5}, {0, 2, 3, 1, 6, 7, 4, 10, 8, 9, 5},
		{0, 2, 3, 1, 6, 7, 4, 5, 10, 8, 9}} {
		if r.Hubs = hubs; !slices.Equal(crawled(t, g, []uint32{0}, r), want) {
			t.Errorf("%d hubs: %v, want %v", hubs, crawled(t, g, []uint32{0}, r), want)
		}
	}
}

var names = []string{"breadth", "depth", "random", "backlink", "backlink-others", "opic", "backlink=2,depth",
	"pagerank", "oracle"}

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
					r := rules(t, g, name)
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

// TestPause: with a pause, batches have as many URLs of each host as there is time for in Span, once
// it is known that so many wait and that the host answers; never more.
func TestPause(t *testing.T) {
	links := make([][]uint32, 201)
	for i := range uint32(200) {
		links[0] = append(links[0], i+1)
	}
	g := graphOf(links, func(i int) string { return fmt.Sprintf("h%d.test", i%2) })
	r := rules(t, g, "breadth")
	r.Batch, r.Pause, r.Span = 50, time.Second, 10*time.Second
	most, all := 0, 0
	for _, batch := range batches(t, g, []uint32{0}, r) {
		of := [2]int{}
		for _, page := range batch {
			of[page%2]++
		}
		most, all = max(most, of[0], of[1]), all+len(batch)
	}
	if all != 201 || most != 10 {
		t.Errorf("%d pages, want 201; a batch of ten seconds has %d URLs of a host, want 10", all, most)
	}
}

// TestFull: without a pause a batch is full, as long as enough pages wait, in an order that has stale
// copies in the state, too.
func TestFull(t *testing.T) {
	g := synthetic(300)
	for _, name := range names {
		r := rules(t, g, name)
		r.Batch = 20
		all := batches(t, g, []uint32{3}, r)
		for i, batch := range all[2 : len(all)-3] {
			if len(batch) != 20 {
				t.Errorf("%s: batch %d of %d has %d pages", name, i+2, len(all), len(batch))
			}
		}
	}
}

// batches is the batches of a crawl.
func batches(t *testing.T, g *Graph, seeds []uint32, r Rules) (all [][]uint32) {
	t.Helper()
	r.began = func(batch []uint32) {
		if len(batch) > 0 {
			all = append(all, slices.Clone(batch))
		}
	}
	crawled(t, g, seeds, r)
	return all
}

// TestScores: each class of a score has a band of its own, in order.
func TestScores(t *testing.T) {
	by, err := order.New("score", nil)
	if err != nil {
		t.Fatal(err)
	}
	for class := range uint8(last + 1) {
		rec := urlbatch.New("http://a.test/")
		rec.Set(urlbatch.Score, fmt.Sprint(classScore(class)))
		if got := order.Own(by, rec); got != class {
			t.Errorf("class %d has band %d", class, got)
		}
	}
}

// TestExact: an exact order takes the page with the most at each step, and all that can be reached.
func TestExact(t *testing.T) {
	g := synthetic(300)
	reachable := len(crawled(t, g, []uint32{3}, rules(t, g, "breadth")))
	links := make([]int, len(g.URLs))
	pages, err := g.Exact([]uint32{3}, func(p *Known) float64 { return float64(p.Links.All) }, false, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	done := map[uint32]bool{}
	for i, page := range pages {
		for other, n := range links {
			if n > links[page] && !done[uint32(other)] {
				t.Fatalf("page %d of the crawl has %d links, another has %d", i, links[page], n)
			}
		}
		done[page] = true
		for _, to := range g.Links[page] {
			links[to]++
		}
	}
	if len(done) != reachable || len(pages) != reachable {
		t.Errorf("%d pages, %d of them other than those before; want %d", len(pages), len(done), reachable)
	}
}

// TestExactByHand: where classes tell apart what an exact order does, the orders are the same.
func TestExactByHand(t *testing.T) {
	for name, by := range map[string]func(*Known) float64{
		"breadth":  func(p *Known) float64 { return -float64(p.Depth) },
		"depth":    func(p *Known) float64 { return float64(p.Depth) },
		"backlink": func(p *Known) float64 { return float64(p.Links.All) },
		"opic":     func(p *Known) float64 { return p.Links.Cash },
	} {
		g := small()
		got, err := g.Exact([]uint32{0}, by, false, 1, 0)
		if want := crawled(t, g, []uint32{0}, rules(t, g, name)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
	// 2 is of another domain than 0 and has one link from there; 1 has two, from its own.
	g := &Graph{URLs: []string{"http://a.test/0", "http://a.test/1", "http://b.test/2", "http://b.test/3"},
		Links: [][]uint32{{1, 2}, {}, {1, 3}, {}}}
	got, err := g.Exact([]uint32{0}, func(p *Known) float64 { return float64(p.Links.Others) }, false, 1, 0)
	if want := []uint32{0, 2, 1, 3}; err != nil || !slices.Equal(got, want) {
		t.Errorf("links of others: %v, %v, want %v", got, err, want)
	}
}

// TestCrawlers: several crawlers fetch what one does, each page once, and each its own; a link to a
// page of another is known a batch later than one of their own.
func TestCrawlers(t *testing.T) {
	g := synthetic(1000)
	for _, name := range names {
		r := rules(t, g, name)
		r.Batch, r.Crawlers = 32, 4
		r.Owner = func(page uint32) int { return int(page) / 100 % 4 }
		got := crawled(t, g, []uint32{3, 500}, r)
		slices.Sort(got)
		r.Crawlers = 1
		want := crawled(t, g, []uint32{3, 500}, r)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: four crawlers fetch %d pages, one %d", name, len(got), len(want))
		}
	}
	chain := graphOf([][]uint32{{1, 2}, {3}, {4}, {}, {}}, func(i int) string { return fmt.Sprintf("h%d.test", i) })
	r := rules(t, chain, "breadth")
	r.Batch, r.Crawlers, r.Owner = 2, 2, func(page uint32) int { return []int{0, 0, 1, 0, 1}[page] }
	// 0 and 1 are of the first, which goes on at once; the second has the link to 2 a batch later.
	if got := fmt.Sprint(batches(t, chain, []uint32{0}, r)); got != "[[0] [1] [3] [2] [4]]" {
		t.Errorf("the batches are %s", got)
	}
}

func BenchmarkCrawl(b *testing.B) {
	g := synthetic(100_000)
	for _, name := range names {
		for _, batch := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", name, batch), func(b *testing.B) {
				for b.Loop() {
					r := rules(b, g, name)
					r.Batch = batch
					crawled(b, g, []uint32{0}, r)
				}
			})
		}
	}
}

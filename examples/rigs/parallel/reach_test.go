package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/web"
)

// six are pages of two crawlers, 0 1 2 of the first and 3 4 5 of the second.
//
//	0 ─► 1 3    1 ─► 4    2 ─► 3 4    3 ─► 5 1    4 ─► 2    5 ─► 0
func six() *named {
	w := &web.Web{}
	for i, links := range [][]int{{1, 3}, {4}, {3, 4}, {5, 1}, {2}, {0}} {
		w.Pages = append(w.Pages, web.Page{URL: "http://a.test/"[:12+i/3], Host: "a.test", Size: 10 + i, Links: links})
	}
	return newNamed("six", w)
}

var halves = []uint16{0, 0, 0, 1, 1, 1}

// TestFirewall: own links alone are followed, each from the seeds of their owner.
func TestFirewall(t *testing.T) {
	on := six()
	for _, test := range []struct {
		seeds []uint32
		want  []uint32
	}{{[]uint32{0}, []uint32{0, 1}}, {[]uint32{3, 2}, []uint32{2, 3, 5}}, {nil, nil}, {[]uint32{4}, []uint32{4}}} {
		if got := firewall(on.links, halves, test.seeds); !slices.Equal(got, on.marks(test.want)) {
			t.Errorf("from %d: %v, want %d", test.seeds, got, test.want)
		}
	}
	if got := sum(reach(on.links, []uint32{0})); got != 6 {
		t.Errorf("one crawler fetches %d pages", got)
	}
	if got := on.apiece(halves, 2, []uint32{0, 4, 1}); got != 12 {
		t.Errorf("two crawlers fetch %d pages, want all 6 twice", got)
	}
}

// TestCount: of the six pages all have been fetched, and 0, 1 and 5 alone.
func TestCount(t *testing.T) {
	on := six()
	// Links to others are 0→3 1→4 2→3 2→4 3→1 4→2 5→0; as URLs of each crawler 3, 4, and 1, 2, 0.
	all := on.count(halves, 2, on.marks([]uint32{0, 1, 2, 3, 4, 5}), nil)
	if want := (tally{pages: 6, load: 1, bytes: 75, each: 7, ever: 5, sent: 2*14 + 3*13, whole: 13 + 14 + 11 + 12 + 10,
		found: 7}); all != want {
		t.Errorf("of all: %+v\nwant    %+v", all, want)
	}
	some := on.count(halves, 2, on.marks([]uint32{0, 1, 5}), on.marks([]uint32{4}))
	// Links to others are 0→3 and 5→0, for 4 is known; 5 is a seed, 3 was not fetched.
	want := tally{pages: 3, load: 4. / 3, bytes: 36, each: 2, ever: 2, sent: 14 + 13, whole: 13 + 10, found: 4}
	if some != want {
		t.Errorf("of some: %+v\nwant     %+v", some, want)
	}
}

// TestSeeds: each crawler has as many seeds as it owns pages, at most.
func TestSeeds(t *testing.T) {
	order := []int{5, 0, 4, 3, 2, 1}
	if got := ofEach(order, []uint16{0, 1, 1, 1, 1, 1}, 2); !slices.Equal(got, []uint32{5, 0, 4}) {
		t.Errorf("seeds %d", got)
	}
	if got := first(order, 9); !slices.Equal(got, []uint32{5, 0, 4, 3, 2, 1}) {
		t.Errorf("the first are %d", got)
	}
	l := &lab{}
	on := l.named("six", six().Web)
	if a, b := l.seeds(on, 0), l.seeds(on.rewired, 0); !slices.Equal(a, b) {
		t.Errorf("seeds %d, and %d where the links are shuffled", a, b)
	}
}

// TestPopular: 0 is linked by all pages, 1 by half of them; an earlier crawl has seen that, and a lot does not.
func TestPopular(t *testing.T) {
	random, w := rand.New(rand.NewPCG(1, 2)), &web.Web{}
	for i := range 400 {
		p := web.Page{Links: []int{0}}
		if i%2 == 0 {
			p.Links = append(p.Links, 1)
		}
		w.Pages = append(w.Pages, web.Page{Links: append(p.Links, 2+random.IntN(398))})
	}
	l, on := &lab{}, newNamed("hubs", w)
	for by, want := range map[string]bool{earlier: true, itself: true, lots: false} {
		if got := l.popular(on, by); slices.Equal(got[:2], []int{0, 1}) != want || len(got) != 400 {
			t.Errorf("%s: the most popular are %d", by, got[:2])
		}
	}
	in := make([]int, 400)
	for _, p := range w.Pages {
		for _, to := range p.Links {
			in[to]++
		}
	}
	fewer := func(a, b int) int { return in[b] - in[a] }
	if !slices.IsSortedFunc(l.popular(on, itself), fewer) || slices.IsSortedFunc(l.popular(on, earlier), fewer) {
		t.Error("all links say what an earlier crawl says of half of the pages")
	}
}

// TestOverlapAt: pages are fetched twice from the third on.
func TestOverlapAt(t *testing.T) {
	got := overlapAt([]uint32{1, 2, 1, 3, 2, 4}, 5, []int{40, 60, 80, 100})
	for i, want := range []float64{0, 1. / 3, 2. / 4, math.NaN()} {
		if math.Abs(got[i]-want) > 1e-9 || math.IsNaN(want) != math.IsNaN(got[i]) {
			t.Errorf("overlap %v", got)
			break
		}
	}
}

// TestEndOf: of a crawl as many pages count as there are best ones.
func TestEndOf(t *testing.T) {
	c := &advised.Crawl{Pages: []uint32{7, 9, 2, 3}, Sent: advised.Counts{Batch: 6, Ever: 4}}
	if got := endOf(c, []uint32{2, 3, 7}, 3); got != (end{2. / 3, 1.5}) {
		t.Errorf("%+v, want two of three, and 6 sent for 4 pages", got)
	}
	if got := endOf(c, []uint32{2, 3, 7}, 4); !math.IsNaN(got.quality) {
		t.Errorf("with more seeds than best pages: %+v", got)
	}
}

// TestSamePages: whose pages they are counts, and how often; their order does not.
func TestSamePages(t *testing.T) {
	a := [][]uint32{{1, 2, 2}, {3}}
	if !samePages(a, [][]uint32{{2, 1, 2}, {3}}) {
		t.Error("another order is another crawl")
	}
	for _, b := range [][][]uint32{{{1, 2}, {3}}, {{3}, {1, 2, 2}}, {{1, 2, 2}}, {{1, 2, 3}, {2}}} {
		if samePages(a, b) {
			t.Errorf("%d is the same as %d", b, a)
		}
	}
	if got := different(a); got != 3 {
		t.Errorf("%d different pages, want 3", got)
	}
}

// TestDescribe: five of the nine links lead from host to host.
func TestDescribe(t *testing.T) {
	on := six()
	for page := range on.Pages {
		on.Pages[page].Host = []string{"a.test", "a.test", "b.test"}[page/2]
	}
	if got, hosts := on.between(), on.hosts(); got != 5./9 || len(hosts) != 2 || hosts["a.test"] != 4 {
		t.Errorf("%v of the links lead from host to host; hosts %v", got, hosts)
	}
}

package synthetic

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func source() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func parameters(t testing.TB) Parameters {
	t.Helper()
	p, err := ReadParameters()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestModels: every model grows as many pages as are wanted, with links to other pages, each once;
// the same source gives the same web, and another one another.
func TestModels(t *testing.T) {
	p := parameters(t)
	for _, name := range []string{"copying", "hierarchy", "block"} {
		m, err := p.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		const pages = 20_000
		w := m.Grow(pages, source())
		if len(w.Host) != pages || len(w.Links) != pages {
			t.Fatalf("%s: %d hosts, %d lists of links, want %d", name, len(w.Host), len(w.Links), pages)
		}
		for from, links := range w.Links {
			sorted := slices.Sorted(slices.Values(links))
			if n := len(slices.Compact(sorted)); n != len(links) || slices.Contains(links, uint32(from)) {
				t.Fatalf("%s: page %d has the links %v", name, from, links)
			}
		}
		if !reflect.DeepEqual(w, m.Grow(pages, source())) {
			t.Errorf("%s: another web from the same source", name)
		}
		if reflect.DeepEqual(w, m.Grow(pages, rand.New(rand.NewPCG(1, 3)))) {
			t.Errorf("%s: the same web from another source", name)
		}
		if f := w.Fit(p.Tail); !(math.Abs(f.Within-0.967) < 0.03) {
			t.Errorf("%s: %.3f of the links are within a host", name, f.Within)
		}
	}
	if _, err := p.Named("x"); err == nil {
		t.Error("there is a model x")
	}
}

// TestCopying: from the first page all are reached, for the prototype of a page links to it; and of
// the links of a page that begins with copies alone none is new.
func TestCopying(t *testing.T) {
	c := parameters(t).Copying
	w := c.Grow(5000, source())
	if i := slices.Index(w.depths([]uint32{0}), -1); i >= 0 {
		t.Errorf("page %d is not reached", i)
	}
	some := c.Grow(5000, source()).Fit(10).In
	c.Copied = 0
	if none := c.Grow(5000, source()).Fit(10).In; math.Abs(none-some) < 0.02 {
		t.Errorf("the exponent of in-degrees is %.2f with copies and %.2f without", some, none)
	}
	c.Copied, c.Out = 1, Law{3, 1, 2}
	g := newGrower(make([]uint32, 4))
	g.begin(3)
	c.links(g, []uint32{2, 1}, []uint32{0}, source())
	if !slices.Contains(g.sum, 2) || slices.Contains(g.sum, 0) {
		t.Errorf("copies of the links to 2 and 1 lead to %v", g.sum)
	}
	own, count := make([]uint32, 1000), 0
	for i := range own {
		own[i] = uint32(i)
	}
	g = newGrower(make([]uint32, 1001))
	g.begin(1000)
	Copying{Out: Law{2, 100, 101}, Within: 1, Skew: 6}.links(g, nil, own, source())
	for _, to := range g.sum {
		if to < 100 {
			count++
		}
	}
	if n := len(g.sum); 4*count < n { // of the draws 0.1^(1/6), 68 %, but each page is linked once
		t.Errorf("%d of %d links lead to the oldest tenth of a host", count, n)
	}
}

// TestHierarchy: a page is as deep below the root of its host as in its tree.
func TestHierarchy(t *testing.T) {
	h := Hierarchy{Sizes: Law{2, 40, 41}, Branches: 3, Menu: Law{2, 1, 1}, Out: Law{2, 0.5, 0.9}}
	w := h.Grow(40, source())
	depths := w.depths([]uint32{0})
	for page, want := range map[int]int{0: 0, 1: 1, 3: 1, 4: 2, 12: 2, 13: 3, 39: 3} {
		if depths[page] != want {
			t.Errorf("page %d is at depth %d, want %d", page, depths[page], want)
		}
	}
	if got := slices.Sorted(slices.Values(w.Links[4])); !slices.Equal(got, []uint32{0, 1, 5, 13, 14, 15}) {
		t.Errorf("page 4 links to %v", got)
	}
	h.Out, h.Roots = Law{2, 5, 6}, 1
	for page, links := range h.Grow(4000, source()).Links {
		for _, to := range links {
			if own := uint32(page) / 40; to/40 != own && to%40 != 0 {
				t.Fatalf("page %d links to page %d, of another host and no root", page, to)
			}
		}
	}
}

// TestBlock: in-degrees have the exponent of the weights.
func TestBlock(t *testing.T) {
	b := Block{Sizes: Law{2, 1000, 1000.5}, Out: Law{2, 20, 21}, In: Law{2.5, 1, 10000}, Within: 0.5}
	f := b.Grow(50_000, source()).Fit(50)
	if !(math.Abs(f.In-2.5) < 0.15 && math.Abs(f.Within-0.51) < 0.02) {
		t.Errorf("the exponent of the in-degrees is %.2f, %.2f of the links are within a host", f.In, f.Within)
	}
}

// TestHosts: sizes have the exponent of their law.
func TestHosts(t *testing.T) {
	first := ranges(hosts(1_000_000, Law{2.2, 20, 1e9}, source()))
	var sizes []int
	for i := range first[1:] {
		sizes = append(sizes, first[i+1]-first[i])
	}
	if got := exponent(sizes, 20); !(math.Abs(got-2.2) < 0.1) {
		t.Errorf("the sizes of %d hosts have the exponent %.2f, want 2.2", len(sizes), got)
	}
}

// TestMeasures measures a web by hand: 0 and 1 link to each other, 1 to 2, 2 to 3, and 3 to 1. Host 0
// has 0, 1 and 2, host 1 has 3.
func TestMeasures(t *testing.T) {
	w := &Web{Host: []uint32{0, 0, 0, 1}, Links: [][]uint32{{1}, {0, 2}, {3}, {1}}}
	f := w.Fit(1)
	// In-degrees 1 2 1 1: 1 + 4/(3·ln 2 + ln 4).
	if f.Links != 1.25 || f.Within != 0.6 || math.Abs(f.In-(1+4/(5*math.Ln2))) > 1e-12 || f.Out != f.In {
		t.Errorf("fit: %+v", f)
	}
	if got := w.reciprocity(); got != 0.4 { // 0→1 and 1→0 of five
		t.Errorf("reciprocity %v", got)
	}
	if got := w.gini(); got != 0.25 { // sizes 1 and 3: mean difference 1, over twice the mean 2
		t.Errorf("Gini %v", got)
	}
	if got := w.depths([]uint32{0}); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("depths %v", got)
	}
	if got := ranks([]int{5, 1, 5, 9}); !slices.Equal(got, []float64{1.5, 0, 1.5, 3}) {
		t.Errorf("ranks %v", got)
	}
	if got := correlation([]float64{0, 1, 2}, []float64{4, 2, 0}); math.Abs(got+1) > 1e-12 {
		t.Errorf("correlation %v", got)
	}
	one := w.OneOfEach(source())
	if len(one) != 2 || w.Host[one[0]] == w.Host[one[1]] {
		t.Errorf("one of each host: %v", one)
	}
	long := &Web{Host: make([]uint32, 9), Links: [][]uint32{{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {0}}}
	if got := long.Checks(source()).Near; math.Abs(got-4./9) > 1e-12 {
		t.Errorf("%v of a ring of nine pages are within three links, want 4/9", got)
	}
}

// TestPasses: one figure that is too far off is enough.
func TestPasses(t *testing.T) {
	p, f, c := parameters(t), Fit{14, 0.9, 2, 2}, Checks{0.5, 0.5, 0.5, 0.5}
	if !p.Fitted(f, f) || !p.Passes(c, c) {
		t.Error("a web is not like itself")
	}
	for _, other := range []Fit{{16, 0.9, 2, 2}, {14, 0.8, 2, 2}, {14, 0.9, 2.5, 2}, {14, 0.9, 2, 2.5}} {
		if p.Fitted(other, f) {
			t.Errorf("%v is fitted to %v", other, f)
		}
	}
	for _, other := range []Checks{
		{0.3, 0.5, 0.5, 0.5}, {0.5, 0.3, 0.5, 0.5}, {0.5, 0.5, 0.3, 0.5}, {0.5, 0.5, 0.5, 0.3},
	} {
		if p.Passes(other, c) {
			t.Errorf("%v passes for %v", other, c)
		}
	}
}

func BenchmarkMillion(b *testing.B) {
	p := parameters(b)
	for _, name := range []string{"copying", "hierarchy", "block"} {
		m, _ := p.Named(name)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w := m.Grow(1_000_000, source())
				b.ReportMetric(w.Fit(p.Tail).Links*1e6, "links")
			}
		})
	}
}

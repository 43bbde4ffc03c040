package main

import (
	"math"
	"slices"
	"testing"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
	"multitext/examples/rigs/internal/web"
)

// cited is 0 and 1, which link to 2 and 3, and 1 to 4 as well; 5 links to 6 alone. 6 is in the group of 5.
func cited() *web.Web {
	w := &web.Web{}
	for _, links := range [][]int{{2, 3}, {2, 3, 4}, nil, {5}, nil, {6}, nil} {
		w.Pages = append(w.Pages, web.Page{Group: string(rune('a' + len(w.Pages))), Links: links})
	}
	w.Pages[6].Group = w.Pages[5].Group
	return w
}

// TestAuthorities: 2 has the same hubs as 3 and is more relevant; 4 has one hub; 6 is linked to from its own
// group alone, 5 from a page that is no hub of the others, and what was not fetched is none.
func TestAuthorities(t *testing.T) {
	w, r := cited(), []float64{0.8, 0.8, 0.9, 0.7, 0.9, 0.6, 1}
	all := []uint32{0, 1, 2, 3, 4, 5, 6}
	for _, test := range []struct {
		crawl []uint32
		r     []float64
		most  int
		want  []uint32
	}{
		{all, r, 3, []uint32{2, 3, 4}},
		{all, r, 2, []uint32{2, 3}},
		{[]uint32{0, 1, 3, 4}, r, 9, []uint32{3, 4}},
		{all, []float64{0.8, 0.8, 0.5, 0.7, 0.9, 0.5, 1}, 9, []uint32{3, 4}},
		{all, []float64{0, 0.8, 0.7, 0, 0.9, 0, 1}, 9, []uint32{4, 2}},
		{all, make([]float64, 7), 9, nil},
	} {
		if got := authorities(w, test.crawl, test.r, test.most); !slices.Equal(got, test.want) {
			t.Errorf("of %d with %v: %d, want %d", test.crawl, test.r, got, test.want)
		}
	}
}

// TestDistances: 6 is three links from 0, and nothing leads to 1.
func TestDistances(t *testing.T) {
	if got := distances(cited(), []uint32{0}); !slices.Equal(got, []int{0, -1, 1, 1, -1, 2, 3}) {
		t.Errorf("distances %d", got)
	}
}

// TestCommon: shares of things, and means of parts of a crawl.
func TestCommon(t *testing.T) {
	if got := common([]int{1, 2, 3, 4}, []int{4, 2, 9}); got != 0.5 {
		t.Errorf("%v of four are in common", got)
	}
	worth := []float64{1, 0.5, 0, 0.25}
	if got := meanOf([]uint32{3, 1, 0}, worth, 1, 9); got != 0.75 {
		t.Errorf("the mean of the second and the third is %v", got)
	}
	if !math.IsNaN(meanOf([]uint32{3}, worth, 1, 2)) {
		t.Error("no page has a mean")
	}
}

// TestTables: shares of distances and of R add up to all; a crawl has all in common with one from the same
// seeds.
func TestTables(t *testing.T) {
	l := quick(t)
	l.Points = []int{5, 10, 25, 50}
	h := l.huntOn(0, plot{1000, 5, 20, 6, 0.6, 0}, 0.9)
	h.twin = l.hunting(0, h.Web, h.wanted, h.r, h.within, h.seeds)
	l.fields = []*field{{name: "web", batch: 5, hunts: []*hunt{h}}}
	dir := resultstest.Write(t, func(c *results.Chapter) error {
		if err := l.held(c); err != nil {
			return err
		}
		return l.robust(c)
	})
	for name, columns := range map[string][]string{"distance-web": {"authorities", "wanted", "all"},
		"relevance-web": {"soft", "breadth", "unfocused", "hard"}} {
		s := resultstest.Read(t, dir, name)
		for _, column := range columns {
			sum := 0.
			for _, row := range s.Rows {
				sum += s.Number(column, row[0])
			}
			if math.Abs(sum-100) > 1 {
				t.Errorf("%s: %s adds up to %.1f %%", name, column, sum)
			}
		}
	}
	s := resultstest.Read(t, dir, "overlap-web")
	for _, column := range []string{"pages at 10 %", "groups at 25 %", "authorities at 25 %"} {
		if got := s.Text(column, "soft"); got != draw.Percent(1) {
			t.Errorf("two crawls from the same seeds have %s %% of the %s in common", got, column)
		}
	}
	held := resultstest.Read(t, dir, "held-web")
	first, last := held.Number("1 to 5 %", "soft", "labels"), held.Number("base rate", "soft", "labels")
	if first < 2*last {
		t.Errorf("the harvest of soft is %.1f %%, the base rate %.1f", first, last)
	}
}

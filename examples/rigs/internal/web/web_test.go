package web

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestRewiredKeepsDegrees(t *testing.T) {
	const n = 500
	random := rand.New(rand.NewPCG(1, 2))
	w := &Web{Pages: make([]Page, n)}
	for i := range w.Pages {
		for k := range i % 7 {
			if to := (i + k + 1) % n; to != i {
				w.Pages[i].Links = append(w.Pages[i].Links, to)
			}
		}
	}
	r := w.Rewired(random)
	if lost := w.Links() - r.Links(); lost < 0 || lost > w.Links()/50 {
		t.Errorf("%d of %d links are lost", lost, w.Links())
	}
	same := 0
	for i := range r.Pages {
		if len(r.Pages[i].Links) > len(w.Pages[i].Links) || slices.Contains(r.Pages[i].Links, i) {
			t.Fatalf("page %d has the links %v, had %v", i, r.Pages[i].Links, w.Pages[i].Links)
		}
		for _, to := range r.Pages[i].Links {
			if slices.Contains(w.Pages[i].Links, to) {
				same++
			}
		}
	}
	if same > w.Links()/20 {
		t.Errorf("%d of %d links are as before", same, w.Links())
	}
	if w.Pages[6].Links[0] != 7 {
		t.Error("the Web itself has changed")
	}
}

func TestLabels(t *testing.T) {
	w := &Web{Pages: []Page{{Label: "b"}, {}, {Label: "a"}, {Label: "b"}}}
	if got := w.Labels(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the labels are %q", got)
	}
}

func TestReadGraph(t *testing.T) {
	w, err := ReadGraph(strings.NewReader("# url\tstatus\tkind\ttopic\tlanguage\tlinks\n" +
		"http://a.test/1\t200\tpage\tarts\ten\thttp://b.test/2 http://a.test/1 http://b.test/2 http://c.test/\n" +
		"http://b.test/2\t0\tdead\t-\ten\t\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := w.Pages
	if len(p) != 2 || p[0].Label != "arts" || p[0].Host != "a.test" || p[0].Kind != "page" ||
		!slices.Equal(p[0].Links, []int{1}) || p[1].Status != 0 || p[1].Valid() {
		t.Errorf("the pages are %+v", p)
	}
	for _, bad := range []string{"http://a.test/\t200\tpage\tarts\ten", "http://a.test/\tx\tpage\tarts\ten\t"} {
		if _, err := ReadGraph(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// TestPlaced: the pages of a place have a host of their own, keep their links, and the Web stays as it is.
func TestPlaced(t *testing.T) {
	w := &Web{}
	for _, url := range []string{"http://b.test/x/y/z.html", "http://b.test/x/y/w/v.html", "http://b.test/x/z.html",
		"http://b.test/x", "http://a.test/x/y/z.html", "http://b.test/x/y/"} {
		host, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		w.Pages = append(w.Pages, Page{URL: url, Host: host, Group: url[len(url)-1:], Links: []int{len(w.Pages)}})
	}
	for _, test := range []struct {
		place func(*Page) string
		want  string
	}{{Host, "000010"}, {Group, "000102"}, {Folder, "001230"}} {
		got := ""
		for i, p := range w.Placed(test.place).Pages {
			if got += strings.TrimSuffix(p.Host[1:], ".test"); !slices.Equal(p.Links, []int{i}) {
				t.Errorf("page %d has the links %v", i, p.Links)
			}
		}
		if got != test.want {
			t.Errorf("the hosts are %s, want %s", got, test.want)
		}
	}
	if w.Pages[0].Host != "b.test" {
		t.Error("the Web itself has changed")
	}
}

// TestPart: pages of a part are numbered anew, and links that lead out of it are gone.
func TestPart(t *testing.T) {
	w := &Web{Pages: []Page{{URL: "0", Links: []int{1, 2, 3}}, {URL: "1", Links: []int{0}}, {URL: "2"},
		{URL: "3", Links: []int{2, 0}}}}
	part := w.Part([]int{3, 0})
	if p := part.Pages; len(p) != 2 || p[0].URL != "3" || !slices.Equal(p[0].Links, []int{1}) ||
		!slices.Equal(p[1].Links, []int{0}) || len(w.Pages[0].Links) != 3 {
		t.Errorf("the pages are %+v", p)
	}
}

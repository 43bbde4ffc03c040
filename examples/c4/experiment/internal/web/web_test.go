package web

import (
	"math/rand/v2"
	"slices"
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

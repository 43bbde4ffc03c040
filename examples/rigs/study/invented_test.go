package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"multitext/classify"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// invented is a lab whose laws are grown: eight titles of 250 sections, of which every second has
// many words of its title and links within it, and every other few and anywhere. Every tenth is
// short. It tests the machinery, and is no evidence.
func invented(t *testing.T) *lab {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	const titles, pages = 8, 2000
	l := &lab{parameters: quick(t), data: t.TempDir()}
	w := &collection{Law: &sets.Law{Set: sets.Set{Name: "law16", Web: &web.Web{}}, Cited: &web.Web{}}}
	for i := range pages {
		title := i % titles
		pure := (i/titles)%2 == 0
		page := web.Page{URL: fmt.Sprint("http://law/sections/", i), Host: fmt.Sprint("host", i%3),
			Group: fmt.Sprint(title, "-", i%5),
			Label: fmt.Sprint("t", title), Status: 200, Size: 1000, Content: uint64(i)}
		for range 5 {
			to := random.IntN(pages)
			if pure && random.IntN(10) > 0 {
				to += title - to%titles
			}
			if to != i && to < pages {
				page.Links = append(page.Links, to)
			}
		}
		w.Cited.Pages, w.Web.Pages = append(w.Cited.Pages, page), append(w.Web.Pages, page)
		sample := sets.Sample{Name: page.URL, Label: page.Label, Fold: []string{sets.Train, sets.Test}[random.IntN(2)],
			Body: text(random, title, pure, i%10 == 0)}
		w.Samples, w.Whole = append(w.Samples, sample), append(w.Whole, sample)
	}
	w.titles, w.trained = w.Cited.Labels(), w.Trained(100)
	var err error
	if w.main, err = classifyAll(w.Samples, w.trained, classify.Options{}); err != nil {
		t.Fatal(err)
	}
	w.whole = w.main
	for i := range w.Samples {
		w.terms = append(w.terms, len(strings.Fields(string(w.Samples[i].Body))))
	}
	l.read = w
	return l
}

func text(random *rand.Rand, title int, pure, short bool) []byte {
	var b []byte
	length, own := 60, 3
	if pure {
		own = 20
	}
	if short {
		length = 20
	}
	for word := range length {
		if word < own {
			b = fmt.Appendf(b, "topic%c%c ", 'a'+title, 'a'+random.IntN(20))
		} else {
			b = fmt.Appendf(b, "common%c%c ", 'a'+random.IntN(20), 'a'+random.IntN(20))
		}
	}
	return b
}

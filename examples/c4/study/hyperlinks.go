package main

import (
	"fmt"
	"math"
	"strings"

	"multitext/examples/c4/study/internal/draw"
	"multitext/examples/c4/study/internal/sets"
	"multitext/examples/c4/study/internal/web"
)

// hyperlinks asks how often a link leads to a page of the same label (thesis 4.3.2), by the true labels
// and by those that classifiers give, of pages that they were not trained on.
func hyperlinks(l *lab, c *chapter) error {
	methods, err := l.methods()
	if err != nil {
		return err
	}
	kb, err := sets.WebKB(l.data, false)
	if err != nil {
		return err
	}
	w, err := l.laws()
	if err != nil {
		return err
	}
	whole := w.Set
	whole.Samples = w.Whole
	navigation := without(w.Web, w.Cited)
	for _, on := range []struct {
		trial
		web  *web.Web
		what string
	}{
		{trial{kb, "webkb-7", nil}, kb.Web, "links within a host, and across"},
		{trial{&w.Set, "law16, main part", w.trained}, w.Cited, "citations"},
		{trial{&whole, "law16, whole pages", w.trained}, w.Cited, "citations"},
		{trial{&w.Set, "law16, main part", w.trained}, navigation, "navigation"},
		{trial{&whole, "law16, whole pages", w.trained}, navigation, "navigation"},
	} {
		t := &draw.Table{Name: "hyperlinks-" + strings.NewReplacer(" ", "-", ",", "").Replace(on.name+" "+on.what),
			Title: "Does a link lead to a page of the same label? " + on.name + ": " + on.what,
			Note: "True: by the labels of persons. Predicted: by the classifier's own. Chance: Σ over the labels, share of the parents times share of the children, " +
				"counted by link. r = (same − chance)/(1 − chance).",
			Columns: strings.Split("method|links|n|true: same %|chance %|r|predicted: same %|chance %|r|r higher than true", "|")}
		rewired := on.web.Rewired(l.random("rewired"))
		for _, m := range methods {
			j, err := l.judge(on.trial, m)
			if err != nil {
				return err
			}
			agreements(t, m.name, on.web, on.Samples, j.labels, "all", "same host", "across hosts")
			agreements(t, m.name+", links rewired", rewired, on.Samples, j.labels, "all")
		}
		c.table(t)
	}
	return nil
}

// agreements adds a row for each kind of links, of which there are any between pages that were judged.
func agreements(t *draw.Table, name string, w *web.Web, samples []sets.Sample, labels []string, kinds ...string) {
	var truth []string
	for i := range samples {
		truth = append(truth, samples[i].Label)
	}
	for _, kind := range kinds {
		is := func(from, to int) bool {
			return labels[from] != "" && labels[to] != "" && (kind == "all" || kind == "same host" == (w.Pages[from].Host == w.Pages[to].Host))
		}
		a, b := relate(w, truth, is), relate(w, labels, is)
		if a.n > 0 {
			t.Add(name, kind, fmt.Sprint(a.n), draw.Percent(a.same), draw.Percent(a.chance), draw.Number(a.r, 3),
				draw.Percent(b.same), draw.Percent(b.chance), draw.Number(b.r, 3), yes(b.r > a.r))
		}
	}
}

// without is a Web with those links that another does not have.
func without(w, less *web.Web) *web.Web {
	links := make([][]int, len(w.Pages))
	for i := range w.Pages {
		not := make(map[int]bool)
		for _, to := range less.Pages[i].Links {
			not[to] = true
		}
		for _, to := range w.Pages[i].Links {
			if !not[to] {
				links[i] = append(links[i], to)
			}
		}
	}
	return w.WithLinks(links)
}

// A relation tells how often the two ends of a link have one label.
type relation struct {
	n               int
	same, chance, r float64
}

// relate counts the links of a Web that are of a kind.
func relate(w *web.Web, labels []string, is func(from, to int) bool) (r relation) {
	parents, children := make(map[string]float64), make(map[string]float64)
	for from := range w.Pages {
		for _, to := range w.Pages[from].Links {
			if !is(from, to) {
				continue
			}
			r.n++
			parents[labels[from]]++
			children[labels[to]]++
			if labels[from] == labels[to] {
				r.same++
			}
		}
	}
	n := float64(r.n)
	for label, k := range parents {
		r.chance += k / n * children[label] / n
	}
	r.same /= n
	if r.r = math.NaN(); r.chance < 1 {
		r.r = (r.same - r.chance) / (1 - r.chance)
	}
	return r
}

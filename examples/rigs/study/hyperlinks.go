package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// hyperlinks asks how often a link leads to a page of the same label: as the thesis does (4.3.2),
// by the label that a classifier gives the child against that which persons gave the parent, of
// some links of some pages; and of all links by the labels of persons alone, and of the classifier
// alone. No classifier was trained on any of the pages.
func hyperlinks(l *lab, c *results.Chapter) error {
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
	navigation := w.Web.Where(func(from, to int) bool { return !slices.Contains(w.Cited.Pages[from].Links, to) })
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
		err := l.over(c, func(l *lab, c *results.Chapter) error { return l.follow(c, on.trial, on.web, on.what) })
		if err != nil {
			return err
		}
	}
	return nil
}

// follow counts the links of one Web.
func (l *lab) follow(c *results.Chapter, on trial, links *web.Web, what string) error {
	methods, err := l.methods()
	if err != nil {
		return err
	}
	t := &draw.Table{Name: "hyperlinks-" + strings.NewReplacer(" ", "-", ",", "").Replace(on.name+" "+what),
		Title: "Does a link lead to a page of the same label? " + on.name + ": " + what,
		Note: fmt.Sprintf("The thesis's measure: of %d pages of each label, of those that have links, up to %d links "+
			"each at random; is the label that the classifier gives the child the one that persons gave the parent? "+
			"Mean and variance of the labels' shares in %%, as the thesis prints them, and of all links. True: both "+
			"by persons. Predicted: both by the classifier. Chance: Σ over the labels, share of the parents times "+
			"share of the children, by link. r = (same − chance)/(1 − chance). No page is one that the classifier "+
			"was trained on.",
			l.Hyperlinks.Pages, l.Hyperlinks.Links),
		Columns: strings.Split("method|links|thesis: same, mean %|thesis: variance|thesis: of all %|thesis: chance %|"+
			"thesis: n|true: same %|true: chance %|true: r|predicted: same %|predicted: chance %|predicted: r|n|r "+
			"higher than true", "|")}
	rewired := links.Rewired(l.random("rewired"))
	for _, m := range methods {
		j, err := l.judge(on, m)
		if err != nil {
			return err
		}
		t.Rows = append(t.Rows, l.agreements(m.name, links, on.Samples, j.labels, "all", "same host",
			"across hosts")...)
		t.Rows = append(t.Rows, l.agreements(m.name+", links rewired", rewired, on.Samples, j.labels, "all")...)
	}
	c.Table(t)
	return nil
}

// agreements is a row for each kind of links, of which there are any between pages that were
// judged. Where all links are within their hosts one row says it.
func (l *lab) agreements(name string, w *web.Web, samples []sets.Sample, labels []string,
	kinds ...string) (rows [][]string) {
	var truth []string
	for i := range samples {
		truth = append(truth, samples[i].Label)
	}
	total := 0
	for _, kind := range kinds {
		all := w.Where(func(from, to int) bool {
			return labels[from] != "" && labels[to] != "" &&
				(kind == "all" || kind == "same host" == (w.Pages[from].Host == w.Pages[to].Host))
		})
		if n := all.Links(); n == 0 || kind == "same host" && n == total {
			continue
		}
		total = max(total, all.Links())
		some := relate(l.sample(all, truth), truth, labels)
		a, b := relate(all, truth, truth), relate(all, labels, labels)
		mean, variance := some.byParent()
		rows = append(rows, []string{name, kind, draw.Percent(mean), draw.Number(variance, 1), draw.Percent(some.same),
			draw.Percent(some.chance), fmt.Sprint(some.n),
			draw.Percent(a.same), draw.Percent(a.chance), draw.Number(a.r, 3),
			draw.Percent(b.same), draw.Percent(b.chance), draw.Number(b.r, 3), fmt.Sprint(b.n), yes(b.r > a.r)})
	}
	return rows
}

// sample is a Web with a few links alone: of so many pages of each label that have any, so many at
// random.
func (l *lab) sample(w *web.Web, labels []string) *web.Web {
	random := l.random("links of the thesis")
	links, of := make([][]int, len(w.Pages)), make(map[string]int)
	for _, page := range random.Perm(len(w.Pages)) {
		if all := w.Pages[page].Links; len(all) > 0 && of[labels[page]] < l.Hyperlinks.Pages {
			of[labels[page]]++
			for _, i := range random.Perm(len(all))[:min(l.Hyperlinks.Links, len(all))] {
				links[page] = append(links[page], all[i])
			}
		}
	}
	return w.WithLinks(links)
}

// A relation tells how often the two ends of a link have one label.
type relation struct {
	n               int
	same, chance, r float64
	parents, kept   map[string]float64 // by the parent's label: links, and those to the same label
}

// relate counts the links of a Web, by the labels of their parents and of their children.
func relate(w *web.Web, parents, children []string) relation {
	r := relation{parents: make(map[string]float64), kept: make(map[string]float64)}
	met := make(map[string]float64)
	for from := range w.Pages {
		for _, to := range w.Pages[from].Links {
			r.n++
			r.parents[parents[from]]++
			met[children[to]]++
			if parents[from] == children[to] {
				r.same++
				r.kept[parents[from]]++
			}
		}
	}
	n := float64(r.n)
	for label, k := range r.parents {
		r.chance += k / n * met[label] / n
	}
	r.same /= n
	if r.r = math.NaN(); r.chance < 1 {
		r.r = (r.same - r.chance) / (1 - r.chance)
	}
	return r
}

// byParent is the mean of the shares of the parents' labels, and their variance in per cent (n − 1
// below), as the thesis prints them.
func (r *relation) byParent() (mean, variance float64) {
	n := float64(len(r.parents))
	for label, links := range r.parents {
		mean += r.kept[label] / links / n
	}
	for label, links := range r.parents {
		variance += math.Pow(100*(r.kept[label]/links-mean), 2) / (n - 1)
	}
	return mean, variance
}

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"multitext/examples/c4/study/internal/draw"
	"multitext/examples/c4/study/internal/sim"
)

// openQuestions are those of the thesis's section 6.1, on the law along its citations.
func openQuestions(l *lab, c *chapter) error {
	w, err := l.laws()
	if err != nil {
		return err
	}
	for _, question := range []func(*lab, *collection, *chapter) error{confidence, volume, finer, short} {
		if err := question(l, w, c); err != nil {
			return err
		}
	}
	return nil
}

// crawl lets crawlers crawl the law along its citations.
func (l *lab) crawl(w *collection, p sim.Partition, seeds [][]int) (*sim.Log, error) {
	return (&sim.Crawl{Web: w.Cited, Partition: p, Seeds: seeds, Exchange: l.Crawl.Exchange}).Run()
}

// truth is the owners by the titles themselves.
func truth(w *collection) sim.Owners {
	var labels []string
	for i := range w.Samples {
		labels = append(labels, w.Samples[i].Label)
	}
	return sim.ByLabel(w.titles, labels)
}

// confidence: is a page's child more likely to stay if the classifier was sure of the page?
func confidence(l *lab, w *collection, c *chapter) error {
	decided := l.decided(w)
	log, err := l.crawl(w, sim.Partition{Name: "topic, classifier", Pages: sim.ByLabel(w.titles, decided.labels)}, l.seeds(w, truth(w), len(w.titles), l.Crawl.Seeds))
	if err != nil {
		return err
	}
	log = log.Where(func(e sim.Event) bool { return e.Kind == sim.Fetched && e.Parent != sim.None && !w.trained[e.Parent] })
	slices.SortStableFunc(log.Events, func(a, b sim.Event) int { return cmp.Compare(decided.sure[a.Parent], decided.sure[b.Parent]) })
	shuffled := l.shuffled(log)
	t := &draw.Table{Name: "open-confidence", Title: "Does a parent's confidence predict that its children stay?",
		Note: "Pages fetched by a link, in tenths by the confidence of the classifier in the page that linked to them, of parents that it was not trained on. " +
			"Right: share of the parents' labels that are true, by link. Shuffled, the red control: the same pages in tenths at random.",
		Columns: strings.Split("tenth|confidence from|to|pages|kept %|interval|parent right %|shuffled: kept %", "|")}
	line := draw.Line{Name: "kept"}
	right := draw.Line{Name: "parent's label right"}
	for bin := range l.Open.Bins {
		from, to := bin*len(log.Events)/l.Open.Bins, (bin+1)*len(log.Events)/l.Open.Bins
		part := log.Slice(from, to)
		low, high := part.Interval(l.Crawl.Bootstrap, l.Crawl.Interval, l.random("confidence"))
		kept := part.Figures().Pages.Micro
		share := 0.
		for _, e := range part.Events {
			if decided.labels[e.Parent] == w.Samples[e.Parent].Label {
				share += 1 / float64(to-from)
			}
		}
		t.Add(fmt.Sprint(bin+1), draw.Number(decided.sure[log.Events[from].Parent], 3), draw.Number(decided.sure[log.Events[to-1].Parent], 3),
			fmt.Sprint(to-from), draw.Percent(kept), draw.Percent(low)+" to "+draw.Percent(high), draw.Percent(share),
			draw.Percent(shuffled.Slice(from, to).Figures().Pages.Micro))
		line.X, line.Y = append(line.X, float64(bin+1)), append(line.Y, 100*kept)
		right.X, right.Y = append(right.X, float64(bin+1)), append(right.Y, 100*share)
	}
	c.table(t)
	c.chart(&draw.Chart{Name: t.Name, Title: "Kept by the parent's confidence", X: "tenth of the parents' confidence", Y: "%", Lines: []draw.Line{line, right}})
	return nil
}

// shuffled is a log in a random order.
func (l *lab) shuffled(log *sim.Log) *sim.Log {
	other := log.Slice(0, 0)
	for _, i := range l.random("shuffled").Perm(len(log.Events)) {
		other.Events = append(other.Events, log.Events[i])
	}
	return other
}

// volume: does duplication fall with the volume crawled, and then rise?
func volume(l *lab, w *collection, c *chapter) error {
	ways := l.ways(w)
	seeds := l.seeds(w, ways[0].Pages, len(w.titles), l.Crawl.Seeds)
	chart := &draw.Chart{Name: "open-volume", Title: "Fetches of a URL after its first, by URL", X: "% crawled", Y: "again"}
	t := &draw.Table{Name: "open-volume", Title: "Does duplication fall with the volume, and then rise?",
		Note: "Fetches of a URL after its first, by URL; in brackets the share fetched by one crawler alone, in %.", Columns: []string{"% crawled"}}
	for i, p := range ways[:4] {
		log, err := l.crawl(w, p, seeds)
		if err != nil {
			return err
		}
		t.Columns = append(t.Columns, p.Name)
		line := draw.Line{Name: p.Name}
		for percent := l.Open.Volume; percent <= 100; percent += l.Open.Volume {
			f := log.Until(float64(percent) / 100).Figures()
			if i == 0 {
				t.Add(fmt.Sprint(percent))
			}
			at := percent/l.Open.Volume - 1
			t.Rows[at] = append(t.Rows[at], draw.Number(f.Again, 3)+" ("+draw.Percent(f.AtMost(1))+")")
			line.X, line.Y = append(line.X, float64(percent)), append(line.Y, f.Again)
		}
		chart.Lines = append(chart.Lines, line)
	}
	c.table(t)
	c.chart(chart)
	return nil
}

// finer: does duplication rise with the number of crawlers?
func finer(l *lab, w *collection, c *chapter) error {
	t := &draw.Table{Name: "open-finer", Title: "Does duplication rise with finer partitions?",
		Note:    "By true label: titles joined to fewer crawlers or cut by chapters for more, to even sizes. All crawls begin with the same number of pages, as near as it divides.",
		Columns: strings.Split("crawlers|topic: kept %|chance %|r|by one %|by two at most %|again|load, fetched|content hash: kept %|by one %|by two at most %|again", "|")}
	var contents []string
	for i := range w.Cited.Pages {
		contents = append(contents, fmt.Sprint(w.Cited.Pages[i].Content))
	}
	for _, n := range l.Open.Finer {
		owners := w.cut(n)
		seeds := l.seeds(w, owners, n, max(1, l.Crawl.Seeds*len(w.titles)/n))
		topic, err := l.crawl(w, sim.Partition{Name: "topic", Pages: owners}, seeds)
		if err != nil {
			return err
		}
		hash, err := l.crawl(w, sim.Partition{Name: "content", Pages: sim.ByHash(n, contents)}, seeds)
		if err != nil {
			return err
		}
		f, h := topic.Figures(), hash.Figures()
		t.Add(fmt.Sprint(n), draw.Percent(f.Pages.Micro), draw.Percent(f.Pages.Chance), draw.Number(f.Pages.R, 3), draw.Percent(f.AtMost(1)), draw.Percent(f.AtMost(2)),
			draw.Number(f.Again, 3), draw.Number(f.Fetched, 2), draw.Percent(h.Pages.Micro), draw.Percent(h.AtMost(1)), draw.Percent(h.AtMost(2)), draw.Number(h.Again, 3))
	}
	c.table(t)
	return nil
}

// cut spreads the pages over n crawlers: whole titles where there are no more crawlers than titles, else
// the chapters of each title over its share of them. The largest goes first, to whom has least.
func (w *collection) cut(n int) sim.Owners {
	titles, each := len(w.titles), max(1, n/len(w.titles))
	unit := make([]string, len(w.Samples)) // what must stay together
	size := make(map[string]int)
	title := make(map[string]int)
	for i, s := range w.Samples {
		unit[i] = s.Label
		if n > titles {
			unit[i] = w.Cited.Pages[i].Group
		}
		size[unit[i]]++
		title[unit[i]] = slices.Index(w.titles, s.Label)
	}
	var order []string
	for u := range size {
		order = append(order, u)
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(size[b]-size[a], strings.Compare(a, b)) })
	load, owner := make([]int, n), make(map[string]int)
	for _, u := range order {
		from, to := 0, n
		if n > titles {
			from, to = title[u]*each, (title[u]+1)*each
		}
		least := from
		for o := from; o < to; o++ {
			if load[o] < load[least] {
				least = o
			}
		}
		owner[u] = least
		load[least] += size[u]
	}
	owners := make(sim.Owners, len(unit))
	for i, u := range unit {
		owners[i] = owner[u]
	}
	return owners
}

// A setting says where some pages go.
type setting struct {
	name  string
	owner int
	which func(page int) bool
}

// asMany draws as many other sections as there are short ones.
func (l *lab) asMany(w *collection, isShort func(page int) bool) map[int]bool {
	var others []int
	n := 0
	for page := range w.Samples {
		switch {
		case w.Samples[page].Fold == "":
		case isShort(page):
			n++
		default:
			others = append(others, page)
		}
	}
	drawn := make(map[int]bool)
	for _, i := range l.random("as many").Perm(len(others))[:min(n, len(others))] {
		drawn[others[i]] = true
	}
	return drawn
}

// short: where should pages go that have too few terms to be classified?
func short(l *lab, w *collection, c *chapter) error {
	labels := l.decided(w).labels
	t := &draw.Table{Name: "open-short", Title: "Where should short pages go?",
		Note: fmt.Sprintf("Pages of fewer than %d terms are not classified and do not count as kept or not. #0 is the crawler of title %s. "+
			"As many others, the red control: short pages are local, and as many long ones, drawn at random, go to #0 instead and do not count.", l.Open.Short, w.titles[0]),
		Columns: strings.Split("short pages go|kept %|macro %|kept by #0 %|of its pages|by one %|again|sent|load, fetched", "|")}
	isShort := func(page int) bool { return w.terms[page] < l.Open.Short }
	asMany := l.asMany(w, isShort)
	c.say("%d of %d sections have fewer than %d terms.", len(asMany), sections(w), l.Open.Short)
	seeds := l.seeds(w, truth(w), len(w.titles), l.Crawl.Seeds)
	for _, setting := range []setting{
		{"nowhere: they are local", sim.Anyone, isShort},
		{"to #0, as in the thesis", 0, isShort},
		{"to a crawler of their own", len(w.titles), isShort},
		{"as many others to #0", 0, func(page int) bool { return asMany[page] }},
	} {
		owners := sim.ByLabel(w.titles, labels)
		for page := range owners {
			if setting.which(page) {
				owners[page] = setting.owner
			} else if isShort(page) {
				owners[page] = sim.Anyone
			}
		}
		with := seeds
		if setting.owner == len(w.titles) {
			with = append(slices.Clone(seeds), nil)
		}
		log, err := l.crawl(w, sim.Partition{Name: setting.name, Pages: owners}, with)
		if err != nil {
			return err
		}
		all := log.Figures()
		f := log.Where(func(e sim.Event) bool { return e.Kind == sim.Fetched && !isShort(e.Page) && !setting.which(e.Page) }).Figures()
		zero, sum := f.Pages.Matrix[0], 0
		for _, k := range zero {
			sum += k
		}
		t.Add(setting.name, draw.Percent(f.Pages.Micro), draw.Percent(f.Pages.Macro), draw.Percent(float64(zero[0])/float64(sum)), fmt.Sprint(sum),
			draw.Percent(all.AtMost(1)), draw.Number(all.Again, 3), draw.Number(all.Sent, 3), draw.Number(all.Fetched, 2))
	}
	c.table(t)
	return nil
}

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/study/internal/sim"
)

// volume: does duplication fall with the volume crawled, and then rise?
func volume(l *lab, w *collection, c *results.Chapter) error {
	ways := l.ways(w)
	seeds := l.seeds(w, ways[0].Pages, len(w.titles), l.Crawl.Seeds)
	chart := &draw.Chart{Name: "open-volume", Title: "Fetches of a URL after its first, by URL", X: "% crawled",
		Y: "again"}
	t := &draw.Table{Name: "open-volume", Title: "Does duplication fall with the volume, and then rise?",
		Note:    "Fetches of a URL after its first, by URL; and the share fetched by one crawler alone.",
		Columns: []string{"% crawled"}}
	for i, p := range ways[:4] {
		log, err := l.crawl(w, p, seeds)
		if err != nil {
			return err
		}
		t.Columns = append(t.Columns, p.Name, p.Name+": by one %")
		line := draw.Line{Name: p.Name}
		for percent := l.Open.Volume; percent <= 100; percent += l.Open.Volume {
			f := log.Until(float64(percent) / 100).Figures()
			if i == 0 {
				t.Add(fmt.Sprint(percent))
			}
			at := percent/l.Open.Volume - 1
			t.Rows[at] = append(t.Rows[at], draw.Number(f.Again, 3), draw.Percent(f.AtMost(1)))
			line.X, line.Y = append(line.X, float64(percent)), append(line.Y, f.Again)
		}
		chart.Lines = append(chart.Lines, line)
	}
	c.Table(t)
	c.Chart(chart)
	return nil
}

// finer: does duplication rise with the number of crawlers?
func finer(l *lab, w *collection, c *results.Chapter) error {
	t := &draw.Table{Name: "open-finer", Title: "Does duplication rise with finer partitions?",
		Note: "By true label: titles joined to fewer crawlers or cut by chapters for more, to even sizes. All " +
			"crawls begin with the same number of pages, as near as it divides.",
		Columns: strings.Split("crawlers|topic: kept %|chance %|r|by one %|by two at most %|again|load, fetched|"+
			"content hash: kept %|hash: by one %|hash: by two at most %|hash: again", "|")}
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
		t.Add(fmt.Sprint(n), draw.Percent(f.Pages.Micro), draw.Percent(f.Pages.Chance), draw.Number(f.Pages.R, 3),
			draw.Percent(f.AtMost(1)), draw.Percent(f.AtMost(2)),
			draw.Number(f.Again, 3), draw.Number(f.Fetched, 2), draw.Percent(h.Pages.Micro), draw.Percent(h.AtMost(1)),
			draw.Percent(h.AtMost(2)), draw.Number(h.Again, 3))
	}
	c.Table(t)
	return nil
}

// cut spreads the pages over n crawlers: whole titles where there are no more crawlers than titles,
// else the chapters of each title over its share of them. The largest goes first, to whom has
// least.
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

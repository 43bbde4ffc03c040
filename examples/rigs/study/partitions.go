package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/sim"
)

// partitions lets a crawler for each title crawl the law by every partition, along the citations
// that authors set and along all links; and a crawler for each role the pages of WebKB, which have
// hosts.
func partitions(l *lab, c *results.Chapter) error {
	w, err := l.laws()
	if err != nil {
		return err
	}
	kb, err := l.roles()
	if err != nil {
		return err
	}
	c.Say("law16: %d crawlers begin with %d pages of their titles each. Along citations they come to a part of the "+
		"%d sections; along all links, most of which are navigation, to nearly all of %d pages. The site is one "+
		"host: host hash gives all to one crawler. URL hierarchy is by the title, which stands in the URL: the best "+
		"that a partition by URL can do here. %d pages have no text.",
		len(w.titles), l.Crawl.Seeds, sections(w), len(w.Samples), w.empty)
	c.Say("webkb: %d crawlers for the roles of %d pages of three universities.", len(kb.titles), len(kb.Samples))
	for _, walk := range []struct {
		name string
		of   *collection
		web  *web.Web
	}{{"citations", w, w.Cited}, {"all-links", w, w.Web}, {"webkb", kb, kb.Web}} {
		err := l.over(c, func(l *lab, c *results.Chapter) error { return l.compare(c, walk.of, walk.name, walk.web) })
		if err != nil {
			return err
		}
	}
	return nil
}

func sections(w *collection) (n int) {
	for i := range w.Samples {
		if w.Samples[i].Fold != "" {
			n++
		}
	}
	return n
}

// ways are the partitions that are compared: by the true label first, the one that counts second,
// its red control third, and the content hash, which the thesis compares with, fourth.
func (l *lab) ways(w *collection) []sim.Partition {
	var urls, hosts, contents, truth []string
	for i := range w.Web.Pages {
		p := &w.Web.Pages[i]
		urls, hosts, truth = append(urls, p.URL), append(hosts, p.Host), append(truth, p.Label)
		contents = append(contents, fmt.Sprint(p.Content))
	}
	n, topic := len(w.titles), sim.ByLabel(w.titles, l.decided(w).labels)
	ways := []sim.Partition{
		{Name: "topic, true label", Pages: sim.ByLabel(w.titles, truth)},
		{Name: "topic, classifier", Pages: topic},
		{Name: "permuted labels", Pages: sim.Permuted(topic, l.random("permuted"))},
		{Name: "content hash", Pages: sim.ByHash(n, contents)},
		{Name: "topic, links only", From: topic},
		{Name: "combination hash", URLs: sim.ByHash(n, urls), Pages: sim.ByHash(n, contents)},
		{Name: "URL hash", URLs: sim.ByHash(n, urls)},
		{Name: "host hash", URLs: sim.ByHash(n, hosts)},
		{Name: "constant", Pages: sim.Constant(len(urls))},
		{Name: "exchange off"},
	}
	if w.inURL {
		ways = append(ways, sim.Partition{Name: "topic, whole pages", Pages: sim.ByLabel(w.titles, w.whole.labels)},
			sim.Partition{Name: "URL hierarchy", URLs: sim.ByLabel(w.titles, truth)})
	}
	return ways
}

// seeds are pages for each crawler to begin with: sections of its title, drawn at random.
func (l *lab) seeds(w *collection, owners sim.Owners, crawlers, each int) [][]int {
	random := l.random("seeds")
	seeds := make([][]int, crawlers)
	for _, page := range random.Perm(len(w.Samples)) {
		if o := owners[page]; w.Samples[page].Fold != "" && len(seeds[o]) < each {
			seeds[o] = append(seeds[o], page)
		}
	}
	return seeds
}

// compare crawls one Web by every partition.
func (l *lab) compare(c *results.Chapter, w *collection, name string, on *web.Web) error {
	ways, logs, err := l.crawls(w, on)
	if err != nil {
		return err
	}
	pages, rest := l.tables(name)
	kept := &draw.Chart{Name: name + "-kept", Title: "Pages kept (Pr^P, micro) along " + name, X: "% crawled",
		Y: "% kept"}
	for i, p := range ways {
		line := draw.Line{Name: p.Name}
		for _, point := range l.Crawl.Points {
			until := logs[i].Until(float64(point) / 100)
			f := until.Figures()
			rest.Add(loadRow(p.Name, point, &f)...)
			if p.ContentOriented() || p.URLOriented() {
				pages.Add(l.keptRow(p, point, until, w.trained, &f)...)
			}
			line.X, line.Y = append(line.X, float64(point)), append(line.Y, 100*f.Pages.Micro)
		}
		if p.ContentOriented() {
			kept.Lines = append(kept.Lines, line)
		}
	}
	c.Table(pages)
	c.Chart(kept)
	c.Table(rest)
	l.claims(c, name, ways, logs)
	byCrawlers(c, name, ways, logs)
	f := logs[1].Figures()
	c.Matrix(&draw.Matrix{Name: name + "-matrix", Title: "From crawler to crawler, % of row; topic by classifier, " +
		name,
		Names: w.titles, Counts: f.Pages.Matrix})
	c.Matrix(&draw.Matrix{Name: name + "-bytes", Title: "The same in bytes, " + name, Names: w.titles,
		Counts: f.Pages.Bytes})
	byTitle(c, name, w.titles, ways[:3], logs[:3])
	return nil
}

// crawls are those of one Web by every partition, and by that which counts when the links are
// rewired.
func (l *lab) crawls(w *collection, on *web.Web) (ways []sim.Partition, logs []*sim.Log, err error) {
	ways = l.ways(w)
	seeds := l.seeds(w, ways[0].Pages, len(w.titles), l.Crawl.Seeds)
	rewired := ways[1]
	rewired.Name = "links rewired"
	ways = append(ways, rewired)
	for _, p := range ways {
		over := on
		if p.Name == rewired.Name {
			over = on.Rewired(l.random("rewired"))
		}
		log, err := (&sim.Crawl{Web: over, Partition: p, Seeds: seeds, Exchange: l.Crawl.Exchange}).Run()
		if err != nil {
			return nil, nil, err
		}
		logs = append(logs, log)
	}
	return ways, logs, nil
}

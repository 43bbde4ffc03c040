package main

import (
	"slices"

	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/crawled"
	"multitext/examples/rigs/study/internal/sim"
)

// A crawl is a collaboration that has come to its end.
type crawl struct {
	web      *web.Web
	nodes    []string
	seeds    [][]int
	status   []*crawled.Status
	archives []*crawled.Archive
	givenUp  []int             // URLs that got no answer, of each crawler
	labels   map[string]string // by URL
	seconds  float64           // that it took
	treated  manners
}

// matrix is how many pages each crawler has classified for each, as their managers count.
func (x *crawl) matrix() [][]int {
	var m [][]int
	for _, s := range x.status {
		var row []int
		for _, to := range x.nodes {
			row = append(row, int(s.Count("pages", "label-"+labelOf(to))))
		}
		m = append(m, row)
	}
	return m
}

// bytes are those of the batches that went from crawler to crawler, as the gofers count what they
// brought: compressed. What a crawler keeps is in no batch.
func (x *crawl) bytes() [][]int {
	m := make([][]int, len(x.nodes))
	for i, from := range x.nodes {
		for _, to := range x.status {
			m[i] = append(m[i], int(to.Count("gofer", "from-"+from+"-bytes")))
		}
	}
	return m
}

// labelOf is the label whose pages a node owns, in examples/c4/nodes.toml.
func labelOf(node string) string {
	if node == "world" {
		return "foreign"
	}
	return node
}

// by is how many URLs were fetched by exactly k crawlers: each fetch is an answer in one archive.
func (x *crawl) by() []int {
	count := make(map[string]int)
	for _, a := range x.archives {
		for url, n := range a.Answers {
			count[url] += n
		}
	}
	by := make([]int, len(x.nodes))
	for _, n := range count {
		by[min(n, len(by))-1]++
	}
	return by
}

// owners are who owns each page, by the labels of the crawl; without one a page is anyone's.
func (x *crawl) owners() sim.Owners {
	return x.byLabel(func(page *web.Page) string { return x.labels[page.URL] })
}

// byLabel are who owns each page, by the label given it.
func (x *crawl) byLabel(label func(*web.Page) string) sim.Owners {
	var labels, of []string
	for _, node := range x.nodes {
		labels = append(labels, labelOf(node))
	}
	for i := range x.web.Pages {
		of = append(of, label(&x.web.Pages[i]))
	}
	return sim.ByLabel(labels, of)
}

// sentTo are the owners with whom a page without text goes to the first crawler, as the script has
// it (thesis 3.3.2).
func (x *crawl) sentTo(owners sim.Owners) sim.Owners {
	sent := slices.Clone(owners)
	for page := range sent {
		if sent[page] == sim.Anyone && x.web.Pages[page].Kind == "no-text" {
			sent[page] = 0
		}
	}
	return sent
}

// truth are the owners by the true topics.
func (x *crawl) truth() sim.Owners {
	return x.byLabel(func(page *web.Page) string {
		if x.labels[page.URL] == "" {
			return "" // as the crawl has it: it cannot be classified
		}
		return page.Label
	})
}

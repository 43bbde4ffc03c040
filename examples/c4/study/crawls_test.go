package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"multitext/examples/c4/study/internal/crawled"
	"multitext/examples/c4/study/internal/draw"
	"multitext/examples/c4/study/internal/sim"
	"multitext/examples/c4/study/internal/web"
)

// played is a crawl as its crawlers would leave it, made of a simulation: by that partition, of pages with those labels.
func played(t *testing.T, partition func(sim.Owners) sim.Partition) *crawl {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 9))
	x := &crawl{web: &web.Web{}, nodes: []string{"arts", "games", "world"}, labels: map[string]string{}, seconds: 1}
	const pages = 600
	for i := range pages {
		p := web.Page{URL: fmt.Sprint("http://h/", i), Status: 200, Size: 1, Content: uint64(i), Label: labelOf(x.nodes[i%3])}
		for range 4 {
			if to := random.IntN(pages); to != i && (to%3 == i%3 || random.IntN(3) == 0) {
				p.Links = append(p.Links, to)
			}
		}
		x.web.Pages = append(x.web.Pages, p)
		x.labels[p.URL] = p.Label
	}
	x.seeds = [][]int{{0}, {1}, {2}}
	log, err := (&sim.Crawl{Web: x.web, Partition: partition(x.owners()), Seeds: x.seeds, Exchange: 3}).Run()
	if err != nil {
		t.Fatal(err)
	}
	for range x.nodes {
		x.archives = append(x.archives, &crawled.Archive{Answers: map[string]int{}})
	}
	counts := make([]map[string]int, 3)
	fetched := make([]int, 3)
	for _, e := range log.Events {
		if e.Kind == sim.Fetched {
			if counts[e.Crawler] == nil {
				counts[e.Crawler] = map[string]int{}
			}
			fetched[e.Crawler]++
			counts[e.Crawler][x.web.Pages[e.Page].Label]++
			x.archives[e.Page%3].Answers[x.web.Pages[e.Page].URL]++ // whoever has it
		}
	}
	for i := range x.nodes {
		var labels []string
		for label, n := range counts[i] {
			labels = append(labels, fmt.Sprintf("%q: %d", "label-"+label, n))
		}
		s, err := crawled.ReadStatus(fmt.Appendf(nil, `{"stages": [{"name": "pages", "records": %d, "counts": {%s}}]}`, fetched[i], strings.Join(labels, ", ")))
		if err != nil {
			t.Fatal(err)
		}
		x.status = append(x.status, s)
	}
	return x
}

// row is what is said of a crawl, by column.
func row(t *testing.T, x *crawl) map[string]string {
	t.Helper()
	l := &lab{parameters: quick(t)}
	var table draw.Table
	if err := l.against(&table, 0.5, x); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for i, name := range []string{"locality", "URLs", "fetches", "kept", "simulated", "truth", "permuted", "rewired", "chance", "one", "one simulated", "two", "two simulated",
		"off", "sent", "matrix", "k", "holds"} {
		said[name] = table.Rows[0][i]
	}
	return said
}

// A crawl that went as its simulation goes is told from one without exchange, and from one by other labels.
func TestAgainst(t *testing.T) {
	good := row(t, played(t, func(o sim.Owners) sim.Partition { return sim.Partition{Pages: o} }))
	if good["holds"] != "yes" || good["matrix"] != "0.00" || good["k"] != "0.00" || good["kept"] != good["simulated"] {
		t.Errorf("a crawl and its own simulation: %v", good)
	}
	if good["permuted"] >= good["simulated"] || good["rewired"] >= good["simulated"] {
		t.Errorf("the red controls keep as much: %v", good)
	}
	off := row(t, played(t, func(sim.Owners) sim.Partition { return sim.Partition{} }))
	if off["holds"] != "no" {
		t.Errorf("without exchange: %v", off)
	}
	if off["one"] != good["off"] {
		t.Errorf("%s %% are fetched by one without exchange, and the simulation says %s", off["one"], good["off"])
	}
	other := played(t, func(o sim.Owners) sim.Partition { return sim.Partition{Pages: o} })
	other.labels["http://h/0"], other.labels["http://h/3"], other.labels["http://h/6"] = "games", "games", "games"
	if said := row(t, other); said["holds"] != "no" {
		t.Errorf("with labels that were not those of the crawl: %v", said)
	}
}

func TestTablesOfACrawl(t *testing.T) {
	x := played(t, func(o sim.Owners) sim.Partition { return sim.Partition{Pages: o} })
	dir := write(t, &lab{}, func(_ *lab, c *chapter) error {
		x.tables(c)
		return nil
	})
	by, nodes := read(t, dir, "crawls-by"), read(t, dir, "crawls-nodes")
	if one, three := by.number("URLs", "1"), by.number("URLs", "3"); one == 0 || one < three {
		t.Errorf("%g URLs by one, %g by all three", one, three)
	}
	if kept := nodes.number("kept %", "world"); kept < 34 {
		t.Errorf("world keeps %.1f %%", kept)
	}
}

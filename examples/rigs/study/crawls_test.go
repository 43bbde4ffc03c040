package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/crawled"
	"multitext/examples/rigs/study/internal/sim"
)

// played is a crawl as its crawlers would leave it, made of a simulation: by that partition, of
// pages with those labels.
func played(t *testing.T, partition func(sim.Owners) sim.Partition) *crawl {
	t.Helper()
	return playedOf(t, func(*crawl) {}, func(x *crawl) sim.Partition { return partition(x.owners()) })
}

// playedOf plays a crawl of a web that alter has changed.
func playedOf(t *testing.T, alter func(*crawl), partition func(*crawl) sim.Partition) *crawl {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 9))
	x := &crawl{web: &web.Web{}, nodes: []string{"arts", "games", "world"}, labels: map[string]string{}, seconds: 1}
	const pages = 600
	for i := range pages {
		p := web.Page{URL: fmt.Sprint("http://h/", i), Status: 200, Size: 1, Content: uint64(i),
			Label: labelOf(x.nodes[i%3])}
		for range 4 {
			if to := random.IntN(pages); to != i && (to%3 == i%3 || random.IntN(3) == 0) {
				p.Links = append(p.Links, to)
			}
		}
		x.web.Pages = append(x.web.Pages, p)
		x.labels[p.URL] = p.Label
	}
	x.seeds = [][]int{{0}, {1}, {2}}
	alter(x)
	log, err := (&sim.Crawl{Web: x.web, Partition: partition(x), Seeds: x.seeds, Exchange: 3}).Run()
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
		s, err := crawled.ReadStatus(fmt.Appendf(nil, `{"stages": [{"name": "pages", "records": %d, "counts": {%s}}]}`,
			fetched[i], strings.Join(labels, ", ")))
		if err != nil {
			t.Fatal(err)
		}
		x.status, x.givenUp = append(x.status, s), append(x.givenUp, 0)
	}
	return x
}

// row is what is said of a crawl, by column.
func row(t *testing.T, x *crawl) map[string]string {
	t.Helper()
	l := &lab{parameters: quick(t)}
	held, controls := l.crawlTables()
	if err := l.against(held, controls, 0.5, x); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for i, name := range []string{"locality", "URLs", "fetches", "fetches simulated", "given up", "given up simulated",
		"kept", "simulated", "one", "one simulated",
		"two", "two simulated", "sent", "matrix", "k", "holds"} {
		said[name] = held.Rows[0][i]
	}
	for i, name := range []string{"locality", "simulated", "truth", "permuted", "permuted chance", "permuted load",
		"rewired", "rewired chance", "rewired load", "one simulated", "off"} {
		said[name] = controls.Rows[0][i]
	}
	return said
}

// A crawl that went as its simulation goes is told from one without exchange, and from one by other
// labels.
func TestAgainst(t *testing.T) {
	good := row(t, played(t, func(o sim.Owners) sim.Partition { return sim.Partition{Pages: o} }))
	if good["holds"] != "yes" || good["matrix"] != "0.00" || good["k"] != "0.00" || good["kept"] != good["simulated"] {
		t.Errorf("a crawl and its own simulation: %v", good)
	}
	if !strings.Contains(good["permuted"], " to ") || !strings.Contains(good["rewired"], " to ") {
		t.Errorf("the red controls have no band: %v", good)
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

// Pages without text go to the first crawler, in the crawl as in the simulation.
func TestWithoutText(t *testing.T) {
	noText := func(x *crawl, page int) {
		x.web.Pages[page].Kind, x.web.Pages[page].Label = "no-text", ""
		delete(x.labels, x.web.Pages[page].URL)
	}
	for _, tc := range []struct {
		name, holds string
		partition   func(*crawl) sim.Owners
	}{
		{"they go to the first", "yes", func(x *crawl) sim.Owners { return x.sentTo(x.owners()) }},
		{"they stay", "no", (*crawl).owners},
	} {
		x := playedOf(t, func(x *crawl) {
			for page := 4; page < len(x.web.Pages); page += 7 {
				noText(x, page)
			}
		}, func(x *crawl) sim.Partition { return sim.Partition{Pages: tc.partition(x)} })
		if said := row(t, x); said["holds"] != tc.holds {
			t.Errorf("%s: holds is %s, want %s: %v", tc.name, said["holds"], tc.holds, said)
		}
	}
}

// Pages that get no answer are given up by all who ask for them, in the crawl as in the simulation;
// none of them is fetched.
func TestGivenUp(t *testing.T) {
	x := played(t, func(o sim.Owners) sim.Partition { return sim.Partition{Pages: o} })
	before := row(t, x)
	x.web.Pages[1].Status, x.web.Pages[5].Status = 0, 0
	delete(x.labels, x.web.Pages[1].URL)
	delete(x.labels, x.web.Pages[5].URL)
	x.givenUp = []int{2, 1, 0}
	said := row(t, x)
	if said["given up"] != "3" || said["given up simulated"] == "0" || before["given up simulated"] != "0" ||
		said["fetches simulated"] >= before["fetches simulated"] {
		t.Errorf("with two pages that do not answer: %v; without: %v", said, before)
	}
}

func TestTablesOfACrawl(t *testing.T) {
	x := played(t, func(o sim.Owners) sim.Partition { return sim.Partition{Pages: o} })
	dir := resultstest.Write(t, func(c *results.Chapter) error {
		x.tables(c)
		return nil
	})
	by, nodes := resultstest.Read(t, dir, "crawls-by"), resultstest.Read(t, dir, "crawls-nodes")
	if one, three := by.Number("URLs", "1"), by.Number("URLs", "3"); one == 0 || one < three {
		t.Errorf("%g URLs by one, %g by all three", one, three)
	}
	if kept := nodes.Number("kept %", "world"); kept < 34 {
		t.Errorf("world keeps %.1f %%", kept)
	}
}

// Pages without text spoil what #0 keeps if they go there, since their links lead anywhere. Where
// there are no short pages it does not matter where they go.
func TestUnclassified(t *testing.T) {
	x := played(t, func(o sim.Owners) sim.Partition { return sim.Partition{Pages: o} })
	for i := range x.web.Pages {
		if i%4 == 3 {
			x.web.Pages[i].Kind = "no-text"
			delete(x.labels, x.web.Pages[i].URL)
		}
	}
	l := &lab{parameters: quick(t)}
	dir := resultstest.Write(t, func(c *results.Chapter) error { return l.unclassified(c, x) })
	s := resultstest.Read(t, dir, "crawls-short")
	local, zero, own := s.Number("kept by #0 %", "local", "local"), s.Number("kept by #0 %", "to #0", "local"),
		s.Number("kept by #0 %", "to a crawler of their own", "local")
	if zero > local-3 || own < zero+3 {
		t.Errorf("#0 keeps %.1f %%, %.1f with the pages without text, and %.1f when they have a crawler", local, zero,
			own)
	}
	if got := s.Number("kept by #0 %", "local", "to #0"); got != local {
		t.Errorf("#0 keeps %.1f %% with short pages, of which there are none, and %.1f without", got, local)
	}
}

// By topic each page is in one archive, and some are fetched again; a page in a second archive is
// seen.
func TestCost(t *testing.T) {
	x := played(t, func(o sim.Owners) sim.Partition { return sim.Partition{Pages: o} })
	if got := x.heldTwice(); got != 0 {
		t.Errorf("%.3f of the pages are held twice", got)
	}
	row := x.cost("topic")
	if row[1] != "501" || row[2] != "768" || row[4] != "0.533" || row[5] != "0.0" {
		t.Errorf("the row is %q", row)
	}
	for url := range x.archives[0].Answers {
		x.archives[1].Answers[url]++
	}
	if got := x.heldTwice(); got < 0.2 {
		t.Errorf("with one archive laid to another %.3f of the pages are held twice", got)
	}
}

package examples

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// divided is crawlers that divide a web by the hash of the host.
type divided struct {
	*c4Bench
	owner map[string]string // who owns each host
}

// newDivided is the first n of the sixteen crawlers.
func newDivided(t *testing.T, bin string, n, pages int, changes ...string) *divided {
	t.Helper()
	d := &divided{newC4BenchOf(t, bin, pages, changes...), map[string]string{}}
	d.nodes = d.nodes[:n]
	text := fmt.Sprintf("nodes = 1\nurl = %q\n", c4Folders)
	for _, node := range d.nodes {
		text += fmt.Sprintf("[[node]]\nname = %q\n", node)
	}
	d.write("nodes.toml", text)
	d.write("topics.model", "none: pages stay where they were fetched")
	// The stage that decides who owns a URL tells it: what is tried here is what becomes of the URL.
	all := d.universe()
	out := d.output(filepath.Join(d.bin, "classify"), append([]string{"links", "-nodes", d.path("nodes.toml"), "-node",
		d.nodes[0], "-by", "host", "-explain"}, all...)...)
	owns := map[string]int{}
	for line := range strings.Lines(out) {
		node, url, _ := strings.Cut(strings.TrimSpace(line), "\t")
		d.owner[hostOf(url)] = node
		owns[node]++
	}
	if len(owns) < min(n, 3) {
		t.Fatalf("who owns how many of %d URLs: %v", len(all), owns)
	}
	return d
}

// universe is all URLs that can be met: those of the web, and seeds, of which some are beyond a
// small web.
func (d *divided) universe() []string {
	urls := slices.Collect(maps.Keys(d.graph))
	for _, node := range d.nodes {
		urls = append(urls, d.seeds(node)...)
	}
	return distinct(urls)
}

// answers is all URLs of them that get an answer.
func (d *divided) answers() []string { return slices.DeleteFunc(d.universe(), d.graph.dead) }

// foreign counts links to pages of others, by what became of them.
type foreign struct{ sent, before, summed, dropped int64 }

// meets counts the links to pages of others that a crawler meets: on the pages that it finds, each
// of which is read once, and its seeds. all counts them, once each URL once.
func (d *divided) meets(node string, finds map[string]bool) (all, once int64) {
	met := map[string]bool{}
	meet := func(url string) {
		if d.owner[hostOf(url)] != node {
			all++
			met[url] = true
		}
	}
	for _, url := range d.seeds(node) {
		meet(url)
	}
	for url := range finds {
		for _, to := range distinct(d.graph[url].links) {
			if to != url {
				meet(to)
			}
		}
	}
	return all, int64(len(met))
}

// measured is what c4 measure prints, so far as the tests look at it.
type measured struct {
	Crawlers []struct {
		Name            string
		Fetched         int64
		URLsSent        int64 `json:"urls_sent"`
		SentBefore      int64 `json:"sent_before"`
		Summed, Dropped int64
		PagesSent       int64 `json:"pages_sent"`
	}
	Pages, Distinct   int
	Overlap, Coverage float64
	URLsAPage         float64 `json:"urls_sent_per_page"`
	Imbalance         float64 `json:"largest_load_over_mean"`
}

func (m measured) String() string {
	dropped := int64(0)
	for _, c := range m.Crawlers {
		dropped += c.Dropped
	}
	return fmt.Sprintf("%d pages, overlap %.4f, coverage %.4f, %.3f URLs sent a page, %d links dropped, "+
		"largest load / mean %.2f", m.Pages, m.Overlap, m.Coverage, m.URLsAPage, dropped, m.Imbalance)
}

// measure has c4 measure the crawl, and the coverage of some URLs.
func (b *c4Bench) measure(universe []string) (m measured) {
	b.t.Helper()
	b.write("universe.txt", strings.Join(universe, "\n"))
	args := []string{"measure", "-json", "-universe", b.path("universe.txt")}
	for _, node := range b.nodes {
		args = append(args, b.path("crawl/"+node))
	}
	if err := json.Unmarshal([]byte(b.output(filepath.Join(b.bin, "c4"), args...)), &m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// cameToMeasures holds the archives against what a mode must come to, and c4 measure against the
// web's links.
func (d *divided) cameToMeasures(mode mode) measured {
	d.t.Helper()
	want := d.simulate(mode.rule(d))
	d.cameTo(want, d.archives())
	d.lawful()
	m := d.measure(d.answers())
	for i, node := range d.nodes {
		fetched := want.answers(d.graph, node)
		links, c := mode.counts(d.meets(node, want.finds[node])), m.Crawlers[i]
		got := foreign{c.URLsSent, c.SentBefore, c.Summed, c.Dropped}
		if links.summed > 0 { // it depends on the runs how many are sent as one
			got.sent, got.summed = 0, got.sent+got.summed
		}
		if c.Name != node || c.Fetched != int64(len(fetched)) || got != links {
			d.t.Errorf("measured of %s %d fetched, links %+v; want %d, %+v", node, c.Fetched, got, len(fetched),
				links)
		}
	}
	pages := want.answers(d.graph, d.nodes...)
	n, i, u := float64(len(pages)), float64(len(distinct(pages))), float64(len(d.answers()))
	if m.Pages != int(n) || m.Distinct != int(i) || m.Overlap != (n-i)/i || m.Coverage != i/u {
		d.t.Errorf("measured %v, want %v pages, %v different of %v", m, n, i, u)
	}
	return m
}

// answers are the URLs that these crawlers find and that get an answer, one that two find twice.
func (o outcome) answers(web graph, nodes ...string) (urls []string) {
	for _, node := range nodes {
		for url := range o.finds[node] {
			if !web.dead(url) {
				urls = append(urls, url)
			}
		}
	}
	return urls
}

func distinct(urls []string) []string { return slices.Compact(slices.Sorted(slices.Values(urls))) }

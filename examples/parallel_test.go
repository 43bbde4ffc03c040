package examples

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// divided is crawlers that divide a web by the hash of the host.
type divided struct {
	*c4Bench
	owner map[string]string // who owns each URL of the web
}

// newDivided is the first n of the sixteen crawlers.
func newDivided(t *testing.T, n, pages int) *divided {
	t.Helper()
	d := &divided{newC4Bench(t, pages), map[string]string{}}
	if first := d.nodes[:n]; n < len(d.nodes) {
		d.deal(c4Folders, func(i int, _ string) string { return first[i%n] })
	}
	// Who owns a URL is told by the stage that decides it: what is tried here is what becomes of that.
	all := d.universe()
	out := d.output(filepath.Join(d.bin, "classify"), append([]string{"links", "-nodes", d.path("nodes.toml"), "-node",
		d.first, "-by", "host", "-explain"}, all...)...)
	owns := map[string]int{}
	for line := range strings.Lines(out) {
		node, url, _ := strings.Cut(strings.TrimSpace(line), "\t")
		d.owner[url] = node
		owns[node]++
	}
	if len(d.owner) != len(all) || len(owns) < min(n, 3) {
		t.Fatalf("%d of %d URLs have an owner; who owns how many: %v", len(d.owner), len(all), owns)
	}
	return d
}

// universe is all URLs that can be met: those of the web, and seeds, of which some are beyond a small web.
func (d *divided) universe() []string {
	urls := slices.Collect(maps.Keys(d.graph))
	for _, node := range d.nodes {
		urls = append(urls, d.seeds(node)...)
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

// answers is all URLs of them that get an answer.
func (d *divided) answers() []string { return slices.DeleteFunc(d.universe(), d.graph.dead) }

// byHost are the flags of c4 run for links by host, and others.
func byHost(vars ...string) (flags []string) {
	for _, v := range append([]string{"delay=0s", "pages_by=none", "links_by=host"}, vars...) {
		flags = append(flags, "-var", v)
	}
	return flags
}

// exchange is the rule that a URL is its owner's.
func (d *divided) exchange() rule {
	return rule{fetches: func(_, url string) string { return d.owner[url] }, keeps: finder, follows: finder}
}

// foreign counts the links to pages of others that a crawler meets, each page of those that it
// finds read once, and its seeds: all of them, and each URL once.
func (d *divided) foreign(node string, finds map[string]bool) (all, once int64) {
	met := map[string]bool{}
	meet := func(url string) {
		if d.owner[url] != node {
			all++
			met[url] = true
		}
	}
	for _, url := range d.seeds(node) {
		meet(url)
	}
	for url := range finds {
		links := slices.Clone(d.graph[url].links)
		slices.Sort(links)
		for _, to := range slices.Compact(links) {
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
		Name         string
		Fetched      int64
		URLsSent     int64 `json:"urls_sent"`
		SentBefore   int64 `json:"sent_before"`
		Dropped      int64
		BatchesSent  int64 `json:"batches_sent"`
		BytesSent    int64 `json:"bytes_sent"`
		BytesFetched int64 `json:"bytes_fetched"`
	}
	Pages, Distinct   int
	Overlap, Coverage float64
	URLsAPage         float64 `json:"urls_sent_per_page"`
}

// measure has c4 measure the crawl; its universe is all URLs that get an answer.
func (d *divided) measure() (m measured) {
	d.t.Helper()
	d.write("universe.txt", strings.Join(d.answers(), "\n"))
	args := []string{"measure", "-json", "-universe", d.path("universe.txt")}
	for _, node := range d.nodes {
		args = append(args, d.path("crawl/"+node))
	}
	if err := json.Unmarshal([]byte(d.output(filepath.Join(d.bin, "c4"), args...)), &m); err != nil {
		d.t.Fatal(err)
	}
	return m
}

// cameToMeasures holds the archives against a rule, and what c4 measure prints against both. sends
// tells whether links to pages of others are sent; if not, all are dropped that are counted so.
func (d *divided) cameToMeasures(r rule, counts func(all, once int64) (sent, before, dropped int64)) measured {
	d.t.Helper()
	want := d.simulate(r)
	d.cameTo(want, d.archives())
	d.lawful()
	m, pages, different := d.measure(), 0, map[string]bool{}
	for i, node := range d.nodes {
		fetched := int64(0)
		for url := range want.finds[node] {
			if !d.graph.dead(url) {
				fetched++
				different[url] = true
			}
		}
		pages += int(fetched)
		all, once := d.foreign(node, want.finds[node])
		sent, before, dropped := counts(all, once)
		if c := m.Crawlers[i]; c.Name != node || c.Fetched != fetched || c.URLsSent != sent || c.SentBefore != before ||
			c.Dropped != dropped {
			d.t.Errorf("%s: measured %+v, want %d fetched, %d links sent, %d sent before, %d dropped", node, c, fetched,
				sent, before, dropped)
		}
	}
	distinct, answers := float64(len(different)), len(d.answers())
	if m.Pages != pages || m.Distinct != len(different) || m.Overlap != (float64(pages)-distinct)/distinct ||
		m.Coverage != distinct/float64(answers) {
		d.t.Errorf("measured %+v, want %d pages, %d different of %d", m, pages, len(different), answers)
	}
	return m
}

// sendsAll is what exchange counts: each URL of others is sent once, and met again the other times.
func sendsAll(all, once int64) (sent, before, dropped int64) { return once, all - once, 0 }

// Killed at random with all their managers, crawlers in exchange mode fetch what they fetch
// undisturbed: no page twice, none missing, each link sent once. -c4kills 30 does it with 4 and 16.
func TestParallelKilled(t *testing.T) {
	kills, crawlers := *c4Kills, []int{4, 16}
	if kills <= 3 {
		crawlers = crawlers[:1] // to be short
	}
	for _, n := range crawlers {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			d := newDivided(t, n, 160+40*kills)
			rnd := rand.New(rand.NewPCG(uint64(kills), uint64(n)))
			fired, managers := 0, 0
			for range kills {
				hit, over := d.killed(time.Duration(rnd.Int64N(int64(time.Second))), byHost()...)
				if over {
					break
				}
				fired++
				managers += hit
			}
			if fired < kills*2/3 || managers < n/2*fired {
				t.Errorf("%d of %d kills hit the crawl, and %d managers", fired, kills, managers)
			}
			d.runAll(byHost()...)
			m := d.cameToMeasures(d.exchange(), sendsAll)
			if m.Overlap != 0 {
				t.Errorf("overlap %v", m.Overlap)
			}
			t.Logf("%d kills of %d managers; %d pages, overlap %v, coverage %.4f, %.2f URLs sent a page", fired, managers,
				m.Pages, m.Overlap, m.Coverage, m.URLsAPage)
		})
	}
}

package examples

import (
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"multitext/txlog"
)

// distillStage reads all links beside filter, and what pages were worth beside frontier. The test reads
// them, too, and what comes of them.
const distillStage = `[queue.inscope]
keep = true

[queue.worths]
keep = true

[queue.distilled]
keep = true

[stage.distill]
in     = ["inscope", "worths"]
out    = "distilled"
state  = "topical"
take   = 64
timeout = "10m"
run    = "distill -graph {topical} -new {topical.new} -distilled {distilled} -report {report} {in}"
verify = "distill -verify {in}"

`

// withDistill has the frontier of the tour go by score, with the distiller. Each page is worth 1, but for
// errors, redirects and duplicates, which are worth 0.
func (b *bench) withDistill() {
	b.t.Helper()
	b.withFrontier(tourFlags + "score")
	b.countsLinks()
	b.change("[stage.frontier]", distillStage+"[stage.frontier]", `["fresh", "known", "again"`,
		`["fresh", "known", "worths", "distilled", "again"`, `out  = "links"`, `out  = ["links", "worths"]`,
		"-links {links}", "-score -judged {worths} -links {links}")
}

// hubs are those of a plain program, by the paper: links between sites, weighed by what pages were worth.
func (b *bench) hubs() map[string]float64 {
	b.t.Helper()
	worth := map[string]float64{}
	for _, record := range b.recordsOf("worths") {
		if text, ok := attribute(record, "worth"); ok {
			worth[record[0]], _ = strconv.ParseFloat(text, 64)
		}
	}
	site := func(u string) string { // a host of this web is a registered domain
		host, _, _ := strings.Cut(strings.TrimPrefix(u, "http://"), "/")
		return host
	}
	var links [][2]string
	hubs := map[string]float64{}
	for from, tos := range b.linked() {
		for to := range tos {
			if site(from) != site(to) {
				links = append(links, [2]string{from, to})
				hubs[from] = 1
			}
		}
	}
	for range 300 {
		authorities, next := map[string]float64{}, map[string]float64{}
		for _, link := range links {
			if worth[link[1]] > 0.5 {
				authorities[link[1]] += hubs[link[0]] * worth[link[1]]
			}
		}
		length := 0.0
		for _, link := range links {
			next[link[0]] += authorities[link[1]] * worth[link[0]]
		}
		for _, hub := range next {
			length = math.Hypot(length, hub)
		}
		for page := range next {
			next[page] /= length
		}
		hubs = next
	}
	return hubs
}

// attribute is the value of an attribute of a record.
func attribute(record []string, key string) (value string, ok bool) {
	for _, text := range record[1:] {
		if value, ok = strings.CutPrefix(text, key+"="); ok {
			if plain, err := url.PathUnescape(value); err == nil {
				value = plain
			}
			return value, true
		}
	}
	return "", false
}

// distilled holds the hubs in the state of distill, when they are made once more out of all links,
// against those of a plain program.
func (b *bench) distilled() error {
	b.t.Helper()
	segments, err := filepath.Glob(b.crawlPath("state/topical/*"))
	if err != nil || segments == nil {
		return fmt.Errorf("distill has no state: %v", err)
	}
	dir := b.t.TempDir()
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			b.t.Fatal(err)
		}
	}
	list, more, anew := filepath.Join(dir, "list"), filepath.Join(dir, "more.txt"), filepath.Join(dir, "anew")
	write(list, strings.Join(segments, "\n"))
	var lines strings.Builder // of pages that were not judged: they change nothing but the number of links
	for i := range 10_000 {
		fmt.Fprintf(&lines, "http://elsewhere.example/\tvia=http://more%d.example/\n", i)
	}
	write(more, lines.String())
	distill := func(args ...string) string {
		cmd := exec.Command(b.bin+"/distill", append([]string{"-graph", list, "-hubs", "1000"}, args...)...)
		cmd.Env = append(os.Environ(), "MT_SECRET="+b.crawlPath("secret"))
		out, err := cmd.Output()
		if err != nil {
			b.t.Fatalf("distill %v: %v", args, err)
		}
		return string(out)
	}
	distill("-new", anew, "-distilled", anew+".zst", more)
	write(list, strings.Join(append(segments, anew), "\n"))
	want, off, n := b.hubs(), 0.0, 0
	for line := range strings.Lines(distill("-show")) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); f[0] == "hub" {
			value, _ := strconv.ParseFloat(f[1], 64)
			off, n = math.Hypot(off, value-want[f[4]]), n+1
		}
	}
	if b.t.Logf("%d hubs, which are %v from those of a plain program", n, off); off > 0.05 || n < min(len(want), 50) {
		return fmt.Errorf("%d hubs are %v from the %d of a plain program", n, off, len(want))
	}
	return nil
}

// visitedAgain holds the archive against what distill asked for: each page is there once, and once more for
// each time that it was to be visited again. From one time to the next the links have doubled. No page is
// lifted twice. Where a page waits to be visited when it is asked for again, one visit is made: merged is how
// many are missing for that.
func (b *bench) visitedAgain() (merged int, err error) {
	b.t.Helper()
	lifted, links, visits, total := map[string]bool{}, map[string]int64{}, map[string]int{}, 0
	for _, d := range b.distillations() {
		for _, record := range d.records {
			url := record[0]
			if _, again := attribute(record, "visit"); !again {
				if lifted[url] {
					return 0, fmt.Errorf("%s is lifted twice", url)
				}
				lifted[url] = true
				continue
			}
			if d.links < 2*links[url] {
				return 0, fmt.Errorf("%s is to be visited again at %d and at %d links", url, links[url], d.links)
			}
			links[url] = d.links
			visits[url]++
		}
	}
	for url, n := range readArchive(b.t, b.path("crawl/archive")).answers {
		total += visits[url]
		merged += 1 + visits[url] - n
		if n < 1+min(visits[url], 1) || n > 1+visits[url] {
			return 0, fmt.Errorf("%s is in the archive %d times, and was to be visited %d times again", url, n, visits[url])
		}
	}
	if b.t.Logf("%d pages lifted, %d visits again", len(lifted), total); len(lifted) == 0 || total == 0 {
		return 0, fmt.Errorf("%d pages were lifted, %d visited again", len(lifted), total)
	}
	return merged, nil
}

// A distillation is what a run of distill wrote, and the links of its graph then.
type distillation struct {
	links   int64
	records [][]string
}

// distillations are those of the crawl, in order.
func (b *bench) distillations() (all []distillation) {
	b.t.Helper()
	b.records(func(r txlog.Record) {
		c, ok := r.(*txlog.Commit)
		if !ok || c.Stage != "distill" {
			return
		}
		d := distillation{}
		for _, gauge := range c.Gauges {
			if gauge.Name == "links" {
				d.links = gauge.N
			}
		}
		for _, o := range c.Outputs {
			if o.Name.Queue() == "distilled" {
				d.records = append(d.records, b.recordsIn(b.crawlPath(string(o.Name)))...)
			}
		}
		all = append(all, d)
	})
	return all
}

// The tour with a distiller, killed at random, twenty times.
func TestTourDistillKilled(t *testing.T) {
	t.Parallel()
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`)
	b.withDistill()
	b.ownWeb("-hosts", "20", "-pages", "100")
	if fired := b.killed(20, wholeTree, 200e6, 900e6); fired < 10 {
		t.Errorf("only %d kills hit the crawl", fired)
	}
	b.settled()
	whole := sameURLs(readArchive(t, b.path("crawl/archive")).answers, toFetch(b.reachable()))
	merged, visited := b.visitedAgain()
	for _, err := range []error{whole, b.handedOutBut(merged), visited, b.distilled()} {
		if err != nil {
			t.Error(err)
		}
	}
	b.verified()
}

// A distiller that forgets its graph or what it asked for, that counts links within a site, or whose
// records are taken for new URLs, is seen.
func TestDistillSeesDefects(t *testing.T) {
	t.Parallel()
	seesDefects(t, "distill", "-hosts 5 -pages 30", (*bench).withDistill, func(b *bench) error {
		if err := b.distilled(); err != nil {
			return err
		}
		_, err := b.visitedAgain()
		return err
	}, "graph-forgotten", "known-unmarked", "sites-ignored", "asked-forgotten")
}

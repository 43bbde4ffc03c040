package examples

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"multitext/txlog"
	"multitext/txlog/crash"
)

// rankStage reads all links beside filter. The test reads them, too.
const rankStage = `[queue.inscope]
keep = true

[stage.rank]
in    = "inscope"
out   = "ranked"
state = "graph"
take  = 64
timeout = "10m"
run   = "rank -graph {graph} -new {graph.new} -ranked {ranked} -report {report} {in}"
verify = "rank -verify {in}"

`

// withRank has the frontier of the tour go by PageRank.
func (b *bench) withRank() {
	b.t.Helper()
	b.withFrontier(tourFlags + "pagerank")
	b.ranks()
}

// ranks gives the frontier of a script the ranks of the stage rank.
func (b *bench) ranks() {
	b.t.Helper()
	b.change("[stage.frontier]", rankStage+"[stage.frontier]", `["fresh", "again", "visits"`,
		`["fresh", "ranked", "again", "visits"`)
}

// A web is the pages that a page links to, by URL; a page that has none is in it as well.
type web map[string]map[string]bool

// linked is the web of the links that came out of restrict.
func (b *bench) linked() web {
	b.t.Helper()
	w := web{}
	for _, record := range b.recordsOf("inscope") {
		to := record[0]
		if w[to] == nil {
			w[to] = map[string]bool{}
		}
		from, ok := attribute(record, "via")
		if !ok {
			continue
		}
		if w[from] == nil {
			w[from] = map[string]bool{}
		}
		if from != to {
			w[from][to] = true
		}
	}
	return w
}

// ranks are those of a plain program: each pass from the one before, until nothing changes.
func (w web) ranks() map[string]float64 {
	ranks := map[string]float64{}
	for range 100 {
		next := map[string]float64{}
		for page := range w {
			next[page] += 0.15
			for to := range w[page] {
				next[to] += 0.85 * ranks[page] / float64(len(w[page]))
			}
		}
		ranks = next
	}
	return ranks
}

// shown are the ranks in a state of rank, which must be of the pages of w and no others, each
// fetched if it has links. What is not ranked yet has 0.
func (b *bench) shown(w web, segments ...string) (map[string]float64, error) {
	b.t.Helper()
	cmd := exec.Command(b.bin+"/rank", "-show", "-graph", "/dev/stdin")
	cmd.Env = append(os.Environ(), "MT_SECRET="+b.crawlPath("secret"))
	cmd.Stdin = strings.NewReader(strings.Join(segments, "\n"))
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatalf("rank -show: %v", err)
	}
	ranks, wrong := map[string]float64{}, 0
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		rank := 0.0
		fmt.Sscan(f[0], &rank)
		ranks[f[2]] = rank
		if links, ok := w[f[2]]; !ok || (f[1] == "fetched") != (len(links) > 0) {
			wrong++
		}
	}
	if wrong > 0 || len(ranks) != len(w) {
		return nil, fmt.Errorf("the graph has %d pages, %d of them wrong; want %d", len(ranks), wrong, len(w))
	}
	return ranks, nil
}

// ranked holds the graph of rank against the links of the whole crawl, and the ranks that it gives
// their pages against those of a plain program.
func (b *bench) ranked() error {
	b.t.Helper()
	w := b.linked()
	segments, err := filepath.Glob(b.crawlPath("state/graph/*"))
	if err != nil || segments == nil {
		return fmt.Errorf("rank has no state: %v", err)
	}
	if _, err := b.shown(w, segments...); err != nil {
		return err
	}
	links, _ := filepath.Glob(b.crawlPath("inscope/*"))
	anew := filepath.Join(b.t.TempDir(), "graph")
	cmd := exec.Command(b.bin+"/rank", append([]string{"-new", anew, "-ranked", anew + "-ranked.zst"}, links...)...)
	cmd.Env = append(os.Environ(), "MT_SECRET="+b.crawlPath("secret"))
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("rank: %v\n%s", err, out)
	}
	off := 0.0
	ranks, err := b.shown(w, anew)
	if err != nil {
		return err
	}
	for page, want := range w.ranks() {
		off += math.Abs(ranks[page] - want)
	}
	if off /= float64(len(w)); off > 0.006 {
		return fmt.Errorf("the ranks of %d pages are off those of a plain program by %v in the mean", len(w), off)
	}

	counts := map[string]int64{}
	b.records(func(r txlog.Record) {
		if c, ok := r.(*txlog.Commit); ok && (c.Stage == "frontier" || c.Stage == "rank") {
			for _, why := range c.Reasons {
				counts[why.Name] += why.N
			}
			for _, count := range c.Counts {
				counts[count.Name] += count.N
			}
		}
	})
	if counts["known"] == 0 || counts["passes"] == 0 {
		return fmt.Errorf("nothing was lifted: %v", counts)
	}
	b.t.Logf("%d pages; off by %v in the mean; %d scores in %d passes", len(w), off, counts["known"], counts["passes"])
	return nil
}

// The tour by PageRank fetches what it fetches in the other orders.
func TestTourPageRank(t *testing.T) {
	t.Parallel()
	b := tourBench(t, programs(t))
	b.withRank()
	b.change("[queue.frontier]", keepsFresh)
	b.run(0)
	b.frontierWhole()
	if err := b.ranked(); err != nil {
		t.Error(err)
	}
	b.verified()
}

// The same, killed at random, twenty times.
func TestTourPageRankKilled(t *testing.T) {
	t.Parallel()
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`)
	b.withRank()
	b.frontierKilled()
	if err := b.ranked(); err != nil {
		t.Error(err)
	}
	b.verified()
}

// A rank that forgets its graph, or whose records are taken for new URLs, is seen.
func TestRankSeesDefects(t *testing.T) {
	t.Parallel()
	seesDefects(t, "rank", "-hosts 3 -pages 30", (*bench).withRank, func(b *bench) error {
		if err := b.ranked(); err != nil {
			return err
		}
		return readArchive(t, b.path("crawl/archive")).once()
	}, "graph-forgotten", "known-unmarked")
}

// seesDefects crawls a small web of the tour as it is, and with each defect of a stage: check must find
// nothing wrong with the first crawl, and something with each of the others. Whether a defect shows may go
// by the pace of the crawl, so it has three crawls.
func seesDefects(t *testing.T, stage, web string, with func(*bench), check func(*bench) error, defects ...string) {
	t.Helper()
	crawl := func(defect string) error {
		b := newBench(t, faulty.Dir(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`, "-hosts 20 -pages 100", web)
		with(b)
		if defect != "" {
			b.env = crash.Failpoints(t, defect)
			b.change("[stage."+stage+"]", "[stage."+stage+"]\nenv = [\"MULTITEXT_FAILPOINTS\"]")
		}
		b.run(0)
		return check(b)
	}
	if err := crawl(""); err != nil {
		t.Errorf("without a defect: %v", err)
	}
	for _, defect := range defects {
		err := crawl(defect)
		for again := 0; err == nil && again < 2; again++ {
			err = crawl(defect)
		}
		if t.Logf("%s: %v", defect, err); err == nil {
			t.Errorf("the defect %q was not seen", defect)
		}
	}
}

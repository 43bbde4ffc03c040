package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"multitext/classify/testkit"
)

// realSites are the sites, unpacked once for all tests, and what reach.py finds
// in their files.
var realSites struct {
	sync.Once
	dir     string
	reached map[string]string // URL to what a crawler meets there
}

// sites unpacks the real sites and counts, by a parser and resolver that share
// nothing with the crawler, what is reachable in them.
func sites(t *testing.T) (dir string, reached map[string]string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3, which counts what is reachable, is not installed")
	}
	testkit.Files(t, testkit.Sites, func(string, []byte) bool { return false }) // skips every test without them
	bin := programs(t)
	realSites.Do(func() {
		dir := filepath.Join(bin, "sites")
		testkit.Unpack(t, testkit.Sites, "", dir)
		politely(t, filepath.Join(dir, "www.boost.org", "robots.txt"))
		out, err := exec.Command(python, "testweb/testdata/reach.py", dir, "--agent", "sitesbot").Output()
		if err != nil {
			t.Fatalf("reach.py: %v", err)
		}
		realSites.dir, realSites.reached = dir, map[string]string{}
		for line := range strings.Lines(string(out)) {
			url, outcome, _ := strings.Cut(strings.TrimSpace(line), "\t")
			realSites.reached[url] = outcome
		}
	})
	if realSites.reached == nil {
		t.Fatal("the sites could not be made ready; see the first test that asked for them")
	}
	return realSites.dir, realSites.reached
}

// politely takes the Crawl-delay of ten seconds out of a robots.txt: it is obeyed,
// and would make of this test one of half an hour.
func politely(t *testing.T, robots string) {
	t.Helper()
	text, err := os.ReadFile(robots)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(strings.ToLower(line), "crawl-delay") {
			kept = append(kept, line)
		}
	}
	if err := os.WriteFile(robots, []byte(strings.Join(kept, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}

// sitesBench is the crawl of the real sites from their front pages.
func sitesBench(t *testing.T) (b *bench, reached map[string]string) {
	t.Helper()
	dir, reached := sites(t)
	b = newBench(t, programs(t), "testdata/sites", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`)
	hosts, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	seeds, scope := "", ""
	for _, h := range hosts {
		if h.IsDir() {
			seeds += "http://" + h.Name() + "/\n"
			scope += "keep host " + h.Name() + " and scheme http\n"
		}
	}
	b.write("seeds.txt", seeds)
	b.write("scope.txt", scope+"reject all as elsewhere\n")
	b.serve("-root", dir)
	return b, reached
}

// fetchable are the URLs that a crawler may ask for.
func fetchable(reached map[string]string) map[string]string {
	urls := map[string]string{}
	for url, outcome := range reached {
		if !strings.HasPrefix(outcome, "forbidden") {
			urls[url] = outcome
		}
	}
	return urls
}

// holdAgainst compares the archive with the count from the files, URL for URL
// and status for status.
func (b *bench) holdAgainst(reached map[string]string) {
	b.t.Helper()
	a := readArchive(b.t, b.path("crawl/archive"))
	want := fetchable(reached)
	if err := sameURLs(a.answers, want); err != nil {
		b.t.Error(err)
	}
	if err := a.once(); err != nil {
		b.t.Error(err)
	}
	for url, outcome := range want {
		if status, ok := a.status[url]; ok && !strings.HasPrefix(outcome, strconv.Itoa(status)) {
			b.t.Errorf("%s answered %d, the files say %s", url, status, outcome)
		}
	}
	b.t.Logf("%d URLs fetched, %d counted from the files; %d revisits", len(a.answers), len(want), a.revisit)
}

// The crawl of real sites fetches exactly what an independent count over their
// files says is reachable.
func TestSites(t *testing.T) {
	t.Parallel()
	b, reached := sitesBench(t)
	b.run(0)
	b.sitesWhole(reached)
	b.wholeBatches("fetch", 500, recordsRead)
	b.wholeBatches("pack", 10e6, bytesWritten)
}

// sitesWhole holds a crawl of the real sites against the count from their files.
func (b *bench) sitesWhole(reached map[string]string) {
	b.t.Helper()
	if len(reached) < 7000 {
		b.t.Fatalf("only %d URLs are reachable", len(reached))
	}
	b.holdAgainst(reached)
	b.settled()
	var s webStats
	b.askStats("", &s)
	b.fetchedOnce(&s)
	if s.Violations > 0 {
		b.t.Errorf("%d forbidden pages were fetched", s.Violations)
	}
}

// The same, killed twenty times.
func TestSitesKilled(t *testing.T) {
	t.Parallel()
	b, reached := sitesBench(t)
	fired := b.killed(20, byTurns, 50*time.Millisecond, 400*time.Millisecond)
	if fired < 16 {
		t.Errorf("only %d kills hit the crawl", fired)
	}
	b.holdAgainst(reached)
	b.settled()
	t.Logf("%d kills", fired)
}

package examples

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/txlog"
)

// tourBench is the tour with a web that keeps its counts in a file.
func tourBench(t *testing.T, bin string) *bench {
	return newBench(t, bin, "tour", "crawl.toml",
		`"127.0.0.1:8480"`, `"WEB"`,
		"-hosts 20 -pages 100", "-hosts 20 -pages 100 -stats stats.json")
}

// webStats is what the web counted.
type webStats struct {
	Kinds map[string]struct {
		Distinct, Repeated int
	}
	Violations  int
	Connections struct{ Most int }
	Gap         struct{ Seconds *float64 }
}

func (b *bench) stats() webStats {
	b.t.Helper()
	var s webStats
	if err := json.Unmarshal([]byte(b.read("stats.json")), &s); err != nil {
		b.t.Fatal(err)
	}
	return s
}

// reachable is what the web itself says a crawl must find, by its own model: all
// addresses and those of a kind.
func (b *bench) reachable() (kinds map[string]string) {
	b.t.Helper()
	return b.reachableIn("-hosts", "20", "-pages", "100", "http://h000.test/")
}

// reachableIn is reachable for a web with the given flags, from seeds behind them.
func (b *bench) reachableIn(web ...string) (kinds map[string]string) {
	b.t.Helper()
	kinds = map[string]string{}
	for line := range strings.Lines(b.output(b.bin+"/testweb", append([]string{"-reach", "-v"}, web...)...)) {
		if url, kind, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			kinds[url] = kind
		}
	}
	return kinds
}

// toFetch are the addresses that the tour's scope and robots.txt allow.
func toFetch(kinds map[string]string) map[string]bool {
	urls := map[string]bool{}
	for url, kind := range kinds {
		if kind != "forbidden" && !strings.HasSuffix(url, ".gif") && !strings.HasSuffix(url, ".css") {
			urls[url] = true
		}
	}
	return urls
}

// sameURLs returns an error that names some of the URLs that are in one set only.
func sameURLs[A, B any](got map[string]A, want map[string]B) error {
	var missing, extra []string
	for u := range want {
		if _, ok := got[u]; !ok {
			missing = append(missing, u)
		}
	}
	for u := range got {
		if _, ok := want[u]; !ok {
			extra = append(extra, u)
		}
	}
	if missing == nil && extra == nil {
		return nil
	}
	slices.Sort(missing)
	slices.Sort(extra)
	some := func(s []string) []string { return s[:min(len(s), 10)] }
	return fmt.Errorf("%d URLs missing %v, %d too many %v", len(missing), some(missing), len(extra), some(extra))
}

// The tour ends by itself: every reachable page was fetched exactly once, no
// forbidden one, every body is archived once, every record's digests are right,
// and no record left the flow without a reason.
func TestTour(t *testing.T) {
	t.Parallel()
	b := tourBench(t, programs(t))
	said := b.run(0)
	b.tourWhole()
	b.wholeBatches("fetch", 400, recordsRead)
	b.wholeBatches("pack", 5e6, bytesWritten)
	if !strings.Contains(said, "Done after ") || !strings.Contains(said, b.path("crawl/archive")) {
		t.Errorf("the summary does not say where to look:\n%s", said)
	}
	b.advised()
}

// advised asks the adviser which order would have found the pages that most pages link to first.
// From the seed it reaches every page that links were read of.
func (b *bench) advised() {
	b.t.Helper()
	files, err := filepath.Glob(b.path("crawl/archive/*.warc.gz"))
	if err != nil {
		b.t.Fatal(err)
	}
	b.output(b.bin+"/extract", append([]string{"-links", b.path("links.zst")}, files...)...)
	table := b.output(b.bin+"/advise", b.path("links.zst"))
	b.t.Log("\n" + table)
	var pages, links, seeds, reached int
	_, err = fmt.Sscanf(table, "%d pages, %d links, %d seeds; %d pages can be reached.", &pages, &links, &seeds,
		&reached)
	if err != nil || pages < 2000 || links < 10*pages || seeds != 1 || reached != pages ||
		!strings.Contains(table, "would have found half of the wanted first: after ") {
		b.t.Errorf("the adviser says (%v):\n%s", err, table)
	}
}

// cutShort is how many requests fetch did not wait for.
func (b *bench) cutShort() (cut int64) {
	b.t.Helper()
	b.records(func(r txlog.Record) {
		if c, ok := r.(*txlog.Commit); ok && c.Stage == "fetch" {
			for _, count := range c.Counts {
				if count.Name == "cut-short" {
					cut += count.N
				}
			}
		}
	})
	return cut
}

// fetchedOnce finds that the web has given each answer once. On a busy machine fetch may not wait
// for an answer that is on its way: it counts such a request as cut-short, and makes it again.
func (b *bench) fetchedOnce(s *webStats) {
	b.t.Helper()
	repeated, cut := 0, b.cutShort()
	for _, n := range s.Kinds {
		repeated += n.Repeated
	}
	if int64(repeated) > cut {
		b.t.Errorf("%d addresses were fetched again, and %d requests cut short", repeated, cut)
	}
	if cut > 0 {
		b.t.Logf("%d addresses were fetched again, of %d requests cut short", repeated, cut)
	}
}

// tourWhole holds the archive and the web's counts against what can be reached.
func (b *bench) tourWhole() {
	t := b.t
	t.Helper()
	a := readArchive(t, b.path("crawl/archive"))
	want := toFetch(b.reachable())
	if len(want) < 2000 {
		t.Fatalf("only %d pages are reachable", len(want))
	}
	if err := sameURLs(a.answers, want); err != nil {
		t.Error(err)
	}
	if err := a.once(); err != nil {
		t.Error(err)
	}
	if a.revisit < 50 {
		t.Errorf("%d revisits, want one for each duplicate", a.revisit)
	}
	s := b.stats()
	b.fetchedOnce(&s)
	if s.Violations > 0 || s.Connections.Most > 1 || s.Gap.Seconds == nil || *s.Gap.Seconds < 0.02 {
		t.Errorf("the web saw %+v; want no violation, one connection a host, gaps of 20 ms", s)
	}
	b.surveyed()
	reported, err := b.law()
	if err != nil || reported < 50 {
		t.Errorf("the law over %d transactions: %v", reported, err)
	}
	t.Logf("%d answers (%d revisits) of %d reachable, %d transactions with a report", len(a.answers), a.revisit,
		len(want), reported)
}

// wholeBatches holds the median of what a stage handles in a run against what
// the script asks for. The last runs are excepted: those behind the last whole
// one, when the frontier has run dry.
func (b *bench) wholeBatches(stage string, asked int64, size func(*txlog.Commit) int64) {
	b.t.Helper()
	var sizes []int64
	b.records(func(r txlog.Record) {
		if c, ok := r.(*txlog.Commit); ok && c.Stage == stage {
			sizes = append(sizes, size(c))
		}
	})
	last := len(sizes)
	for last > 0 && sizes[last-1] < asked/2 {
		last--
	}
	if last == 0 {
		b.t.Errorf("no run of %s handles half of the %d asked for: %v", stage, asked, sizes)
		return
	}
	whole := slices.Sorted(slices.Values(sizes[:last]))
	median := whole[len(whole)/2]
	b.t.Logf("%s: median %d of %d asked for in %d runs, and %d last ones", stage, median, asked, last, len(sizes)-last)
	if median < asked/2 {
		b.t.Errorf("batches of %s crumble: median %d of %d asked for: %v", stage, median, asked, sizes)
	}
}

// recordsRead and bytesWritten are what a run handles.
func recordsRead(c *txlog.Commit) int64 { return c.Read }

func bytesWritten(c *txlog.Commit) (n int64) {
	for _, o := range c.Outputs {
		n += o.Size
	}
	return n
}

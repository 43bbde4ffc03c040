package examples

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/txlog"
	"multitext/txlog/crash"
)

var growKills = flag.Int("growkills", 1, "how often TestGrowKilled kills all crawlers before each change")

// growBench is a collaboration of four crawlers by the hash of hosts, which a fifth joins, and which
// two leave.
type growBench struct {
	*c4Bench
	args  []string       // of c4 run
	want  map[string]int // the URLs of those who begin at the seeds
	fifth map[string]int // those of them that the fifth crawler fetches, if it is there from the start
}

func newGrowBench(t *testing.T, bin string, pages int, changes ...string) *growBench {
	t.Helper()
	// In small batches, so that most of what is found waits in the frontiers.
	changes = append([]string{"-urls 400", "-urls 16"}, changes...)
	b := &growBench{c4Bench: &c4Bench{bench: newBench(t, bin, "c4", "c4.toml", changes...)}}
	b.args = []string{"-var", "pages_by=none", "-var", "links_by=host", "-var", "delay=0s", "-looks", "300ms"}
	web := []string{"-topical", b.path("web.toml"), "-set", fmt.Sprint("pages=", pages), "-set", "host_pages=8"}
	b.serve(web...)
	b.graph = readGraph(b.output(filepath.Join(b.bin, "testweb"), append(web, "-links")...))
	b.write("topics.model", "none: pages stay where they were fetched")
	b.nodes = []string{"north", "south", "east", "west", "middle"}
	if err := os.Mkdir(b.path("seeds"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, node := range b.nodes[:4] {
		b.write("seeds/"+node+".txt", "http://portal.test/00000.html\n")
	}
	b.write("seeds/middle.txt", "")
	alone := func(_, _ string) string { return b.nodes[0] }
	b.want = b.simulate(rule{fetches: alone, keeps: alone, follows: alone}).archives[b.nodes[0]]
	b.members(true, 0)
	args := []string{"links", "-nodes", b.path("nodes.toml"), "-node", "middle", "-by", "host", "-explain"}
	b.fifth = map[string]int{}
	for line := range strings.Lines(b.output(filepath.Join(b.bin, "classify"),
		slices.AppendSeq(args, maps.Keys(b.want))...)) {
		if url, ok := strings.CutPrefix(line, "middle\t"); ok {
			b.fifth[strings.TrimSpace(url)] = 1
		}
	}
	return b
}

// members writes nodes.toml: the four, and with joined the fifth, of which the last leave.
func (b *growBench) members(joined bool, leaving int) {
	b.t.Helper()
	all := b.nodes[:4]
	if joined {
		all = b.nodes
	}
	// By this secret a fifth of the hosts has a third of the pages.
	text := fmt.Sprintf("nodes = 1\nurl = %q\nsecret = \"%032x\"\n", c4Folders, 7)
	for i, node := range all {
		text += fmt.Sprintf("[[node]]\nname = %q\njoined = %t\nleaves = %t\n", node, i == 4, i >= len(all)-leaving)
	}
	b.write("nodes.new", text)
	if err := os.Rename(b.path("nodes.new"), b.path("nodes.toml")); err != nil {
		b.t.Fatal(err)
	}
}

// fetchUntil runs the crawlers until a part of these URLs has been fetched. Then it stops them and calls
// then; or it calls then and kills them a little later.
func (b *growBench) fetchUntil(part float64, urls map[string]int, kill bool, then func()) {
	b.t.Helper()
	cmd, said := b.c4(b.args...)
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for n := 0; n < int(part*float64(len(urls))); {
		select {
		case err := <-ended:
			b.t.Fatalf("the crawl was over with %d of %d URLs: %v\n%s\n%s", n, len(urls), err, said, b.logs())
		case <-time.After(50 * time.Millisecond):
		}
		_, counts := b.askCounts()
		n = 0
		for url := range urls {
			n += min(counts[url], 1)
		}
	}
	if kill {
		then()
		time.Sleep(300 * time.Millisecond)
		b.kill(cmd, true)
		<-ended
		return
	}
	cmd.Process.Signal(syscall.SIGTERM)
	<-ended
	then()
}

// fetch is fetchUntil, killed so often before.
func (b *growBench) fetch(from, to float64, urls map[string]int, kills int, then func()) {
	b.t.Helper()
	for i := range kills {
		b.fetchUntil(from+(to-from)*float64(i+1)/float64(kills+1), urls, true, func() {})
	}
	b.fetchUntil(to, urls, kills > 0, then)
}

// grow has the crawl of four grow to five and shrink to three, and holds what it comes to: each page is in
// one archive, once; who leaves fetches nothing that waits; all that was sent was brought.
func (b *growBench) grow(kills int) {
	b.t.Helper()
	b.members(false, 0)
	b.fetch(0, 0.2, b.want, kills, func() { b.members(true, 0) })
	b.fetch(0.25, 0.5, b.fifth, kills, func() { b.members(true, 2) })
	left := map[string]uint64{}
	for _, node := range b.nodes[3:] {
		b.node(node).records(func(r txlog.Record) { left[node] = max(left[node], r.Number()) })
	}
	if kills > 0 {
		b.fetch(0.6, 0.9, b.want, kills, func() {})
	}
	b.runAll(b.args...)
	if kills > 0 { // who had joined is quiet and can be forgotten
		b.members(false, 1)
		b.runAll(b.args...)
	}

	all, got, has := b.archives(), map[string]int{}, map[string]int{}
	for node, a := range all {
		for url, n := range a.answers {
			got[url] += n
			has[node] += n
		}
	}
	if err := sameURLs(got, b.want); err != nil {
		b.t.Error(err)
	}
	for url, n := range got {
		if n != 1 {
			b.t.Errorf("%s is in the archives %d times", url, n)
		}
	}
	sent := b.lawful()
	for node, last := range left {
		if kept := b.kept(node, last); kept != 0 {
			b.t.Errorf("%s keeps %d URLs that wait, though it leaves", node, kept)
		}
	}
	moved := b.moved()
	b.t.Logf("%d URLs, %v; %d records handed over; moved %v", len(got), has, sent, moved)
	for _, what := range []string{"to middle", "from middle", "from west"} {
		if moved[what] == 0 {
			b.t.Errorf("%s: no URL moved, which shows nothing", what)
		}
	}
	if has["middle"] < 3 {
		b.t.Errorf("the crawler that joined has fetched %d pages", has["middle"])
	}
}

// kept is how many URLs a crawler that leaves let pass recheck after a transaction.
func (b *growBench) kept(node string, last uint64) (n int64) {
	b.node(node).records(func(r txlog.Record) {
		c, ok := r.(*txlog.Commit)
		if !ok || c.Stage != "recheck" || c.Number() <= last {
			return
		}
		for _, o := range c.Outputs {
			if o.Name.Queue() == "due" {
				n += o.Records
			}
		}
	})
	return n
}

// moved is how many URLs filter and recheck have sent to the crawlers that fetch them.
func (b *growBench) moved() map[string]int64 {
	moved := map[string]int64{}
	for _, node := range b.nodes {
		b.node(node).records(func(r txlog.Record) {
			c, ok := r.(*txlog.Commit)
			if !ok || c.Stage != "filter" && c.Stage != "recheck" {
				return
			}
			for _, count := range c.Counts {
				if to, ok := strings.CutPrefix(count.Name, "to-"); ok {
					moved["to "+to] += count.N
					moved["from "+node] += count.N
					moved["by "+c.Stage] += count.N
				}
			}
		})
	}
	return moved
}

// Four crawlers become five and then three. No URL is lost, and each is fetched once, as the web saw.
func TestGrow(t *testing.T) {
	t.Parallel()
	b := newGrowBench(t, programs(t), 320)
	b.grow(0)
	_, fetched := b.askCounts()
	again, cut := 0, int64(0)
	for _, n := range slices.Collect(maps.Values(fetched)) {
		again += n - 1
	}
	for _, node := range b.nodes {
		cut += b.node(node).cutShort()
	}
	if int64(again) > cut {
		t.Errorf("%d requests were made again, and %d were cut short", again, cut)
	}
}

// The same, with nodes.toml changed while managers run, and all crawlers killed before each change and just
// after it.
func TestGrowKilled(t *testing.T) {
	if *growKills == 0 {
		t.Skip("no kills: -growkills is 0")
	}
	t.Parallel()
	newGrowBench(t, programs(t), 320).grow(*growKills)
}

// Crawlers that are wrong are seen: a link goes to the crawler that fetches it now, a URL that comes back
// is taken for one that was seen, and one that leaves keeps what waits.
func TestGrowSeesDefects(t *testing.T) {
	if *growKills < 2 {
		t.Skip("takes minutes: give -growkills 2 or more, as .ci/rigs does")
	}
	for _, c := range []struct{ stage, defect string }{
		{"", ""}, // the control
		{"links", "memory-moves"}, {"filter", "moved-judged"}, {"recheck", "nothing-moves"},
	} {
		t.Run(c.defect, func(t *testing.T) {
			t.Parallel()
			var changes []string
			if c.stage != "" {
				table := "[stage." + c.stage + "]"
				changes = []string{table, table + "\nenv = [\"MULTITEXT_FAILPOINTS\"]"}
			}
			j := &judge{TB: t}
			for tries := 3; tries > 0 && len(j.errs) == 0; tries-- { // by chance few URLs move
				b := newGrowBench(t, faulty.Dir(t), 320, changes...)
				b.t = j
				if c.defect == "" {
					tries = 0
				} else {
					b.env = crash.Failpoints(t, c.defect)
				}
				b.grow(0)
			}
			if (c.defect != "") != (len(j.errs) > 0) {
				t.Errorf("%d errors: %q", len(j.errs), j.errs)
			} else if len(j.errs) > 0 {
				t.Logf("%d errors, the first: %.200s", len(j.errs), j.errs[0])
			}
		})
	}
}

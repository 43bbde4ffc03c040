package examples

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/examples/internal/warcs"
	"multitext/txlog"
)

var (
	hostileHosts = flag.Int("hostile", 192,
		"hosts that misbehave in TestHostile, one of three of its web; 96 for one of each fault")
	hostileKills = flag.Int("hostile-kills", 0,
		"kills of the whole tree that TestHostile makes; the web lives through them")
)

// A crawl of a web of which a third misbehaves, in all the ways that testweb knows, ends by
// itself. Every URL has one outcome, the other two thirds are whole, and nothing that a
// stranger wrote reaches the names of files or the terminal.
func TestHostile(t *testing.T) {
	for _, order := range orders("breadth") {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			b, kinds := hostileBench(t, *hostileHosts)
			b.change("-order breadth", "-order "+order)
			b.goesBy(order)
			b.hostileWhole(kinds)
		})
	}
}

// hostileWhole runs the crawl and looks at all that it leaves.
func (b *bench) hostileWhole(kinds map[string]string) {
	b.t.Helper()
	said := ""
	if *hostileKills > 0 {
		b.ownWeb(hostileWeb(*hostileHosts)...)
		b.t.Logf("%d kills", b.killed(*hostileKills, wholeTree, 2*time.Second, 5*time.Second))
	} else {
		said = b.run(0)
		b.t.Log(said[strings.LastIndex(said, "Done after"):])
	}

	b.settled()
	if err := b.handedOut(); err != nil {
		b.t.Error(err)
	}
	archived := archivedURLs(b.t, b.path("crawl/archive"))
	b.oneOutcomeEach(archived)
	b.outcomesOfFaults(kinds)
	b.healthyHostsWhole(archived, kinds)
	b.politeToAll(kinds)
	b.memoryWithin(memoryBounds)
	b.plainNames()
	b.plainWords(said)
	b.verified()
}

// verified has manager verify look at all files, and frontier at its state.
func (b *bench) verified() {
	b.t.Helper()
	if cmd, said := b.manager("verify"); cmd.Run() != nil {
		b.t.Errorf("verify says\n%s", said)
	}
	b.waiting("-check")
}

// hostileBench is the example with so many hosts that misbehave and twice as many that do
// not, all of their front pages as seeds; kinds is what testweb says is behind each URL that
// can be reached.
func hostileBench(t *testing.T, n int) (b *bench, kinds map[string]string) {
	t.Helper()
	web := hostileWeb(n)
	b = newBench(t, programs(t), "hostile", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`,
		"-hosts 288 -pages 4 -hostile 96", strings.Join(web, " ")+" -stats stats.json",
		"[queue.frontier]", keepsFresh,
		"[limit]", "[stop]\ntime = \"8m\" # a crawl that does not end is a failure\n\n[limit]")
	var seeds []string
	for host := range 3 * n {
		seeds = append(seeds, fmt.Sprintf("http://h%03d.test/", host))
	}
	b.write("seeds.txt", strings.Join(seeds, "\n")+"\n")
	kinds = map[string]string{}
	for line := range strings.Lines(b.output(b.bin+"/testweb",
		slices.Concat([]string{"-reach", "-v"}, web, seeds)...)) {
		if url, kind, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			kinds[url] = kind
		}
	}
	return b, kinds
}

// keepsFresh is what a script has instead of [queue.frontier] for oneOutcomeEach.
const keepsFresh = "[queue.fresh]\nkeep = true\n\n[queue.frontier]"

func hostileWeb(n int) []string {
	return []string{"-hosts", fmt.Sprint(3 * n), "-pages", "4", "-hostile", fmt.Sprint(n)}
}

// healthyKinds are those of addresses on hosts that do not misbehave.
var healthyKinds = map[string]bool{"page": true, "duplicate": true, "redirect": true, "notfound": true, "nonhtml": true,
	"forbidden": true}

// oneOutcomeEach finds each URL that filter let through in the archive, in refused or in
// given_up, the last two with a reason, and in one of them only.
func (b *bench) oneOutcomeEach(archived map[string][]string) {
	b.t.Helper()
	fresh, outcomes := b.urls("fresh"), maps.Clone(archived)
	for _, queue := range []string{"refused", "given_up"} {
		for url, reason := range b.urls(queue) {
			outcomes[url] = append(outcomes[url], queue)
			if reason == "" {
				b.t.Errorf("%s is in %s without a reason", url, queue)
			}
		}
	}
	if err := sameURLs(outcomes, fresh); err != nil {
		b.t.Errorf("outcomes, beside what filter let through: %v", err)
	}
	for url, where := range outcomes {
		if len(where) != 1 {
			b.t.Errorf("%s has the outcomes %v", url, where)
		}
	}
	b.t.Logf("%d URLs let through, each with one outcome", len(fresh))
}

// largestAnswer is -max-body and -max-header of the example's script, and what a unit may mean.
const largestAnswer = 1<<20 + 32<<10

// archivedURLs are the URLs of the answers in the WARC files of a queue, once for each, none
// of them larger than it may be. The heads of these answers are not for every parser.
func archivedURLs(t testing.TB, dir string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no WARC files in %s (%v)", dir, err)
	}
	urls := map[string][]string{}
	for _, name := range files {
		err := warcs.ReadFile(name, func(rec *warcs.Record) error {
			if kind := rec.Header.Get("WARC-Type"); kind == "response" || kind == "revisit" {
				url := rec.Header.Get("WARC-Target-URI")
				urls[url] = append(urls[url], "archive")
				if n := len(rec.Block); n > largestAnswer {
					t.Errorf("the answer of %s has %d bytes in the archive, want at most %d", url, n, largestAnswer)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return urls
}

// reasons are why the front pages of hosts with these faults are not in the archive. All
// others are: what was cut is kept, and a bomb is an answer like any other.
var reasons = map[string]string{
	"silent": "head-timeout", "closes": "no-answer", "resets": "reset", "head-cut": "reset", "head-reset": "reset",
	"head-silent": "head-timeout",
	"head-slow":   "head-timeout", "head-endless": "head-too-long", "head-lines": "head-too-long",
	"head-line": "head-too-long",
	"banner":    "not-http", "binary": "not-http", "http09": "not-http", "status": "not-http", "interim": "not-http",
	"robots-500": "robots-unreachable", "robots-429": "robots-unreachable", "robots-silent": "head-timeout",
	"robots-resets": "reset", "robots-slow": "head-timeout",
}

// busy are reasons by which any of these may end where the machine has no time for the web.
var busy = []string{"head-timeout", "connect-timeout"}

func (b *bench) outcomesOfFaults(kinds map[string]string) {
	b.t.Helper()
	got := b.urls("refused")
	maps.Copy(got, b.urls("given_up"))
	met := 0
	for url, kind := range kinds {
		if healthyKinds[kind] {
			continue
		}
		met++
		if want := reasons[kind]; got[url] != want && (want == "" || !slices.Contains(busy, got[url])) {
			b.t.Errorf("%s, with the fault %s, ends as %q, want %q", url, kind, got[url], reasons[kind])
		}
	}
	if met != *hostileHosts {
		b.t.Errorf("%d front pages misbehave, want %d", met, *hostileHosts)
	}
	maps.Copy(got, b.urls("rejected"))
	count := map[string]int{}
	for _, reason := range got {
		count[reason]++
	}
	for reason, least := range guards {
		if count[reason] < least {
			b.t.Errorf("%d URLs end as %s, want at least %d", count[reason], reason, least)
		}
	}
}

// guards are reasons by which traps and forbidden places end, and for how many URLs at least.
var guards = map[string]int{
	"private-address": 8, // all that redirect-private leads to
	"too-deep":        100, "trap-hosts": 10, "trap-repeats": 1, "trap-length": 1, "robots": 4,
}

// healthyHostsWhole finds all that can be reached on hosts that do not misbehave in the
// archive, and nothing else of them.
func (b *bench) healthyHostsWhole(archived map[string][]string, kinds map[string]string) {
	b.t.Helper()
	healthy, hosts := map[string]string{}, map[string]bool{}
	for url, kind := range kinds {
		if healthyKinds[kind] {
			healthy[url] = kind
			hosts[hostOf(url)] = true
		}
	}
	got := maps.Clone(archived)
	maps.DeleteFunc(got, func(url string, _ []string) bool { return !hosts[hostOf(url)] })
	if err := sameURLs(got, toFetch(healthy)); err != nil {
		b.t.Errorf("hosts that do not misbehave: %v", err)
	}
	b.t.Logf("%d URLs of %d hosts that do not misbehave are archived", len(got), len(hosts))
}

func hostOf(url string) string { return strings.Split(url, "/")[2] }

// politeToAll holds the web's own counts against the rules. When a client that breaks off
// an answer has left, the web learns late; so gaps are held only of hosts whose answers are
// read to their end: those that do not misbehave, and traps, which are asked most often.
func (b *bench) politeToAll(kinds map[string]string) {
	b.t.Helper()
	var s struct {
		webStats
		Requests struct{ Most int }
		Hosts    []struct {
			Host string
			Gap  *float64
		}
	}
	if err := json.Unmarshal([]byte(b.webCounts()), &s); err != nil {
		b.t.Fatal(err)
	}
	if s.Violations > 0 || s.Connections.Most != 1 || s.Requests.Most != 1 {
		b.t.Errorf("%d violations, %d connections and %d requests at once to a host; want 0, 1, 1", s.Violations,
			s.Connections.Most, s.Requests.Most)
	}
	whole := map[string]bool{}
	for url, kind := range kinds {
		if healthyKinds[kind] || strings.HasPrefix(kind, "trap-") && kind != "trap-links" {
			whole[hostOf(url)] = true
		}
	}
	watched := 0
	for _, h := range s.Hosts {
		if !whole[h.Host] || h.Gap == nil {
			continue
		}
		watched++
		if *h.Gap < 0.02 {
			b.t.Errorf("%s was left alone for %.6f s only, want 20 ms", h.Host, *h.Gap)
		}
	}
	if watched < *hostileHosts {
		b.t.Errorf("gaps of %d hosts are known, want %d", watched, 2**hostileHosts)
	}
}

// webCounts is what the web counted, asked where it still runs.
func (b *bench) webCounts() string {
	b.t.Helper()
	resp, err := http.Get("http://" + b.web + "/__stats?hosts=1")
	if err != nil {
		return b.read("stats.json")
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

const (
	kilobyte = 1000
	megabyte = 1000 * kilobyte
)

// memoryBounds are what the package comments of the stages state, for the flags of the
// example's script, by the records that a run has read. What lives may be there twice,
// for the collector waits until as much garbage is beside it.
var memoryBounds = map[string]func(records int64) int64{
	"restrict": func(records int64) int64 { return program + 2*records*50 },
	"filter":   func(records int64) int64 { return program + 50*megabyte + 2*records*20 },
	// what it says of itself; the records, and a row for each host of them
	"frontier": func(records int64) int64 { return program + 60*megabyte + 2*records*2*kilobyte },
	// what it says of itself
	"rank": func(int64) int64 { return 128 * megabyte },
	// the records, and a robots.txt of 500 KB from each of 64 servers that are asked at once
	"resolve": func(records int64) int64 { return program + 64*500*kilobyte + 2*records*2*kilobyte },
	// the records, 0.4 MB and -max-header for each of -connections, three times -max-body
	"fetch": func(records int64) int64 {
		return program + 2*(records*2*kilobyte+32*(400*kilobyte+32*kilobyte)+3*megabyte)
	},
	"xdup": func(records int64) int64 { return program + 2*records*200 },
	// sixteen times -max-page for a page that is made to take much, garbage included
	"extract": func(int64) int64 { return program + 16*2*megabyte },
	"pack":    func(int64) int64 { return program },
}

// program is what a stage takes that has nothing to do, with buffers, code, and garbage that
// is not yet collected on a busy machine.
const program = 32 * megabyte

// memoryWithin holds the peak of each run, as the log has it, against its stage's bound.
func (b *bench) memoryWithin(bounds map[string]func(records int64) int64) {
	b.t.Helper()
	peak, bound := map[string]int64{}, map[string]int64{}
	b.records(func(r txlog.Record) {
		c, ok := r.(*txlog.Commit)
		if !ok || c.Stage == "" {
			return
		}
		most := bounds[c.Stage](max(c.Read, 0))
		if c.Run.Memory > most {
			b.t.Errorf("transaction %d: %s took %.1f MB, its bound for %d records is %.1f MB", c.Tx, c.Stage,
				float64(c.Run.Memory)/megabyte, c.Read, float64(most)/megabyte)
		}
		if c.Run.Memory > peak[c.Stage] {
			peak[c.Stage], bound[c.Stage] = c.Run.Memory, most
		}
	})
	for _, stage := range slices.Sorted(maps.Keys(peak)) {
		b.t.Logf("%s: at most %.1f MB, bound %.1f MB", stage, float64(peak[stage])/megabyte,
			float64(bound[stage])/megabyte)
	}
	if all := strings.Count(b.read(b.script), "[stage."); len(peak) != all {
		b.t.Errorf("stages %v ran, want all %d", slices.Sorted(maps.Keys(peak)), all)
	}
}

// fileNames are all that a crawl gives; the folders are those of its queues and states.
var fileNames = regexp.MustCompile(`^(m-\d{12}-\d{5}\.(zst|warc\.gz|seg)|log|lock|secret|script\.toml|log-\d{6}\.zst)$`)

// plainNames looks at the name of every file and folder that the crawl left.
func (b *bench) plainNames() {
	b.t.Helper()
	script := b.read(b.script) + "crawl state history work failed inbox"
	err := filepath.WalkDir(b.path("crawl"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !fileNames.MatchString(d.Name()) && !(d.IsDir() && strings.Contains(script, d.Name())) {
			b.t.Errorf("the crawl left %q", path)
		}
		return err
	})
	if err != nil {
		b.t.Error(err)
	}
}

// plainWords finds no control character in what the manager has said, nor in what it
// says of the crawl when asked.
func (b *bench) plainWords(said string) {
	b.t.Helper()
	check := func(what, text string) {
		for line := range strings.Lines(strings.ReplaceAll(text, "\t", " ")) {
			if i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), isControl); i >= 0 {
				b.t.Errorf("%s says %q", what, line)
			}
		}
	}
	check("run", said)
	asked := [][]string{{"status"}, {"log"}, {"ls"}, {"ls", "archive"}, {"why", "fetch"}, {"graph"}}
	shown := map[string]bool{}
	b.records(func(r txlog.Record) {
		if c, ok := r.(*txlog.Commit); ok && !shown[c.Stage] {
			shown[c.Stage] = true
			asked = append(asked, []string{"show", fmt.Sprint(c.Tx)})
		}
	})
	for _, a := range asked {
		cmd, out := b.manager(a[0], a[1:]...)
		if cmd.Run(); out.Len() == 0 {
			b.t.Errorf("%v says nothing", a)
		}
		check(strings.Join(a, " "), out.String())
	}
	for _, queue := range []string{"fresh", "rejected", "refused", "given_up"} {
		files, err := filepath.Glob(b.path("crawl/" + queue + "/*"))
		if err != nil {
			b.t.Fatal(err)
		}
		check("cat of "+queue, b.output(filepath.Join(b.bin, "manager"), append([]string{"cat"}, files...)...))
	}
}

// isControl tells of characters that a terminal may obey, or that turn text around. The
// manager itself puts tabs between columns.
func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\uFFFD' || r >= 0x202a && r <= 0x202e ||
		r >= 0x2066 && r <= 0x2069
}

package examples

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/txlog"
	"multitext/txlog/crash"
)

var c4Kills = flag.Int("c4kills", 3, "how often TestC4Killed and TestParallelKilled kill all crawlers")

// c4Bench is the collaboration in a folder of its own, on a web of so many pages that lives through
// the crawls.
type c4Bench struct {
	*bench
	nodes  []string
	first  string            // in nodes.toml
	labels map[string]string // whose the pages of a label are
	graph  graph
}

func newC4Bench(t *testing.T, pages int, changes ...string) *c4Bench {
	t.Helper()
	return newC4BenchOf(t, programs(t), pages, changes...)
}

// newC4BenchOf is newC4Bench with the programs in the folder bin.
func newC4BenchOf(t *testing.T, bin string, pages int, changes ...string) *c4Bench {
	t.Helper()
	b := &c4Bench{bench: newBench(t, bin, "c4", "c4.toml", changes...)}
	if err := os.CopyFS(b.path("seeds"), os.DirFS("c4/seeds")); err != nil {
		t.Fatal(err)
	}
	os.Remove(b.path("topics.model")) // of a crawl by hand
	web := []string{"-topical", b.path("web.toml"), "-set", fmt.Sprint("pages=", pages)}
	b.serve(web...)
	b.graph = readGraph(b.output(filepath.Join(b.bin, "testweb"), append(web, "-links")...))
	seeds, _ := filepath.Glob(b.path("seeds/*.txt"))
	b.labels = map[string]string{"foreign": "world"}
	for _, s := range seeds {
		name := strings.TrimSuffix(filepath.Base(s), ".txt")
		b.nodes = append(b.nodes, name)
		if name != "world" {
			b.labels[name] = name
		}
	}
	b.first = b.nodes[0]
	if len(b.nodes) != 16 || len(b.graph) < pages {
		t.Fatalf("%d nodes, %d pages", len(b.nodes), len(b.graph))
	}
	return b
}

// few leaves three of the sixteen crawlers, which share the topics; the rules are the same, and a
// crawl is soon over.
func (b *c4Bench) few(url string) {
	b.t.Helper()
	owns := map[string][]string{}
	for i, label := range slices.Sorted(maps.Keys(b.labels)) {
		if label != "foreign" {
			b.labels[label] = []string{"arts", "sports"}[i%2]
		}
		owns[b.labels[label]] = append(owns[b.labels[label]], label)
	}
	b.nodes = slices.Sorted(maps.Keys(owns))
	b.first = b.nodes[0]
	text := fmt.Sprintf("nodes = 1\nurl = %q\n", url)
	for _, node := range b.nodes {
		labels, err := json.Marshal(owns[node])
		if err != nil {
			b.t.Fatal(err)
		}
		text += fmt.Sprintf("[[node]]\nname = %q\nlabels = %s\n", node, labels)
	}
	b.write("nodes.toml", text)
}

// c4Forgets is the change of the script by which no crawler learns the URLs of pages that arrive.
// Then it depends on nobody's pace who fetches what.
func c4Forgets() []string { return []string{"-arrived {arrived} ", ""} }

const c4Folders = "file:crawl/$FROM/outgoing/$TO"

// c4 prepares a call of the runner.
func (b *c4Bench) c4(args ...string) (*exec.Cmd, *bytes.Buffer) {
	args = append([]string{"run", "-serve=false", "-web", b.web}, args...)
	cmd := exec.Command(filepath.Join(b.bin, "c4"), append(args, b.dir)...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(os.Environ(), b.env)
	return cmd, &said
}

// runAll runs the crawlers until all are quiet.
func (b *c4Bench) runAll(args ...string) string {
	b.t.Helper()
	cmd, said := b.c4(args...)
	if err := cmd.Run(); err != nil {
		b.t.Fatalf("%v; it said\n%s\n%s", err, said, b.logs())
	}
	return said.String()
}

// logs are the ends of what the managers said.
func (b *c4Bench) logs() string {
	var all strings.Builder
	for _, node := range b.nodes {
		text, _ := os.ReadFile(b.path("logs/" + node))
		fmt.Fprintf(&all, "== %s\n%s\n", node, text[max(0, len(text)-500):])
	}
	return all.String()
}

// node is the bench of one crawler.
func (b *c4Bench) node(name string) *bench {
	one := *b.bench
	one.crawl = "crawl/" + name
	return &one
}

// archives are what each crawler has archived.
func (b *c4Bench) archives() map[string]*archive {
	b.t.Helper()
	all := map[string]*archive{}
	for _, node := range b.nodes {
		all[node] = readMaybeArchive(b.t, b.path("crawl/"+node+"/archive"))
	}
	return all
}

// graph is a topical web as testweb tells it, by URL. It shares no code with the pages that are
// served but the draws themselves.
type graph map[string]webPage

type webPage struct {
	status, kind, topic string
	links               []string
}

func readGraph(text string) graph {
	g := graph{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		f := strings.Split(line, "\t")
		g[f[0]] = webPage{f[1], f[2], f[3], strings.Fields(f[5])}
	}
	return g
}

// dead tells whether a URL gets no answer. One that the web has not gets 404.
func (g graph) dead(url string) bool { return g[url].kind == "dead" }

// A rule says what becomes of a URL that a crawler finds and of a page that it has fetched.
type rule struct {
	fetches func(finder, url string) string // who fetches the URL; nobody: the link is dropped
	keeps   func(finder, url string) string // who archives the page
	follows func(finder, url string) string // who gets its links
}

const nobody = ""

// outcome is what a crawl must come to: who finds each URL, and how often it stands in the archive
// of each.
type outcome struct {
	finds    map[string]map[string]bool // by crawler
	archives map[string]map[string]int  // by crawler
}

// finders is how many crawlers find a URL.
func (o outcome) finders(url string) (n int) {
	for _, found := range o.finds {
		if found[url] {
			n++
		}
	}
	return n
}

// simulate finds the outcome, whatever the order: it goes on until nobody finds anything more.
func (b *c4Bench) simulate(r rule) outcome {
	b.t.Helper()
	o := outcome{map[string]map[string]bool{}, map[string]map[string]int{}}
	type find struct{ finder, url string }
	var queue []find
	for _, node := range b.nodes {
		o.finds[node], o.archives[node] = map[string]bool{}, map[string]int{}
		for _, url := range b.seeds(node) {
			queue = append(queue, find{node, url})
		}
	}
	for len(queue) > 0 {
		finder, url := r.fetches(queue[0].finder, queue[0].url), queue[0].url
		queue = queue[1:]
		if finder == nobody || o.finds[finder][url] {
			continue
		}
		o.finds[finder][url] = true
		if b.graph.dead(url) {
			continue
		}
		o.archives[r.keeps(finder, url)][url]++
		for _, to := range b.graph[url].links {
			if to != url { // extract leaves out links of a page to itself
				queue = append(queue, find{r.follows(finder, url), to})
			}
		}
	}
	return o
}

// seeds are the URLs with which a crawler begins.
func (b *c4Bench) seeds(node string) []string {
	return strings.Fields(b.read("seeds/" + node + ".txt"))
}

// finder is the rule of what stays.
func finder(finder, _ string) string { return finder }

// owners are who owns each page by the label that classify gave it. That of a page does not depend
// on who fetched it; pages without text are the first node's, and others without a label nobody's.
func (b *c4Bench) owners(all map[string]*archive) map[string]string {
	b.t.Helper()
	of := map[string]string{}
	for _, a := range all {
		for url, marks := range a.marks {
			for mark := range strings.FieldsSeq(marks) {
				label, ok := strings.CutPrefix(mark, "label=")
				if !ok {
					continue
				}
				owner := b.labels[label]
				if old := of[url]; old != "" && old != owner {
					b.t.Errorf("%s is of %s and of %s", url, old, owner)
				}
				of[url] = owner
			}
		}
	}
	for url, page := range b.graph {
		if page.kind == "no-text" {
			of[url] = b.first
		}
	}
	return of
}

// byLabel is the rule that labelled pages go to their owners.
func byLabel(of map[string]string) func(finder, url string) string {
	return func(finder, url string) string {
		if owner := of[url]; owner != "" {
			return owner
		}
		return finder
	}
}

// cameTo holds the archives against an outcome: each page where it must be, as often as it must be,
// no answer twice and no body twice.
func (b *c4Bench) cameTo(want outcome, all map[string]*archive) {
	b.t.Helper()
	for _, node := range b.nodes {
		got := all[node]
		if err := sameURLs(got.answers, want.archives[node]); err != nil {
			b.t.Errorf("archive of %s: %v", node, err)
		}
		for url, n := range want.archives[node] {
			if got.answers[url] != n {
				b.t.Errorf("%s is in the archive of %s %d times, want %d: once for each who found it", url, node,
					got.answers[url], n)
			}
		}
		for what, counts := range map[string]map[string]int{"answer": got.ids, "body": got.bodies} {
			for key, n := range counts {
				if n != 1 {
					b.t.Errorf("%s %s is in the archive of %s %d times", what, key, node, n)
				}
			}
		}
	}
}

// lawful holds the law of counts over each crawler, and what all have sent against what all were
// brought.
func (b *c4Bench) lawful() (sent int64) {
	b.t.Helper()
	var brought int64
	for _, name := range b.nodes {
		node := b.node(name)
		node.settled()
		node.records(func(r txlog.Record) {
			c, ok := r.(*txlog.Commit)
			if !ok {
				return
			}
			if c.Stage == "gofer" {
				brought += c.Read
			}
			for _, o := range c.Outputs {
				if o.Name.Queue() == "outgoing" {
					sent += o.Records
				}
			}
		})
	}
	if sent != brought {
		b.t.Errorf("%d records were sent, %d brought", sent, brought)
	}
	if left, _ := filepath.Glob(b.path("crawl/*/outgoing/*/*.*")); len(left) > 0 {
		b.t.Errorf("%d batches were not taken: %v", len(left), left[:min(len(left), 5)])
	}
	return sent
}

// askCounts asks the web how it was treated, and how often each URL was fetched.
func (b *c4Bench) askCounts() (m manners, counts map[string]int) {
	b.t.Helper()
	var s struct {
		manners
		URLs map[string]struct{ Count int }
	}
	b.askStats("?urls=1", &s)
	counts = map[string]int{}
	for url, u := range s.URLs {
		if !strings.HasSuffix(url, "/robots.txt") {
			counts[url] = u.Count
		}
	}
	return s.manners, counts
}

// Sixteen crawlers share a web by topic. Each page is archived by the crawler that owns its label,
// once for each who found it; who finds what is the same as in a simulation over the web's links
// and the labels; nothing is fetched twice by one crawler; what was sent was brought. And though
// they never talk, all together keep their distance to a host.
func TestC4(t *testing.T) {
	t.Parallel()
	b := newC4Bench(t, 140, c4Forgets()...)
	watch := b.watchAll()
	said := b.runAll("-var", c4Delay)
	b.saw(watch)
	all := b.archives()
	if !isPolite(t, all) {
		t.Error("crawlers that take turns ask at the same time")
	}
	of := b.owners(all)
	want := b.simulate(rule{fetches: finder, keeps: byLabel(of), follows: byLabel(of)})
	b.cameTo(want, all)
	sent := b.lawful()

	manners, fetched := b.askCounts()
	fetches, repeated, urls := 0, int64(0), map[string]bool{}
	for url := range b.graph {
		if b.graph.dead(url) {
			continue
		}
		finders := want.finders(url)
		if finders > 0 {
			urls[url] = true
		}
		if fetched[url] < finders {
			t.Errorf("%s was fetched %d times, want %d: once by each who found it", url, fetched[url], finders)
		}
		repeated += int64(fetched[url] - finders)
		fetches += finders
	}
	cut := int64(0)
	for _, name := range b.nodes {
		cut += b.node(name).cutShort()
	}
	if repeated > cut {
		t.Errorf("%d requests were made again, and %d were cut short: each who finds a URL fetches it once", repeated, cut)
	}
	b.measuresPages(want.answers(b.graph, b.nodes...), sent)
	if len(urls) < 120 || len(of) < 80 || sent < 250 {
		t.Errorf("%d URLs found, %d pages with an owner, %d sent: too few to show anything", len(urls), len(of), sent)
	}
	if !strings.Contains(said, "Quiet after") {
		t.Errorf("it did not say that all are quiet but\n%s", said)
	}
	right := 0
	for url, owner := range of {
		if topic := b.graph[url].topic; topic == owner || topic == "foreign" && owner == "world" {
			right++
		}
	}
	t.Logf("%d URLs, fetched %d times; %d records handed over; %d of %d labels are the true topic; %s", len(urls),
		fetches, sent, right, len(of), manners)
}

// measuresPages has c4 measure crawlers that have fetched these pages and sent so many.
func (b *c4Bench) measuresPages(fetched []string, sent int64) {
	b.t.Helper()
	m, different := b.measure(fetched), len(distinct(fetched))
	for _, c := range m.Crawlers {
		sent -= c.PagesSent
	}
	if m.Pages != len(fetched) || m.Distinct != different || m.Coverage != 1 || sent != 0 || m.URLsAPage != 0 {
		b.t.Errorf("measured %v; want %d pages, %d different, and %d more sent", m, len(fetched), different, sent)
	}
}

// A page that has arrived is not fetched by its owner, too: each crawler archives the same pages as
// if all forgot, and some of them fewer times; nobody fetches one twice.
func TestC4Arrived(t *testing.T) {
	t.Parallel()
	b := newC4Bench(t, 160)
	b.few(c4Folders)
	b.runAll("-var", "delay=40ms", "-looks", "500ms")
	all := b.archives()
	of := b.owners(all)
	forgetful := b.simulate(rule{fetches: finder, keeps: byLabel(of), follows: byLabel(of)})
	_, fetched := b.askCounts()
	fetches, most := 0, 0
	repeated, cut := int64(0), int64(0) // a request that was cut short is made again
	for url := range b.graph {
		if b.graph.dead(url) {
			continue
		}
		finders := forgetful.finders(url)
		if n := fetched[url]; n == 0 && finders > 0 {
			t.Errorf("%s was fetched by nobody, and found by %d", url, finders)
		}
		repeated += int64(max(fetched[url]-finders, 0))
		fetches, most = fetches+fetched[url], most+finders
	}
	for _, node := range b.nodes {
		cut += b.node(node).cutShort()
	}
	if repeated > cut {
		t.Errorf("%d requests more than crawlers that find a URL, and %d were cut short", repeated, cut)
	}
	leave := map[string]int64{} // by stage: URLs that leave the flow as arrived
	for _, node := range b.nodes {
		got := all[node]
		if err := sameURLs(got.answers, forgetful.archives[node]); err != nil {
			t.Errorf("archive of %s: %v", node, err)
		}
		b.node(node).records(func(r txlog.Record) {
			c, ok := r.(*txlog.Commit)
			if !ok {
				return
			}
			for _, reason := range c.Reasons {
				if reason.Name == "arrived" {
					leave[c.Stage] += reason.N
				}
			}
		})
	}
	if sent := b.lawful(); leave["filter"] != sent {
		t.Errorf("%d pages were sent, and the URLs of %d learned", sent, leave["filter"])
	}
	if fetches > most*98/100 || leave["recheck"] == 0 {
		t.Errorf("%d fetches, %d where nobody learns, %d skipped in a queue", fetches, most, leave["recheck"])
	}
	t.Logf("%d fetches, %d where nobody learns; %d pages arrived, %d URLs were skipped in a queue", fetches, most,
		leave["filter"], leave["recheck"])
}

// Killed at random, all sixteen managers with all they have started, the crawlers come to the same
// as undisturbed: each answer once for each who found it. They follow the links of sure pages
// first.
func TestC4Killed(t *testing.T) {
	t.Parallel()
	b := newC4Bench(t, 120+30**c4Kills, c4Forgets()...)
	if *c4Kills <= 3 {
		b.few(c4Folders) // to be short
	}
	rnd := rand.New(rand.NewPCG(uint64(*c4Kills), 1))
	fired, managers := 0, 0
	args := []string{"-var", "delay=0s", "-var", "order=score"}
	for range *c4Kills {
		hit, over := b.killed(b.afterStart(time.Duration(rnd.Int64N(int64(2*time.Second)))), args...)
		if over {
			break
		}
		fired++
		managers += hit
	}
	if fired < *c4Kills*2/3 || managers < len(b.nodes)/2*fired {
		t.Errorf("%d of %d kills hit the crawl, and %d managers", fired, *c4Kills, managers)
	}
	b.runAll(args...)
	all := b.archives()
	of := b.owners(all)
	b.cameTo(b.simulate(rule{fetches: finder, keeps: byLabel(of), follows: byLabel(of)}), all)
	sent := b.lawful()
	t.Logf("%d kills of %d managers; %d records handed over, %d pages with an owner", fired, managers, sent, len(of))
}

// killed runs the crawlers, and kills them all when due says so, which gets the number of the
// runner's process. It tells how many managers were hit, or that the crawl was over before.
func (b *c4Bench) killed(due func(pid int) bool, args ...string) (managers int, over bool) {
	b.t.Helper()
	cmd, said := b.c4(args...)
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !due(cmd.Process.Pid) {
		select {
		case err := <-ended:
			if err != nil {
				b.t.Fatalf("%v; it said\n%s\n%s", err, said, b.logs())
			}
			return 0, true
		case <-time.After(20 * time.Millisecond):
		}
	}
	managers = countManagers(cmd.Process.Pid)
	b.kill(cmd, true)
	<-ended
	return managers, false
}

// afterStart is due so long after all managers are there.
func (b *c4Bench) afterStart(after time.Duration) func(pid int) bool {
	var at time.Time
	late := time.Now().Add(time.Minute) // some were done at once
	return func(pid int) bool {
		if now := time.Now(); at.IsZero() && (countManagers(pid) >= len(b.nodes) || now.After(late)) {
			at = now.Add(after)
		}
		return !at.IsZero() && !time.Now().Before(at)
	}
}

// countManagers counts the managers below a process.
func countManagers(pid int) (n int) {
	for _, pid := range crash.Descendants(pid) {
		if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err == nil &&
			strings.TrimSpace(string(name)) == "manager" {
			n++
		}
	}
	return n
}

// near counts the requests of all crawlers, and those that were sent less than distance after
// another to the same host.
func near(t *testing.T, all map[string]*archive, distance time.Duration) (near, requests int) {
	t.Helper()
	sent := map[string][]time.Time{}
	for _, a := range all {
		for host, dates := range a.sent {
			for _, date := range dates {
				at, err := time.Parse(time.RFC3339, date)
				if err != nil {
					t.Fatal(err)
				}
				sent[host] = append(sent[host], at)
				requests++
			}
		}
	}
	for _, dates := range sent {
		slices.SortFunc(dates, time.Time.Compare)
		for i := 1; i < len(dates); i++ {
			if dates[i].Sub(dates[i-1]) < distance {
				near++
			}
		}
	}
	return near, requests
}

// The distance of two requests to a host, which is the delay in c4.toml, less the grain of the
// dates. (Two of different crawlers are half a turn of 100 ms apart.)
const (
	c4Delay    = "delay=20ms"
	c4Distance = 18 * time.Millisecond
)

// isPolite tells whether the promise was kept. One request in a hundred may be too near, for the
// system may stop a program after its look at the clock.
func isPolite(t *testing.T, all map[string]*archive) bool {
	t.Helper()
	n, requests := near(t, all, c4Distance)
	t.Logf("%d of %d requests were sent within %v of another to the same host", n, requests, c4Distance)
	return n*100 <= requests
}

// String is what a host has seen.
func (m manners) String() string {
	gap := "none"
	if m.Gap.Seconds != nil {
		gap = fmt.Sprintf("%.3f s", *m.Gap.Seconds)
	}
	return fmt.Sprintf("of any host the least gap was %s, the most requests at once %d, connections %d", gap,
		m.Requests.Most, m.Connections.Most)
}

// The alternative of the X4 paper: a page stays with its finder, and its links go to whose page it
// is. These crawlers do not know of each other when they fetch, and so do not keep their distance.
func TestC4LinksOnly(t *testing.T) {
	t.Parallel()
	var b *c4Bench
	var all map[string]*archive
	for polite, tries := true, 0; polite; tries++ { // by chance, on a busy machine
		if tries == 3 {
			t.Fatal("crawlers that take no turns seem to keep their distance")
		}
		b = newC4Bench(t, 160, "fetch -agent {agent} -connect-to '*.test={web}' -nodes {nodes} -node {node}",
			"fetch -agent {agent} -connect-to '*.test={web}'",
			"read    = { nodes = \"nodes.toml\" }\n", "")
		b.few(c4Folders)
		b.runAll("-var", c4Delay, "-var", "links_by=owner", "-var", "links_only=true")
		all = b.archives()
		polite = isPolite(t, all)
	}
	of := b.owners(all)
	b.cameTo(b.simulate(rule{fetches: finder, keeps: finder, follows: byLabel(of)}), all)
	if sent := b.lawful(); sent < 100 {
		t.Errorf("%d links were sent", sent)
	}
}

// leavesTorn lays a torn batch into an outgoing folder, and runs the crawlers once more: it stays
// where it is, and the runner says so.
func (b *c4Bench) leavesTorn(args ...string) {
	b.t.Helper()
	from, to := b.nodes[0], b.nodes[1]
	torn := b.path("crawl/" + from + "/outgoing/" + to + "/0123456789abcdef-000000000001-00001.zst")
	if err := errors.Join(os.MkdirAll(filepath.Dir(torn), 0o777),
		os.WriteFile(torn, []byte("torn"), 0o666)); err != nil {
		b.t.Fatal(err)
	}
	cmd, said := b.c4(args...)
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 ||
		!strings.Contains(said.String(), to+" does not take 1 batches") {
		b.t.Errorf("exit code %d, and it said\n%s", code, said)
	}
	if _, err := os.Stat(torn); err != nil {
		b.t.Error(err)
	}
}

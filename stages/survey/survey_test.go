package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// A crawl is runs of survey over a state.
type crawl struct {
	dir  string
	runs int
}

// run runs survey on inputs and returns what it wrote. html and tsv are "" if they were not due.
func (c *crawl) run(t *testing.T, inputs ...string) (html, tsv string) {
	t.Helper()
	list, segment := filepath.Join(c.dir, "list"), filepath.Join(c.dir, fmt.Sprint("segment-", c.runs))
	c.runs++
	page, tables := segment+".html", segment+".tsv"
	r := stagetest.MustRun(t, tool(), setup, "", append([]string{"-state", list, "-new", segment, "-html", page, "-tsv", tables},
		inputs...)...)
	if c.runs > 1 && !strings.Contains(r.Report, "replace") {
		t.Errorf("the old segment is not replaced:\n%s", r.Report)
	}
	if err := os.WriteFile(list, []byte(segment+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(page)
	rows, _ := os.ReadFile(tables)
	return string(text), string(rows)
}

// whole returns what the state says.
func (c *crawl) whole(t *testing.T) *whole {
	t.Helper()
	path := filepath.Join(c.dir, fmt.Sprint("segment-", c.runs-1))
	w, err := (&options{top: 100}).join(io.Discard, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// pages writes a batch of answers of a host, so many milliseconds apart.
func pages(t *testing.T, host string, from, n, status int, pause time.Duration) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "pages.warc.gz")
	all := make([]int, n)
	var packed = exchanges(t, host, from, all, status, pause)
	stagetest.WritePages(t, path, nil, packed...)
	return path
}

// TestSums: whatever runs the batches fall into, the state is that of one run of all, and its
// numbers are those of a plain count.
func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var inputs []string
	fresh := map[string]int{}
	statuses, refused := map[int]int{}, 0
	for b := range 12 {
		host := fmt.Sprintf("h%d.test", b%4)
		n := 1 + random.IntN(20)
		var lines []string
		for i := range n + 3 {
			lines = append(lines, fmt.Sprintf("http://%s/%d/%d\tdepth=1\tscore=0.%d", host, b, i, i%10))
		}
		fresh[host] += n + 3
		inputs = append(inputs, stagetest.Write(t, "fresh.zst", lines...))
		status := []int{200, 404, 301}[b%3]
		statuses[status] += n
		inputs = append(inputs, pages(t, host, 100*b, n, status, 500*time.Millisecond))
		inputs = append(inputs, stagetest.Write(t, "refused.zst", fmt.Sprintf("http://%s/%d/r\treason=robots", host, b),
			fmt.Sprintf("http://%s/%d/g\treason=timeout\ttries=5", host, b)))
		refused += 2
		fresh[host] -= n + 2
	}
	one := &crawl{dir: t.TempDir()}
	one.run(t, inputs...)
	for range 3 {
		c := &crawl{dir: t.TempDir()}
		shuffled := slices.Clone(inputs)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for len(shuffled) > 0 {
			n := min(1+random.IntN(6), len(shuffled))
			c.run(t, shuffled[:n]...)
			shuffled = shuffled[n:]
		}
		a, b := one.whole(t).tables(), c.whole(t).tables()
		if !bytes.Equal(withoutExamples(a), withoutExamples(b)) {
			t.Fatalf("in one run:\n%s\nin several:\n%s", a, b)
		}
	}
	w := one.whole(t)
	for status, n := range statuses {
		if got := w.number(kindStatus, fmt.Sprint(status)); got != int64(n) {
			t.Errorf("%d answers with status %d, want %d", got, status, n)
		}
	}
	if got := w.number(kindReason, "robots") + w.number(kindReason, "timeout"); got != int64(refused) {
		t.Errorf("%d URLs with a reason, want %d", got, refused)
	}
	for _, h := range w.Slowest.first() {
		if h.Waiting != int64(fresh[h.Name]) || h.Pause != 500*time.Millisecond || h.Left != time.Duration(h.Waiting)*h.Pause ||
			h.Robots != 3 || h.Refused != 3 || h.GivenUp != 3 {
			t.Errorf("%+v, want %d waiting", h, fresh[h.Name])
		}
	}
	if len(w.Slowest.first()) != 4 || w.Hosts != 4 {
		t.Errorf("%d hosts wait of %d, want 4", len(w.Slowest.first()), w.Hosts)
	}
}

// withoutExamples returns the tables without the column of examples: another order has others.
func withoutExamples(tsv []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(tsv) {
		if bytes.HasPrefix(line, []byte("reason")) {
			line = line[:bytes.LastIndexByte(line, '\t')]
		}
		out.Write(line)
	}
	return out.Bytes()
}

// TestRejected: URLs in a folder of rejected ones never waited.
func TestRejected(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"rejected", "scope"} {
		os.Mkdir(filepath.Join(dir, name), 0o777)
		os.Rename(stagetest.Write(t, "a.zst", "http://a/x\treason=scope"), filepath.Join(dir, name, "a.zst"))
	}
	for _, c := range []struct {
		folder string
		flags  []string
		done   int64
	}{{"rejected", nil, 0}, {"scope", nil, 1}, {"scope", []string{"-rejected", "scope"}, 0}, {"rejected", []string{"-rejected", "scope"}, 1}} {
		s := &crawl{dir: t.TempDir()}
		s.run(t, append(c.flags, filepath.Join(dir, c.folder, "a.zst"))...)
		if w := s.whole(t); w.Done != c.done || w.number(kindReason, "scope") != 1 {
			t.Errorf("%s with %q: %d were to be fetched, want %d", c.folder, c.flags, w.Done, c.done)
		}
	}
}

// TestDue: a page is written when a tenth more has happened, and when nothing waits any more.
func TestDue(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	urls := func(from, n int, more string) string {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("http://a.test/%d%s", from+i, more))
		}
		return stagetest.Write(t, "a.zst", lines...)
	}
	for i, step := range []struct {
		input string
		due   bool
	}{
		{urls(0, 100, ""), true}, {urls(100, 9, ""), false}, {urls(109, 1, ""), true}, {urls(0, 10, "\treason=robots"), false},
		{urls(10, 95, "\treason=robots"), true}, {urls(105, 4, "\treason=robots"), false},
		{urls(109, 1, "\treason=robots"), true},
	} {
		html, tsv := c.run(t, step.input)
		if (html != "") != step.due || (tsv != "") != step.due {
			t.Errorf("step %d: a page %v, tables %v, want %v", i, html != "", tsv != "", step.due)
		}
	}
}

// TestSlowest: the heading names the host that the crawl waits for, whether or not its pause is
// known.
func TestSlowest(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	html, _ := c.run(t, stagetest.Write(t, "f.zst", "http://a.test/1", "http://b.test/1", "http://b.test/2"))
	if want := "is known yet; the most URLs, 2, wait for b.test."; !strings.Contains(html, want) {
		t.Errorf("the page does not say %q", want)
	}
	html, _ = c.run(t, stagetest.Write(t, "f.zst", "http://a.test/2", "http://a.test/3", "http://a.test/4"),
		pages(t, "a.test", 1, 2, 200, 2*time.Second))
	if want := "The slowest host is a.test: its 2 URLs need 4s, one every 2s."; !strings.Contains(html, want) {
		t.Errorf("the page does not say %q", want)
	}
	alike := &crawl{dir: t.TempDir()}
	html, _ = alike.run(t, pages(t, "a.test", 1, 2, 200, 6*time.Second), pages(t, "b.test", 1, 2, 200, 7*time.Second))
	if want := "All hosts took about as long, up to 7s each, an answer every 7s."; !strings.Contains(html, want) {
		t.Errorf("the page does not say %q", want)
	}
	html, _ = c.run(t, pages(t, "a.test", 3, 2, 200, 2*time.Second), pages(t, "b.test", 1, 2, 200, 7*time.Second))
	if want := "The host that took longest is b.test: 7s for 2 answers, one every 7s."; !strings.Contains(html, want) {
		t.Errorf("the page does not say %q", want)
	}
}

// TestHostile: whatever servers and links are, the page has no element or attribute of theirs, and
// the tables no further line or column.
func TestHostile(t *testing.T) {
	evil := `"><script>alert(1)</script><img src=x onerror=alert(1)>'{{.}}`
	dir := t.TempDir()
	path := filepath.Join(dir, "pages.warc.gz")
	var packed = exchanges(t, "a.test", 0, make([]int, 3), 200, 0)
	packed = append(packed, stagetest.Pack(t, stagetest.Answer(t, "http://b.test/\tlabel=%3Cscript%3E%09%0A%1b%E2%80%AE",
		"HTTP/1.1 200 OK\r\nContent-Type: text/"+evil+"\r\nContent-Length: 0\r\n\r\n")),
		stagetest.Pack(t, stagetest.Answer(t, "http://c.test/", "no HTTP at all <script>")))
	stagetest.WritePages(t, path, nil, packed...)
	c := &crawl{dir: t.TempDir()}
	html, tsv := c.run(t, path, stagetest.Write(t, "r.zst", "http://d.test/<script>?\"'\treason=%3Cscript%3E%09%0A"))
	for _, bad := range []string{"<script", "<img src=x", "\x1b", "\u202e"} {
		if strings.Contains(html, bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
	if !strings.Contains(html, "&lt;script&gt;") {
		t.Error("the hostile label is not in the page: the test asserts nothing")
	}
	if strings.Count(html, "<img") != strings.Count(html, `<img src="data:image/svg`) ||
		strings.Count(html, "href=") != strings.Count(html, `href="#`) {
		t.Error("the page refers to something else")
	}
	if strings.ContainsAny(tsv, "\x1b\u202e") || !strings.Contains(tsv, "<script>") {
		t.Error("the tables have characters that do not show, or not the hostile label")
	}
	columns := map[string]int{}
	for line := range strings.Lines(tsv) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if n, ok := columns[f[0]]; ok && n != len(f) {
			t.Errorf("a row of %s has %d columns, want %d: %q", f[0], len(f), n, line)
		}
		columns[f[0]] = len(f)
	}
}

// TestMostNames: names that servers invent do not fill the memory of a run.
func TestMostNames(t *testing.T) {
	s := newSums()
	for i := range 3 * mostOfRun {
		s.count(kindType, fmt.Sprint("type/", i), 1)
		s.host(fmt.Sprint("h", i))
	}
	types, hosts := 0, 0
	for _, r := range s.rows {
		if r.kind == kindType {
			types++
		}
		if r.kind == kindHost {
			hosts++
		}
	}
	other := s.rows[kindType+"\t"+otherName]
	if types != mostOfRun+1 || other == nil || other.n[colAnswers] != 2*mostOfRun || hosts != 3*mostOfRun {
		t.Errorf("%d types, %+v, %d hosts", types, other, hosts)
	}
}

// TestMostNamesOfRuns: nor do names that are new in each run; those of the first run keep their
// rows, and no answer is lost.
func TestMostNamesOfRuns(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	const runs, each = 4, 400
	for run := range runs {
		var lines []string
		for i := range each {
			lines = append(lines, fmt.Sprintf("http://h%d.test/\treason=r%d-%d", i, runs-run, i))
		}
		c.run(t, stagetest.Write(t, "r.zst", lines...))
	}
	w := c.whole(t)
	sum, kept := int64(0), map[string]int{}
	for _, r := range w.kinds[kindReason] {
		sum += r.n[0]
		kept[r.name[:2]]++
	}
	if n := len(w.kinds[kindReason]); n != mostNames+1 || sum != runs*each || w.Hosts != each {
		t.Errorf("%d reasons of %d URLs, %d hosts; want %d of %d, %d", n, sum, w.Hosts, mostNames+1, runs*each, each)
	}
	if kept["r4"] != each || kept["r3"] != each || w.number(kindReason, otherName) != runs*each-mostNames {
		t.Errorf("rows by run: %v, other %d", kept, w.number(kindReason, otherName))
	}
}

// TestShow: the tables of a segment can be printed at any time, and a page made.
func TestShow(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	c.run(t, pages(t, "a.test", 0, 3, 200, time.Second), stagetest.Write(t, "f.zst", "http://a.test/1", "http://b.test/"))
	page := filepath.Join(t.TempDir(), "now.html")
	r := stagetest.Run(t, tool(), setup, "", "-show", "-html", page, filepath.Join(c.dir, "segment-0"))
	text, _ := os.ReadFile(page)
	if r.Code != stage.ExitDone || !strings.Contains(r.Stdout, "status\t200\t3\t") || !strings.Contains(string(text), "3 answers from 1 hosts") {
		t.Errorf("exit %d, %s\n%s", r.Code, r.Stdout, r.Stderr)
	}
}

// TestVisits: an answer to a further visit, or a page that another crawler has fetched, ends no
// waiting; the example of a reason is the first one, and stays.
func TestVisits(t *testing.T) {
	answer := func(line string) warc.Packed {
		return stagetest.Pack(t, stagetest.Answer(t, line, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
	}
	path := filepath.Join(t.TempDir(), "pages.warc.gz")
	stagetest.WritePages(t, path, nil, answer("http://a.test/1"), answer("http://a.test/1\tvisit=1"),
		answer("http://a.test/9\tpeer=arts"))
	c := &crawl{dir: t.TempDir()}
	c.run(t, path, stagetest.Write(t, "f.zst", "http://a.test/1", "http://a.test/2"),
		stagetest.Write(t, "r.zst", "http://b.test/first\treason=robots"))
	c.run(t, stagetest.Write(t, "r.zst", "http://b.test/second\treason=robots"))
	c.run(t, stagetest.Write(t, "g.zst", "http://a.test/1\tvisit=2\ttries=3\treason=timeout",
		"http://a.test/1\tvisit=3\treason=robots", "http://a.test/1\tvisit=4"))
	w := c.whole(t)
	if w.Waiting != 1 || w.answers() != 3 {
		t.Errorf("%d URLs wait and there are %d answers, want 1 and 3", w.Waiting, w.answers())
	}
	if reasons := w.frequent(kindReason); len(reasons) != 2 || reasons[0].text != "http://b.test/first" ||
		reasons[0].n[0] != 3 {
		t.Errorf("reasons %+v", reasons)
	}
}

// TestNothingFetched: a crawl without any page says so, and not that all was fetched.
func TestNothingFetched(t *testing.T) {
	html, _ := (&crawl{dir: t.TempDir()}).run(t, stagetest.Write(t, "r.zst", "http://a.test/x\treason=robots"))
	if !strings.Contains(html, "No URL was to be fetched yet.") || strings.Contains(html, "Nothing waits") {
		t.Errorf("the page says %.2000s", html)
	}
}

// TestKnownName: a name that the state has is counted also after a run has brought many new ones.
func TestKnownName(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	c.run(t, stagetest.Write(t, "r.zst", "http://a.test/0\treason=robots"))
	var lines []string
	for i := range mostNames + 10 {
		lines = append(lines, fmt.Sprintf("http://a.test/%d\treason=new-%d", i, i))
	}
	c.run(t, stagetest.Write(t, "r.zst", append(lines, "http://a.test/last\treason=robots")...))
	if n := c.whole(t).number(kindReason, "robots"); n != 2 {
		t.Errorf("robots is counted %d times, want 2", n)
	}
}

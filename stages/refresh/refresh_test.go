package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
)

var start = time.Date(2026, 11, 1, 0, 0, 0, 123e6, time.UTC)

// visit is one answer in an archive.
type visit struct {
	path, head, body string
	at               time.Duration // after start
	same             bool          // body was met before: a revisit record stands for it
	near             string        // xdup's mark
}

func ok(fields ...string) string { return "HTTP/1.1 200 OK\r\n" + strings.Join(fields, "\r\n") }

// archive writes a page batch.
func archive(t testing.TB, visits ...visit) string {
	t.Helper()
	var all []warc.Packed
	for _, v := range visits {
		rec := urlbatch.New("http://a.test" + v.path)
		rec.SetInt(urlbatch.Depth, 3)
		if v.near != "" {
			rec.Set(urlbatch.Near, v.near)
		}
		p := stagetest.Pack(t, &warc.Exchange{Record: rec, Date: start.Add(v.at), Request: []byte("GET"),
			Response: []byte(strings.TrimSuffix(v.head, "\r\n") + "\r\n\r\n" + v.body)})
		if v.same {
			p = stagetest.Revisit(t, p, warc.Original{URL: "http://a.test/other", Date: start})
		}
		all = append(all, p)
	}
	path := filepath.Join(t.TempDir(), "pages.warc.gz")
	stagetest.WritePages(t, path, nil, all...)
	return path
}

// crawl plays the manager for the two states.
type crawl struct {
	t            testing.TB
	dir          string
	pages, asked []string
	runs         int
}

func newCrawl(t testing.TB) *crawl { return &crawl{t: t, dir: t.TempDir()} }

func (c *crawl) list(name string, segments []string) string {
	path := filepath.Join(c.dir, name)
	os.WriteFile(path, []byte(strings.Join(append(slices.Clone(segments), ""), "\n")), 0o666)
	return path
}

// run runs the stage with a new segment and commits it.
func (c *crawl) run(segments *[]string, args ...string) stagetest.Result {
	c.t.Helper()
	c.runs++
	made := filepath.Join(c.dir, fmt.Sprint("segment-", c.runs))
	r := stagetest.MustRun(c.t, tool(), setup, "", append([]string{"-new", made}, args...)...)
	*segments = slices.DeleteFunc(*segments, func(s string) bool {
		return strings.Contains(r.Report,
			"replaces "+s+"\n")
	})
	if _, err := os.Stat(made); err == nil {
		*segments = append(*segments, made)
	}
	return r
}

func (c *crawl) learn(visits ...visit) stagetest.Result {
	c.t.Helper()
	return c.run(&c.pages, "-known", c.list("known", c.pages), archive(c.t, visits...))
}

// due returns the lines that are due at a time, and the run's report.
func (c *crawl) due(at time.Duration, args ...string) ([]string, stagetest.Result) {
	c.t.Helper()
	out := filepath.Join(c.dir, fmt.Sprint("due-", c.runs, ".zst"))
	r := c.run(&c.asked, append([]string{"-due", out, "-known", c.list("known", c.pages), "-asked",
		c.list("asked", c.asked),
		"-now", start.Add(at).Format(time.RFC3339)}, args...)...)
	return stagetest.Lines(c.t, out), r
}

// known returns what -show prints.
func (c *crawl) known() []string {
	c.t.Helper()
	r := stagetest.MustRun(c.t, tool(), setup, "", "-show", "-known", c.list("known", c.pages))
	lines := strings.Split(strings.TrimSuffix(r.Stdout, "\n"), "\n")
	slices.Sort(lines)
	return lines
}

func equal(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestReasons visits a page again and again; each visit leaves under its reason, and the interval
// follows.
func TestReasons(t *testing.T) {
	c := newCrawl(t)
	at := time.Duration(0)
	for i, step := range []struct {
		visit
		after    time.Duration
		reason   string
		interval time.Duration
	}{
		{visit{path: "/", head: ok(), body: "one"}, 0, "learned", 24 * time.Hour},
		{visit{path: "/", head: ok(), body: "one"}, 24 * time.Hour, "unchanged", 36 * time.Hour},
		{visit{path: "/", head: ok(), body: "one", same: true}, 36 * time.Hour, "unchanged", 54 * time.Hour},
		{visit{path: "/", head: "HTTP/1.1 304 Not Modified"}, 54 * time.Hour, "unchanged", 81 * time.Hour},
		{visit{path: "/", head: "HTTP/1.1 503 Busy", body: "x"}, 81 * time.Hour, "trouble", 81 * time.Hour},
		{visit{path: "/", head: "HTTP/1.1 429 Slow", body: "x"}, 81 * time.Hour, "trouble", 81 * time.Hour},
		{visit{path: "/", head: ok("Content-Length: 9"), body: "two"}, 81 * time.Hour, "changed", 54 * time.Hour},
		{visit{path: "/", head: ok(), body: "three", same: true}, day, "changed", 0},
		{visit{path: "/", head: "HTTP/1.1 404 Not Found", body: "a"}, day, "changed", 0},
		{visit{path: "/", head: "HTTP/1.1 404 Not Found", body: "b"}, day, "unchanged", 0},
		{visit{path: "/", head: "HTTP/1.1 301 Moved\r\nLocation: /a"}, day, "changed", 0},
		{visit{path: "/", head: "HTTP/1.1 301 Moved\r\nLocation: /b"}, day, "changed", 0},
		{visit{path: "/", head: "HTTP/1.1 301 Moved\r\nLocation: /b"}, day, "unchanged", 0},
		{visit{path: "/", head: ok(), body: "two"}, -day, "late", 0},
		{visit{path: "/", head: "SSH-2.0"}, 2 * day, "ignored", 0},
		{visit{path: "/404", head: "HTTP/1.1 404 Not Found", body: "a"}, 0, "ignored", 0},
		{visit{path: "/304", head: "HTTP/1.1 304 Not Modified"}, 0, "ignored", 0},
		{visit{path: "/500", head: "HTTP/1.1 500 Oh", body: "a"}, 0, "ignored", 0},
	} {
		at += step.after
		step.at = at
		r := c.learn(step.visit)
		if !r.Has("reason " + step.reason + " 1") {
			t.Errorf("visit %d: want %s, report\n%s", i, step.reason, r.Report)
		}
		if line := c.known()[0]; step.interval > 0 && !strings.Contains(line, "\t"+step.interval.String()+"\t") {
			t.Errorf("visit %d: want the interval %v, known is %s", i, step.interval, line)
		}
	}
	if known := c.known(); len(known) != 1 || !strings.HasPrefix(known[0],
		"http://a.test/\t2026-11-21T21:00:00Z\t") || !strings.HasSuffix(known[0], "\t13\t5") {
		t.Errorf("known: %q", known)
	}
}

// TestLongHeads: of an answer's head only what is remembered of it stays in memory.
func TestLongHeads(t *testing.T) {
	long := "X: " + strings.Repeat("x", 200_000)
	var visits []visit
	for i := range 100 {
		visits = append(visits, visit{path: fmt.Sprint("/", i),
			head: ok(`ETag: "a"`, "Last-Modified: Sun, 01 Nov 2026 00:00:00 GMT", long), body: "one"})
	}
	path := archive(t, visits...)
	l := &learner{schedule: schedule{first: day}, now: start, known: &segment.Set{}, met: map[uint64]page{}}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := warc.Each(t.Context(), []string{path}, nil, report.New(), func(_ *warc.Reader, a *warc.Answer) error {
		_, err := l.answer(a)
		return err
	}); err != nil || len(l.met) != len(visits) {
		t.Fatalf("%d pages, %v", len(l.met), err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 5_000_000 {
		t.Errorf("%d bytes are kept of %d heads", kept, len(visits))
	}
	runtime.KeepAlive(l)
}

// TestCutAtFirst: an answer that was cut has no version; the first whole one gives it, and is no
// change.
func TestCutAtFirst(t *testing.T) {
	c := newCrawl(t)
	c.learn(visit{path: "/", head: ok("Transfer-Encoding: chunked"), body: "9\r\nbroken"})
	r := c.learn(visit{path: "/", head: ok(), body: "one", at: day})
	lines, _ := c.due(9 * day)
	equal(t, "due", lines, "http://a.test/\tdepth=3\tvisit=2\tdate=2026-11-02T00:00:00.123Z")
	if again := c.learn(visit{path: "/", head: ok(), body: "one", at: 2 * day}); !r.Has("reason trouble 1") ||
		!again.Has("reason unchanged 1") {
		t.Errorf("reports\n%s\n%s", r.Report, again.Report)
	}
}

// TestAlike: what is nearly as it was has changed, unless -alike says otherwise; what is nearly
// another page has. The archive has a new version all the same, which the next conditional request
// is about.
func TestAlike(t *testing.T) {
	for _, step := range []struct {
		near, reason string
		args         []string
	}{
		{"http://a.test/", "unchanged", []string{"-alike"}},
		{"http://a.test/", "changed", nil},
		{"http://a.test/b", "changed", []string{"-alike"}},
		{"", "changed", []string{"-alike"}},
	} {
		c := newCrawl(t)
		c.learn(visit{path: "/", head: ok(`ETag: "1"`), body: "one"})
		r := c.run(&c.pages, append(step.args, "-known", c.list("known", c.pages),
			archive(t, visit{path: "/", head: ok(`ETag: "2"`), body: "two", at: day, near: step.near}))...)
		if !r.Has("reason " + step.reason + " 1") {
			t.Errorf("near %q, %q: report\n%s", step.near, step.args, r.Report)
		}
		lines, _ := c.due(9 * day)
		equal(t, "due", lines, "http://a.test/\tdepth=3\tvisit=2\tdate=2026-11-02T00:00:00.123Z\tetag=\"2\"")
	}
}

// TestInOneRun holds that several visits in one run count as in several.
func TestInOneRun(t *testing.T) {
	visits := []visit{
		{path: "/", head: ok(), body: "one"},
		{path: "/b", head: ok(), body: "b"},
		{path: "/", head: ok(), body: "two", at: day},
		{path: "/", head: ok(), body: "two", at: 2 * day},
	}
	one, many := newCrawl(t), newCrawl(t)
	one.learn(visits...)
	for _, v := range visits {
		many.learn(v)
	}
	equal(t, "one run", one.known(), many.known()...)
}

func TestDue(t *testing.T) {
	c := newCrawl(t)
	modified := "Sat, 31 Oct 2026 10:00:00 GMT"
	c.learn(
		visit{path: "/", head: ok(`ETag: "x y"`, "Last-Modified: "+modified), body: "one"},
		visit{path: "/b", head: ok("ETag: \x01"), body: "b", at: time.Hour},
		visit{path: "/c", head: ok("ETag: " + strings.Repeat("x", 70_000)), body: "c", at: 20 * time.Hour},
	)
	if lines, r := c.due(23 * time.Hour); lines != nil || !r.Has("gauge known 3") || !r.Has("count due 0") {
		t.Errorf("due too early: %q", lines)
	}
	a := "http://a.test/\tdepth=3\tvisit=1\tdate=2026-11-01T00:00:00.123Z" +
		"\tetag=\"x%20y\"\tmodified=Sat,%2031%20Oct%202026%2010:00:00%20GMT"
	b := "http://a.test/b\tdepth=3\tvisit=1\tdate=2026-11-01T01:00:00.123Z"
	lines, r := c.due(26 * time.Hour)
	equal(t, "after 26 hours, the longest overdue first", lines, a, b)
	if !r.Has("in 0") || !r.Has("count due 2") || !strings.Contains(r.Report, "made ") {
		t.Errorf("report\n%s", r.Report)
	}
	lines, r = c.due(27 * time.Hour)
	if lines != nil || !r.Has("gauge waiting 2") {
		t.Errorf("asked for again: %q", lines)
	}

	// The visit to / comes, that to /b does not.
	c.learn(visit{path: "/", head: "HTTP/1.1 304 Not Modified", at: 28 * time.Hour})
	lines, _ = c.due(51*time.Hour, "-patience", "24h")
	c1 := "http://a.test/c\tdepth=3\tvisit=1\tdate=2026-11-01T20:00:00.123Z"
	equal(t, "/b once more, and /c", lines, b, c1)
	lines, _ = c.due(68*time.Hour, "-patience", "720h") // 28 hours and somewhat more than 24·1.5
	equal(t, "the interval is longer; the version is the first visit's", lines,
		strings.Replace(a, "visit=1", "visit=2", 1))
}

// TestInVain: a page whose visit never comes is asked for after -patience, and then ever more
// seldom, up to -most, while another is visited whenever it is asked for. A visit that comes ends
// that.
func TestInVain(t *testing.T) {
	c := newCrawl(t)
	c.learn(visit{path: "/", head: ok(), body: "one"}, visit{path: "/b", head: ok(), body: "b"})
	var asked []int // on which day
	for n := range 45 {
		at := time.Duration(n)*day + time.Hour
		lines, _ := c.due(at, "-most", "240h")
		for _, line := range lines {
			if strings.HasPrefix(line, "http://a.test/b") {
				c.learn(visit{path: "/b", head: ok(), body: fmt.Sprint(n), at: at})
			} else {
				asked = append(asked, n)
			}
		}
	}
	if want := []int{1, 3, 6, 12, 22, 32, 42}; !slices.Equal(asked, want) {
		t.Errorf("asked for on days %v, want %v", asked, want)
	}
	c.learn(visit{path: "/", head: ok(), body: "two", at: 60 * day})
	if lines, _ := c.due(61*day + time.Hour); len(lines) != 2 {
		t.Errorf("due a day after the visit: %q", lines)
	}
}

// TestClock: times that a wrong clock has left in the states, a year ahead, do not put pages off
// for a year.
func TestClock(t *testing.T) {
	const year = 365 * day
	for name, ask := range map[string]time.Duration{"by a clock that is right": 25 * time.Hour,
		"by the same clock": year + 2*day} {
		c := newCrawl(t)
		c.learn(visit{path: "/", head: ok(), body: "one", at: year})
		if lines, _ := c.due(ask); len(lines) != 1 {
			t.Errorf("asked for %s: %q", name, lines)
		}
		if lines, _ := c.due(26 * time.Hour); (len(lines) == 1) != (ask > year) {
			t.Errorf("asked for %s, and once more: %q", name, lines)
		}
		if lines, _ := c.due(27 * time.Hour); lines != nil {
			t.Errorf("asked for %s, and a third time: %q", name, lines)
		}
		r := c.run(&c.pages, "-known", c.list("known", c.pages), "-now", start.Add(28*time.Hour).Format(time.RFC3339),
			archive(t, visit{path: "/", head: ok(), body: "one", at: 28 * time.Hour}))
		if known := c.known(); !r.Has("reason unchanged 1") ||
			!strings.HasPrefix(known[0], "http://a.test/\t2026-11-02T04:00:00Z\t") {
			t.Errorf("asked for %s: known is %s after the visit, report\n%s", name, known, r.Report)
		}
	}
}

// TestMost holds that of many due pages the most overdue are taken, and the others next.
func TestMost(t *testing.T) {
	c := newCrawl(t)
	var visits []visit
	for i := range 50 {
		visits = append(visits, visit{path: fmt.Sprintf("/%02d", i), head: ok(), body: fmt.Sprint(i),
			at: time.Duration(49-i) * time.Hour})
	}
	c.learn(visits...)
	next := 49
	for round := range 5 {
		lines, r := c.due(10*day+time.Duration(round)*time.Minute, "-max", "12", "-patience", "720h")
		for _, line := range lines {
			if !strings.HasPrefix(line, fmt.Sprintf("http://a.test/%02d\t", next)) {
				t.Fatalf("round %d: %s, want page %d", round, line, next)
			}
			next--
		}
		if !r.Has(fmt.Sprint("count due ", 50-12*round)) {
			t.Errorf("report\n%s", r.Report)
		}
	}
	if next != -1 {
		t.Errorf("%d pages were never asked for", next+1)
	}
}

// TestAskedIsForgotten: what was asked long ago takes no room for ever.
func TestAskedIsForgotten(t *testing.T) {
	c := newCrawl(t)
	for i := range 12 {
		at := time.Duration(i) * 10 * day
		c.pages = nil // each time another page is known
		c.learn(visit{path: fmt.Sprint("/", i), head: ok(), body: fmt.Sprint(i), at: at})
		if lines, _ := c.due(at+25*time.Hour, "-patience", "24h", "-most", "12h"); len(lines) != 1 {
			t.Fatalf("due: %q", lines)
		}
	}
	entries := int64(0)
	for _, path := range c.asked {
		r, err := segment.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		entries += r.Len()
		r.Close()
	}
	if entries > 4 {
		t.Errorf("%d entries in %d segments, of which one is younger than -patience", entries, len(c.asked))
	}
}

func TestFlags(t *testing.T) {
	in := archive(t, visit{path: "/", head: ok(), body: "x"})
	for _, args := range [][]string{
		{"-first", "1h", "-least", "2h"}, {"-first", "800h"}, {"-least", "0s"}, {"-max", "0"}, {"-patience", "-1s"},
		{"-due", "-", "-most", "0s"}, {"-asked", "x"}, {"-due", "-", in}, {"-due", "-", "-now", "yesterday"},
	} {
		if r := stagetest.Run(t, tool(), setup, "", args...); r.Code != stage.ExitUsage {
			t.Errorf("%q: exit %d", args, r.Code)
		}
	}
}

// TestGolden holds both states' version 1; the files are kept for ever.
func TestGolden(t *testing.T) {
	c := newCrawl(t)
	c.learn(
		visit{path: "/", head: ok(`ETag: "x"`, "Last-Modified: Sat, 31 Oct 2026 10:00:00 GMT"), body: "one"},
		visit{path: "/b", head: ok(), body: "b", at: time.Hour},
		visit{path: "/", head: ok(), body: "two", at: day},
	)
	c.due(26 * time.Hour)
	for name, made := range map[string]string{"known.seg": c.pages[0], "asked.seg": c.asked[0]} {
		kept := filepath.Join("testdata", "v1", name)
		want, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(made); !bytes.Equal(got, want) {
			t.Errorf("%s is written otherwise than it was", name)
		}
		stagetest.MustRun(t, tool(), setup, "", "-verify", kept)
	}
	c.pages = []string{mustAbs(t, "testdata/v1/known.seg")}
	equal(t, "the kept pages", c.known(),
		"http://a.test/\t2026-11-02T00:00:00Z\t2026-11-02T16:00:00Z\t16h0m0s\t2\t1",
		"http://a.test/b\t2026-11-01T01:00:00Z\t2026-11-02T01:00:00Z\t24h0m0s\t1\t0")
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

func TestVerify(t *testing.T) {
	p := page{url: "http://a.test/", visited: start, captured: start, interval: time.Hour}
	for name, c := range map[string]struct {
		key   uint64
		value []byte
		ok    bool
	}{
		"page":          {keyOf(nil, p.url), p.encode(), true},
		"asked":         {7, encodeAsked(start), true},
		"another's key": {7, p.encode(), false},
		"cut":           {keyOf(nil, p.url), p.encode()[:pageSize], false},
		"no URL": {keyOf(nil, ""), (&page{visited: start, captured: start, interval: time.Hour}).encode(),
			false},
		"no interval":   {keyOf(nil, p.url), (&page{url: p.url, visited: start, captured: start}).encode(), false},
		"later version": {keyOf(nil, p.url), append([]byte{2}, p.encode()[1:]...), false},
		"empty":         {7, nil, false},
		"another state's": {7,
			[]byte("\x01\x01\x80\x80\x80\x80\x06\x00\x00\x10http://a.test:8080\x00\x01\x0c192.0.2.1:80"), false},
	} {
		path := filepath.Join(t.TempDir(), "segment")
		w, err := segment.Create(output.NewRun(io.Discard), path, true, nil)
		if err == nil {
			err = w.Add(c.key, c.value)
		}
		if err == nil {
			err = w.Close(nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if r := stagetest.Run(t, tool(), setup, "", "-verify", path); (r.Code == stage.ExitDone) != c.ok {
			t.Errorf("%s: exit %d, %s", name, r.Code, r.Stderr)
		}
	}
}

func FuzzDecodePage(f *testing.F) {
	p := page{url: "http://a.test/", visited: start, captured: start, etag: "e", modified: "m", interval: time.Hour}
	f.Add(p.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := decodePage(b)
		if err == nil && !bytes.Equal(p.encode(), b) {
			t.Errorf("%x is %+v, which is %x", b, p, p.encode())
		}
	})
}

func BenchmarkLearn(b *testing.B) {
	var visits []visit
	for i := range 1000 {
		visits = append(visits, visit{path: fmt.Sprint("/", i), head: ok(), body: fmt.Sprint(i)})
	}
	in := archive(b, visits...)
	for b.Loop() {
		stagetest.MustRun(b, tool(), setup, "", in)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(visits)), "ns/page")
}

func BenchmarkDue(b *testing.B) {
	c := newCrawl(b)
	const n = 100_000
	var batch segment.Entries
	for i := range n {
		p := page{url: fmt.Sprint("http://a.test/", i), visited: start, captured: start,
			interval: time.Duration(i+1) * time.Minute}
		batch.Add(keyOf(nil, p.url), p.encode())
	}
	batch.Sort()
	path := filepath.Join(c.dir, "pages-segment")
	w, err := segment.Create(output.NewRun(io.Discard), path, true, nil)
	if err != nil {
		b.Fatal(err)
	}
	for i, key := range batch.Keys {
		w.Add(key, batch.Values[i])
	}
	if err := w.Close(nil); err != nil {
		b.Fatal(err)
	}
	list := c.list("known", []string{path})
	for b.Loop() {
		stagetest.MustRun(b, tool(), setup, "", "-due", "-", "-known", list, "-max", "1000", "-now",
			"2026-11-08T00:00:00Z")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/page")
}

// TestChooserIsBounded holds that a chooser keeps no more than a quarter too many pages, however
// many are due.
func TestChooserIsBounded(t *testing.T) {
	asked, err := segment.OpenSet("", nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &chooser{config: config{most: 100, now: time.Unix(1e9, 0)}, asked: asked, least: math.Inf(-1)}
	for i := range 1000 {
		p := page{url: fmt.Sprint("http://a.test/", i), interval: time.Hour}
		p.visited = d.now.Add(-time.Duration(i+2) * time.Hour)
		if err := d.page(0, p.encode()); err != nil || len(d.chosen) > 125 {
			t.Fatalf("behind %d pages %d are chosen, %v", i+1, len(d.chosen), err)
		}
	}
}

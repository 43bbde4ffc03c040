package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/cdxj"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
)

var start = time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)

// crawl is a crawl's folder.
type crawl struct {
	t    testing.TB
	dir  string
	hash *keyed.Hash // of the states' keys
}

func newCrawl(t testing.TB) *crawl { return &crawl{t: t, dir: t.TempDir()} }

// must ends the test on an error.
func (c *crawl) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// path returns a batch's path and makes its folder.
func (c *crawl) path(queue string, tx int, ext string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, queue, fmt.Sprintf("m-%012d-00001.%s", tx, ext))
	c.must(os.MkdirAll(filepath.Dir(path), 0o777))
	return path
}

// urls writes a URL batch of lines.
func (c *crawl) urls(queue string, tx int, lines ...string) {
	c.t.Helper()
	w := urlbatch.NewWriter(output.NewRun(nil), c.path(queue, tx, "zst"), nil)
	for _, line := range lines {
		rec, err := urlbatch.Parse([]byte(line))
		c.must(err)
		c.must(w.Write(rec))
	}
	c.must(w.Close())
}

// page is an answer: a URL with attributes, seconds after start, the head, and the URL that has the
// body.
type page struct {
	line    string
	seconds int
	head    string
	same    string
}

const html = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x"

func (c *crawl) pages(queue string, tx int, pages ...page) {
	c.t.Helper()
	var all []warc.Packed
	for _, p := range pages {
		x := stagetest.Answer(c.t, p.line, p.head+"\r\n\r\nbody")
		x.Date = start.Add(time.Duration(p.seconds) * time.Second)
		packed := stagetest.Pack(c.t, x)
		if p.same != "" {
			packed = stagetest.Revisit(c.t, packed, warc.Original{URL: p.same, Date: start})
		}
		all = append(all, packed)
	}
	stagetest.WritePages(c.t, c.path(queue, tx, "warc.gz"), nil, all...)
}

// seen writes a segment of the seen-set, and one of another state that has the same keys.
func (c *crawl) seen(urls ...string) {
	c.t.Helper()
	c.keys("seen", 1, false, urls...)
	c.keys("hosts", 1, true, urls...)
}

// grown is a crawl in which everything happened.
func grown(t testing.TB) *crawl {
	c := newCrawl(t)
	c.pages("archive", 30,
		page{"http://a.test/", 0, html, ""},
		page{"http://a.test/b\tdepth=1\tvia=http://a.test/", 1, html, ""},
		page{"http://a.test/c\tdepth=2\tvia=http://a.test/b\ttries=2", 2, "HTTP/1.1 404 Not Found", ""},
		page{"http://a.test/late\tdepth=2\tvisit=1", 4, html, ""},
		page{"http://a.test/copy\tdepth=2\tvia=http://a.test/b", 3, html, "http://a.test/b"},
	)
	c.pages("archive", 50,
		page{"http://a.test/b\tdepth=1\tvisit=1", 100, html, ""},
		page{"http://a.test/b\tdepth=1\tvisit=2", 200, html, "http://a.test/b"},
		page{"http://a.test/odd\tdepth=3\tvia=http://a.test/c\tnear=http://a.test/x%1B", 201,
			"HTTP/1.1 200 OK\r\nContent-Type: a\x1b[2Jb", ""},
		page{"http://a.test/1\tdepth=1\tvia=http://a.test/2", 210, html, ""},
		page{"http://a.test/2\tdepth=1\tvia=http://a.test/1", 211, html, ""},
		page{"http://a.test/orphan\tdepth=9\tvia=http://a.test/lost", 212, html, ""},
		page{"http://a.test/late\tdepth=2\tvia=http://a.test/b", 220, html, ""},
		page{"http://a.test/again\tdepth=2\tvisit=4", 213, html, ""},
		page{"http://a.test/moved\tdepth=1\tvia=http://a.test/", 214,
			"HTTP/1.1 302 Found\r\nContent-Type: text/html\r\nLocation: /d/../c#x", ""},
		page{"http://a.test/below\tdepth=3\tvia=http://a.test/late", 216, html, ""},
		page{"http://a.test/given\tdepth=5", 217, html, ""},
		page{"http://a.test/raw\tdepth=1\tvia=http://a.test/", 215, "SSH-2.0", ""},
	)
	c.pages("unique", 29, page{"http://a.test/c\tdepth=2\tvia=http://a.test/b\ttries=2", 2, "HTTP/1.1 404 Not Found",
		""}) // extract is slow
	c.urls("rejected", 12, "http://a.test/x.gif\tdepth=2\tvia=http://a.test/b\treason=not-pages",
		"http://a.test/x.gif\tdepth=3\tvia=http://a.test/c\treason=not-pages", "ftp://a.test/\treason=not-http")
	c.urls("rejected", 13, "http://a.test/x.gif\tdepth=1\tvia=http://a.test/\treason=not-pages")
	c.urls("refused", 14, "http://a.test/private\tdepth=1\tvia=http://a.test/\treason=robots%1b[2J")
	c.urls("given_up", 15, "http://a.test/slow\tdepth=1\tvia=http://a.test/\treason=reset\toutages=7")
	c.urls("frontier", 60, "http://a.test/next\tdepth=3\tvia=http://a.test/c")
	c.urls("links", 61, "http://a.test/b\tdepth=4")
	c.seen("http://a.test/", "http://a.test/dropped")
	for name, text := range map[string]string{
		"work/70/run":                           "x",
		"inbox/m-000000000099-00001.txt":        "http://a.test/never\n",
		"archive/readme":                        "http://a.test/never\n",
		"counts/m-000000000009-00001.txt":       "no record\x1b here\n",
		"state/theirs/m-000000000003-00001.txt": "a state that is no segment\n",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(c.dir, name)), 0o777)
		os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o666)
	}
	return c
}

func trace(t testing.TB, args ...string) string {
	t.Helper()
	r := stagetest.MustRun(t, tool(), setup, "", args...)
	if r.Stderr != "" || r.Report != "" {
		t.Errorf("%q says %q, report %q", args, r.Stderr, r.Report)
	}
	return r.Stdout
}

// TestTrace asks for a URL with each outcome.
func TestTrace(t *testing.T) {
	c := grown(t)
	for url, want := range map[string]string{
		"http://A.test:80/": `
http://a.test/
  fetched
  tx 30    archive   2026-11-21T19:00:00Z 200 text/html, depth 0, m-000000000030-00001.warc.gz at byte 0
  path     http://a.test/
           <- a seed
`,
		"http://a.test/c": `
http://a.test/c
  fetched: 404
  tx 30    archive   2026-11-21T19:00:02Z 404, depth 2, tries 2, m-000000000030-00001.warc.gz at byte N
  path     http://a.test/c
           <- http://a.test/b (depth 1, tx 30)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/copy": `
http://a.test/copy
  duplicate
  tx 30    archive   2026-11-21T19:00:03Z 200 text/html, the body of http://a.test/b, depth 2, m-000000000030-00001.warc.gz at byte N
  path     http://a.test/copy
           <- http://a.test/b (depth 1, tx 30)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/b": `
http://a.test/b
  fetched 3 times, bodies: 2
  tx 30    archive   2026-11-21T19:00:01Z 200 text/html, depth 1, m-000000000030-00001.warc.gz at byte N
  tx 50    archive   2026-11-21T19:01:40Z 200 text/html, depth 1, visit 1, m-000000000050-00001.warc.gz at byte 0
  tx 50    archive   2026-11-21T19:03:20Z 200 text/html, the body of http://a.test/b, depth 1, visit 2, m-000000000050-00001.warc.gz at byte N
  tx 61    links     waits, depth 4, m-000000000061-00001.zst
  path     http://a.test/b
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/odd": `
http://a.test/odd
  fetched
  tx 50    archive   2026-11-21T19:03:21Z 200 a%1B[2Jb, depth 3, near http://a.test/x%1B, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/odd
           <- http://a.test/c (depth 2, tx 30)
           <- http://a.test/b (depth 1, tx 30)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/moved": `
http://a.test/moved
  fetched: 302 to http://a.test/c
  tx 50    archive   2026-11-21T19:03:34Z 302 text/html, to http://a.test/c, depth 1, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/moved
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/raw": `
http://a.test/raw
  fetched: no HTTP
  tx 50    archive   2026-11-21T19:03:35Z no HTTP, depth 1, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/raw
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/1": `
http://a.test/1
  fetched
  tx 50    archive   2026-11-21T19:03:30Z 200 text/html, depth 1, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/1
           <- http://a.test/2 (depth 1, tx 50)
           <- http://a.test/1, which closes a circle
`,
		"http://a.test/orphan": `
http://a.test/orphan
  fetched
  tx 50    archive   2026-11-21T19:03:32Z 200 text/html, depth 9, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/orphan
           <- http://a.test/lost, of which no answer was found
`,
		"http://a.test/again": `
http://a.test/again
  fetched
  tx 50    archive   2026-11-21T19:03:33Z 200 text/html, depth 2, visit 4, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/again
           <- requested again; the page with the link is not known
`,
		"http://a.test/given": `
http://a.test/given
  fetched
  tx 50    archive   2026-11-21T19:03:37Z 200 text/html, depth 5, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/given
           <- not a seed, by its depth; the page with the link is not known
`,
		"http://a.test/late": `
http://a.test/late
  fetched 2 times, bodies: 2
  tx 30    archive   2026-11-21T19:00:04Z 200 text/html, depth 2, visit 1, m-000000000030-00001.warc.gz at byte N
  tx 50    archive   2026-11-21T19:03:40Z 200 text/html, depth 2, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/late
           <- http://a.test/b (depth 1, tx 30)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/below": `
http://a.test/below
  fetched
  tx 50    archive   2026-11-21T19:03:36Z 200 text/html, depth 3, m-000000000050-00001.warc.gz at byte N
  path     http://a.test/below
           <- http://a.test/late (depth 2, tx 50)
           <- http://a.test/b (depth 1, tx 30)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/x.gif": `
http://a.test/x.gif
  rejected: not-pages
  tx 12    rejected  reason not-pages, depth 2, 2 times, m-000000000012-00001.zst
  tx 13    rejected  reason not-pages, depth 1, m-000000000013-00001.zst
  path     http://a.test/x.gif
           <- http://a.test/b (depth 1, tx 30)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"ftp://a.test/": `
ftp://a.test/
  rejected: not-http
  tx 12    rejected  reason not-http, depth 0, m-000000000012-00001.zst
  path     ftp://a.test/
           <- a seed
`,
		"http://a.test/private": `
http://a.test/private
  refused: robots%1B[2J
  tx 14    refused   reason robots%1B[2J, depth 1, m-000000000014-00001.zst
  path     http://a.test/private
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/slow": `
http://a.test/slow
  given_up: reset
  tx 15    given_up  reason reset, depth 1, outages 7, m-000000000015-00001.zst
  path     http://a.test/slow
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/next": `
http://a.test/next
  waiting in frontier
  tx 60    frontier  waits, depth 3, m-000000000060-00001.zst
  path     http://a.test/next
           <- http://a.test/c (depth 2, tx 30)
           <- http://a.test/b (depth 1, tx 30)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/dropped": `
http://a.test/dropped
  let through (it is in the state seen), and in no batch
`,
		"http://a.test/never": `
http://a.test/never
  never met (restrict -explain prints whether it is in scope)
`,
		"http://a\x1b.test/": `
http://a%1B.test/
  never met (restrict -explain prints whether it is in scope)
`,
	} {
		c.tells(url, want)
	}
}

// tells holds what trace prints of a URL.
func (c *crawl) tells(url, want string) {
	c.t.Helper()
	if got := "\n" + noBytes(trace(c.t, "-crawl", c.dir, url)); got != want {
		c.t.Errorf("%s:%s\nwant%s", url, got, want)
	}
}

// noBytes removes the offsets other than 0 from the output.
func noBytes(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if before, n, ok := strings.Cut(line, " at byte "); ok && n != "0\n" {
			line = before + " at byte N\n"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// TestLong holds that a long URL is cut in the output.
func TestLong(t *testing.T) {
	c := grown(t)
	if got := trace(t, "-crawl", c.dir, "http://a.test/"+strings.Repeat("x", 5000)); len(got) > 700 ||
		!strings.Contains(got, "xxx...\n") {
		t.Errorf("%d bytes: %.80q", len(got), got)
	}
}

// TestSeveral holds that each of several URLs has the same answer as alone.
func TestSeveral(t *testing.T) {
	c := grown(t)
	urls := []string{"http://a.test/c", "http://a.test/never", "http://a.test/x.gif", "http://a.test/1",
		"http://a.test/2", "http://a.test/late",
		"http://a.test/odd", "http://a.test/orphan", "http://a.test/b", "http://a.test/"}
	var each []string
	for _, url := range urls {
		each = append(each, trace(t, "-crawl", c.dir, url))
	}
	if got := trace(t, append([]string{"-crawl", c.dir}, urls...)...); got != strings.Join(each, "\n") {
		t.Errorf("together\n%s\neach\n%s", got, strings.Join(each, "\n"))
	}
}

// index writes an index of the crawl's archive, as cdx does.
func (c *crawl) index() string {
	c.t.Helper()
	files, _ := filepath.Glob(c.dir + "/archive/*.warc.gz")
	var lines []string
	for _, path := range files {
		stagetest.EachAnswer(c.t, path, func(_ *warc.Reader, a *warc.Answer) {
			l := cdxj.Line{Key: cdxj.Key(a.URL()), URL: a.URL(), Offset: a.Offset(),
				Length: int64(len(a.Packed().Response)), Filename: filepath.Base(path)}
			l.Date, _ = a.Date()
			lines = append(lines, string(l.Append(nil)))
		})
	}
	slices.Sort(lines)
	path := filepath.Join(c.t.TempDir(), "index.cdxj")
	os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666)
	return path
}

// TestIndex holds that the answers with an index are those without one, and that the WARC files are
// not read.
func TestIndex(t *testing.T) {
	c := grown(t)
	index := c.index()
	var args []string
	for _, path := range []string{"", "b", "c", "copy", "odd", "1", "orphan", "again", "x.gif", "private", "never"} {
		args = append(args, "http://a.test/"+path)
	}
	want := trace(t, append([]string{"-crawl", c.dir}, args...)...)
	if got := trace(t, append([]string{"-crawl", c.dir, "-cdx", index}, args...)...); got != want {
		t.Errorf("with the index\n%s\nwithout\n%s", got, want)
	}
	c.pages("archive", 90, page{"http://a.test/new", 900, html, ""})
	if got := trace(t, "-crawl", c.dir, "-cdx", index, "http://a.test/new"); !strings.Contains(got, "never met") {
		t.Errorf("what is not in the index: %s", got)
	}

	// Several queues have a batch of one name.
	for _, queue := range []string{"aa", "zz"} {
		os.WriteFile(c.path(queue, 30, "warc.gz"), []byte("another"), 0o666)
	}
	if got := trace(t, append([]string{"-crawl", c.dir, "-cdx", index}, args...)...); got != want {
		t.Errorf("with batches of one name\n%s\nwant\n%s", got, want)
	}
	os.RemoveAll(c.dir + "/aa")
	os.RemoveAll(c.dir + "/zz")

	// A false index is reported, and leads nowhere else.
	elsewhere := t.TempDir() + "/m.warc.gz"
	data, _ := os.ReadFile(c.path("archive", 30, "warc.gz"))
	os.WriteFile(elsewhere, data, 0o666)
	for name, change := range map[string]func(*cdxj.Line){
		"another answer": func(l *cdxj.Line) { l.URL, l.Key = "http://a.test/zz", "test,a)/zz" },
		"no file":        func(l *cdxj.Line) { l.Filename = "../../../../../../../../../../" + elsewhere },
		"no member":      func(l *cdxj.Line) { l.Offset++ },
	} {
		text, _ := os.ReadFile(index)
		first, _, _ := bytes.Cut(text, []byte("\n"))
		l, err := cdxj.Parse(first)
		if err != nil {
			t.Fatal(err)
		}
		change(&l)
		lie := filepath.Join(t.TempDir(), "lie.cdxj")
		os.WriteFile(lie, l.Append(nil), 0o666)
		r := stagetest.MustRun(t, tool(), setup, "", "-crawl", c.dir, "-cdx", lie, l.URL)
		if !strings.Contains(r.Stderr, "skipped") || strings.Contains(r.Stdout, "fetched") {
			t.Errorf("%s: %q, %q", name, r.Stdout, r.Stderr)
		}
	}
}

// keys writes a segment of a state with the keys of the texts.
func (c *crawl) keys(state string, tx int, values bool, texts ...string) {
	c.t.Helper()
	var keys segment.Entries
	for _, text := range texts {
		keys.Keys = append(keys.Keys, c.hash.Sum([]byte(text)))
	}
	keys.Sort()
	w, err := segment.Create(output.NewRun(nil), c.path("state/"+state, tx, "seg"), values, c.hash)
	c.must(err)
	for _, k := range keys.Keys {
		c.must(w.Add(k, nil))
	}
	c.must(w.Close(nil))
}

// hashed renames a batch to that of a batch for a node. Any hash will do here.
func (c *crawl) hashed(node string, tx int, ext string) string {
	c.t.Helper()
	to := fmt.Sprintf("%s/outgoing/%s/00000000deadbeef-%012d-00001.%s", c.dir, node, tx, ext)
	c.must(os.Rename(c.path("outgoing/"+node, tx, ext), to))
	return to
}

// TestSent holds what trace prints of links and pages that belong to another crawler.
func TestSent(t *testing.T) {
	c := newCrawl(t)
	c.pages("archive", 30, page{"http://a.test/", 0, html, ""}, page{"http://b.test/was-mine\tdepth=0", 1, html, ""})
	c.urls("outgoing/arts", 40, "http://b.test/lies\tdepth=1\tvia=http://a.test/")
	links := c.hashed("arts", 40, "zst")
	c.pages("outgoing/arts", 41, page{"http://b.test/page\tdepth=1\tvia=http://a.test/", 2, html, ""})
	c.hashed("arts", 41, "warc.gz")
	c.urls("inscope", 50, "http://b.test/taken\tdepth=3\tvia=http://b.test/page")
	c.urls("inscope", 51, "http://c.test/mine\tdepth=3\tvia=http://elsewhere.test/")
	c.must(os.Mkdir(c.dir+"/outgoing/world", 0o777))
	c.seen("http://b.test/gone", "http://a.test/")
	c.keys("sent", 39, false, "arts http://b.test/lies", "arts http://b.test/taken", "world http://b.test/taken",
		"arts http://b.test/was-mine", "nobody http://x.test/")
	for url, want := range map[string]string{
		"http://b.test/lies": `
http://b.test/lies
  sent to arts, in tx 40, and waits for it in outgoing
  tx 40    outgoing  waits, for arts, depth 1, 00000000deadbeef-000000000040-00001.zst
  path     http://b.test/lies
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://b.test/page": `
http://b.test/page
  fetched, and its page sent to arts, for which it waits in outgoing
  tx 41    outgoing  2026-11-21T19:00:02Z 200 text/html, for arts, depth 1, 00000000deadbeef-000000000041-00001.warc.gz at byte 0
  path     http://b.test/page
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://b.test/taken": `
http://b.test/taken
  sent to arts, in tx 39 or before (it is in the state sent), and no longer in outgoing; to world, in tx 39 or before (it is in the state sent), and no longer in outgoing
  tx 50    inscope   waits, depth 3, m-000000000050-00001.zst
  path     http://b.test/taken
           <- http://b.test/page (depth 1, tx 41)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://b.test/was-mine": `
http://b.test/was-mine
  fetched
  tx 30    archive   2026-11-21T19:00:01Z 200 text/html, depth 0, m-000000000030-00001.warc.gz at byte N
  path     http://b.test/was-mine
           <- a seed
`,
		"http://c.test/mine": `
http://c.test/mine
  waiting in inscope
  tx 51    inscope   waits, depth 3, m-000000000051-00001.zst
  path     http://c.test/mine
           <- http://elsewhere.test/, of which no answer was found
`,
		"http://b.test/gone": `
http://b.test/gone
  let through (it is in the state seen), and in no batch; or it or its page was sent to another node
`,
		"http://x.test/": `
http://x.test/
  never met (restrict -explain prints whether it is in scope)
`,
	} {
		c.tells(url, want)
	}
	if got := trace(t, "http://b.test/lies", links); !strings.Contains(got,
		"sent to arts, in tx 40, and waits for it in outgoing\n  tx 40    outgoing  waits, for arts,") {
		t.Errorf("a file for another node: %s", got)
	}
}

// TestSecret reads a crawl with a secret in its folder, with which its keys were made.
func TestSecret(t *testing.T) {
	c := newCrawl(t)
	c.hash = stagetest.Secret(t)
	text, err := os.ReadFile(os.Getenv(keyed.Variable))
	os.Unsetenv(keyed.Variable) // Secret puts back what there was
	c.must(err)
	c.must(os.WriteFile(c.dir+"/secret", text, 0o600))
	c.seen("http://a.test/")
	if got := trace(t, "-crawl", c.dir, "http://a.test/"); !strings.Contains(got, "it is in the state seen") {
		t.Errorf("a URL that was let through: %s", got)
	}
	os.Remove(c.dir + "/secret")
	r := stagetest.Run(t, tool(), setup, "", "-crawl", c.dir, "http://a.test/")
	if r.Code != stage.ExitUsage || !strings.Contains(r.Stderr, "the crawl's secret") {
		t.Errorf("the secret is gone: exit %d, %s", r.Code, r.Stderr)
	}
}

// TestLinkedState reads states that are symbolic links to folders elsewhere.
func TestLinkedState(t *testing.T) {
	for _, name := range []string{"state", "state/seen"} {
		c := newCrawl(t)
		c.seen("http://a.test/")
		elsewhere := filepath.Join(t.TempDir(), "elsewhere")
		c.must(os.Rename(filepath.Join(c.dir, name), elsewhere))
		c.must(os.Symlink(elsewhere, filepath.Join(c.dir, name)))
		if got := trace(t, "-crawl", c.dir, "http://a.test/"); !strings.Contains(got, "it is in the state seen") {
			t.Errorf("%s is a link: %s", name, got)
		}
	}
}

// TestTells: what a frontier is told of a host, or of a URL, is no place where the URL waits.
func TestTells(t *testing.T) {
	c := newCrawl(t)
	c.seen("http://a.test/")
	c.urls("visits", 9, "http://a.test/\tasked=2\tanswered=2")
	c.urls("judged", 9, "http://a.test/\tworth=1")
	c.urls("known", 10, "http://a.test/\tvia=http://a.test/1\tknown=1")
	c.urls("ranked", 11, "http://a.test/\tknown=1\tscore=0.5")
	want := "it is in the state seen), and in no batch"
	if got := trace(t, "-crawl", c.dir, "http://a.test/"); !strings.Contains(got, want) {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// frontier writes the state of a frontier in which the records wait, in band 7.
func (c *crawl) frontier(lines ...string) {
	c.t.Helper()
	state, err := waiting.Open("", c.hash, waiting.Rules{Now: start})
	c.must(err)
	defer state.Close()
	for _, line := range lines {
		rec, err := urlbatch.Parse([]byte(line))
		c.must(err)
		if ok, err := state.Add(rec, 7); err != nil || !ok {
			c.t.Fatal(ok, err)
		}
	}
	c.must(state.Save(output.NewRun(nil), c.path("state/waiting", 70, "seg"), report.New()))
}

// TestWaits: a URL in the state of a frontier waits there, in its band, and has its path. A state of
// another stage in the same form is passed over.
func TestWaits(t *testing.T) {
	c := grown(t)
	graph, err := os.ReadFile("../internal/frontier/webgraph/testdata/v1.seg")
	c.must(err)
	c.must(os.WriteFile(c.path("state/graph", 69, "seg"), graph, 0o666))
	c.urls("fresh", 68, "http://a.test/wait\tdepth=3") // kept
	c.frontier("http://a.test/first\tdepth=1", "http://a.test/wait\tdepth=3\tvia=http://a.test/c\ttries=1",
		"http://a.test/b\tdepth=2")
	for url, want := range map[string]string{
		"http://a.test/wait": `http://a.test/wait
  waiting in the state waiting, in band 7 of 0 to 255; frontier -explain prints when it will be fetched
  tx -     waiting   waits in band 7, depth 3, tries 1, URLs of its host before it: 1
  tx 68    fresh     waits, depth 3, m-000000000068-00001.zst
  path     http://a.test/wait
           <- http://a.test/c (depth 2, tx 30)
           <- http://a.test/b (depth 1, tx 30)
           <- http://a.test/ (depth 0, tx 30): a seed
`,
		"http://a.test/b":     "  tx -     waiting   waits in band 7, depth 2, URLs of its host before it: 2\n",
		"http://a.test/never": "  never met",
	} {
		if got := trace(t, "-crawl", c.dir, url); !strings.Contains(got, want) {
			t.Errorf("it prints\n%s\nwant\n%s", got, want)
		}
	}
}

// TestFiles reads batches that are named, without a crawl.
func TestFiles(t *testing.T) {
	c := grown(t)
	plain := filepath.Join(t.TempDir(), "seeds.txt")
	os.WriteFile(plain, []byte("# mine\nhttp://a.test/s\n"), 0o666)
	got := trace(t, "http://a.test/s", c.path("archive", 30, "warc.gz"), plain)
	if !strings.Contains(got, "waiting in") || !strings.Contains(got, "tx -") || !strings.Contains(got, "seeds.txt") {
		t.Errorf("a plain file: %s", got)
	}
	if got := trace(t, "http://a.test/c", c.path("archive", 30, "warc.gz")); !strings.Contains(got, "a seed") {
		t.Errorf("a WARC file: %s", got)
	}
	theirs := newCrawl(t)
	theirs.pages("archive", 30, page{"http://a.test/lost\tdepth=8\tvia=http://a.test/", 5, html, ""})
	got = trace(t, "http://a.test/orphan", "http://a.test/lost", c.path("archive", 50, "warc.gz"),
		theirs.path("archive", 30, "warc.gz"), c.path("archive", 30, "warc.gz"))
	for _, want := range []string{", depth 9, " + c.path("archive", 50, "warc.gz"),
		", depth 8, " + theirs.path("archive", 30, "warc.gz"), "http://a.test/ (depth 0, tx 30): a seed"} {
		if !strings.Contains(got, want) {
			t.Errorf("archives of two crawls: %q is not in\n%s", want, got)
		}
	}
	for _, args := range [][]string{{}, {"-crawl", c.dir}, {"http://a.test/"},
		{"-crawl", c.dir, c.path("archive", 30, "warc.gz")}} {
		if r := stagetest.Run(t, tool(), setup, "", args...); r.Code != stage.ExitUsage {
			t.Errorf("%q: exit %d", args, r.Code)
		}
	}
	r := stagetest.Run(t, tool(), setup, "", "-crawl", c.dir+"/nowhere", "http://a.test/")
	if r.Code != stage.ExitFailed {
		t.Errorf("no such crawl: exit %d", r.Code)
	}
	r = stagetest.Run(t, tool(), setup, "", "-crawl", c.dir, "http://a.test/", "a.test")
	if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, "a.test: no such file") {
		t.Errorf("a URL without its scheme: exit %d, %s", r.Code, r.Stderr)
	}
}

// TestDamage holds that a damaged batch is reported and read as far as it is whole, and that one
// that goes away is not reported.
func TestDamage(t *testing.T) {
	c := grown(t)
	path := c.path("archive", 50, "warc.gz")
	data, _ := os.ReadFile(path)
	os.WriteFile(path, data[:len(data)-40], 0o666)
	r := stagetest.MustRun(t, tool(), setup, "", "-crawl", c.dir, "http://a.test/2", "http://a.test/again")
	if !strings.Contains(r.Stderr, "read only in part") || strings.Count(r.Stdout, "fetched") < 1 {
		t.Errorf("%q, %q", r.Stdout, r.Stderr)
	}
	s := &searcher{batches: []batch{batchOf(c.dir + "/links/m-000000000099-00001.zst")},
		states: []string{c.dir + "/state/seen/gone.seg"}}
	var out bytes.Buffer
	if err := s.tell(t.Context(), &out, []string{"http://a.test/"}); err != nil ||
		!strings.Contains(out.String(), "never met") {
		t.Errorf("files that are gone: %v, %s", err, &out)
	}
}

// BenchmarkScan reads an archive for a URL that is not in it.
func BenchmarkScan(b *testing.B) {
	c := newCrawl(b)
	var pages []page
	for i := range 2000 {
		pages = append(pages, page{fmt.Sprintf("http://a.test/%d\tdepth=1\tvia=http://a.test/", i), i, html, ""})
	}
	c.pages("archive", 1, pages...)
	for b.Loop() {
		trace(b, "-crawl", c.dir, "http://a.test/")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(pages)), "ns/answer")
}

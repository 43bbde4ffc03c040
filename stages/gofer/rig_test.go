package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/web/httphead"
)

// A rig is the crew of arts, law and world in one folder, seen by world, whose manager it plays.
type rig struct {
	*testing.T
	dir      string
	segments []string
	runs     int
	now      time.Time
}

// crewOf is a file of nodes of these names, whose batches lie at a URL.
func crewOf(url string, names ...string) string {
	text := fmt.Sprintf("nodes = 1\nurl = %q\n", url)
	for _, name := range names {
		text += fmt.Sprintf("[[node]]\nname = %q\n", name)
	}
	return text
}

// threeNodes are those of a rig.
func threeNodes() string { return crewOf("file:$FROM/outgoing/$TO", "arts", "law", "world") }

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, dir: t.TempDir(), now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	r.write("nodes.toml", []byte(threeNodes()))
	return r
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, name) }

func (r *rig) write(name string, content []byte) {
	r.Helper()
	err := os.MkdirAll(filepath.Dir(r.path(name)), 0o777)
	if err == nil {
		err = os.WriteFile(r.path(name), content, 0o666)
	}
	if err != nil {
		r.Fatal(err)
	}
}

// outgoing is the folder in which a peer holds batches for world.
func outgoing(peer string) string { return peer + "/outgoing/world/" }

// hold leaves a batch at a peer, as its transaction tx would, and returns its name.
func (r *rig) hold(peer, ext string, tx int, content []byte) string {
	r.Helper()
	name := fmt.Sprintf("%016x-%012d-00001.%s", xxhash.Sum64(content), tx, ext)
	r.write(outgoing(peer)+name, content)
	return name
}

// held are the names that a peer holds.
func (r *rig) held(peer string) (names []string) {
	r.Helper()
	entries, err := os.ReadDir(r.path(outgoing(peer)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A run is one of gofer pull.
type run struct {
	stagetest.Result
	*rig
	dir string
}

// start makes a run and does not commit it.
func (r *rig) start(args ...string) run {
	r.Helper()
	r.runs++
	dir := r.path(fmt.Sprint("run-", r.runs))
	if err := os.Mkdir(dir, 0o777); err != nil {
		r.Fatal(err)
	}
	r.write("ledger", []byte(strings.Join(append(slices.Clone(r.segments), ""), "\n")))
	args = append([]string{"-nodes", r.path("nodes.toml"), "-node", "world", "-ledger", r.path("ledger"), "-new",
		filepath.Join(dir, "segment"),
		"-now", r.now.Format(time.RFC3339), "-pages", filepath.Join(dir, "pages.warc.gz"), "-urls", filepath.Join(dir,
			"urls.zst")}, args...)
	tool := pullVerb()
	return run{stagetest.Run(r, tool.Tool, tool.Setup, "", args...), r, dir}
}

// pull makes a run and commits it.
func (r *rig) pull(args ...string) run {
	r.Helper()
	u := r.start(args...)
	if u.Code != stage.ExitDone {
		r.Fatalf("exit %d: %s", u.Code, u.Stderr)
	}
	r.segments = r.segments[:len(r.segments)-strings.Count(u.Report, "replaces ")]
	if _, err := os.Stat(filepath.Join(u.dir, "segment")); err == nil {
		r.segments = append(r.segments, filepath.Join(u.dir, "segment"))
	}
	return u
}

// says wants these lines in the report.
func (u run) says(lines ...string) {
	u.Helper()
	u.Wants(u, lines...)
}

// brought wants these URLs, in any order, in the outputs: pages and URLs.
func (u run) brought(pages, urls []string) {
	u.Helper()
	var gotPages, gotURLs []string
	for part := 1; part < 100; part++ {
		at := func(name string) string {
			stem, ext, _ := strings.Cut(name, ".")
			if part > 1 {
				stem += fmt.Sprintf("-%05d", part)
			}
			return filepath.Join(u.dir, stem+"."+ext)
		}
		gotPages = append(gotPages, pagesIn(u, at("pages.warc.gz"))...)
		gotURLs = append(gotURLs, stagetest.Lines(u, at("urls.zst"))...)
	}
	for _, c := range []struct{ got, want []string }{{gotPages, pages}, {gotURLs, urls}} {
		slices.Sort(c.got)
		if want := slices.Sorted(slices.Values(c.want)); !slices.Equal(c.got, want) {
			u.Errorf("brought\n%q, want\n%q", c.got, want)
		}
	}
	u.says(fmt.Sprint("in ", len(pages)+len(urls)))
}

// pagesIn are the URLs of a page batch, each checked whole; none if there is no such file.
func pagesIn(t testing.TB, path string) (got []string) {
	t.Helper()
	err := warc.Verify(t.Context(), path, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = eachPage(t.Context(), path, file, func(_ *warc.Reader, a *warc.Answer) error {
		got = append(got, a.URL())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// pageBatch makes the bytes of a page batch: of URLs, or lines of a URL batch.
func pageBatch(t testing.TB, urls ...string) []byte {
	t.Helper()
	return pageBatchOf(t, func(url string) string { return "the page at " + url }, urls...)
}

// pageBatchOf is pageBatch with what each page holds.
func pageBatchOf(t testing.TB, body func(url string) string, urls ...string) []byte {
	t.Helper()
	e := new(warc.Encoder)
	date := time.UnixMilli(1_800_000_000_123).UTC()
	info, err := e.Info(date, httphead.Fields{{Name: "software", Value: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	b := bytes.NewBuffer(info)
	for _, line := range urls {
		url, attributes, _ := strings.Cut(line, "\t")
		rec := urlbatch.New(url)
		for _, attribute := range strings.Fields(attributes) {
			key, value, _ := strings.Cut(attribute, "=")
			rec.Set(key, value)
		}
		p, err := e.Encode(&warc.Exchange{Record: rec, Date: date,
			Request:  []byte("GET / HTTP/1.1\r\n\r\n"),
			Response: []byte("HTTP/1.1 200 OK\r\n\r\n" + body(rec.URL()))})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(p.Response)
		b.Write(p.Request)
	}
	return b.Bytes()
}

// urlBatch makes the bytes of a URL batch of that text.
func urlBatch(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err == nil {
		_, err = io.WriteString(z, text)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// forged makes a page batch whose one page has the digests of another.
func forged(t testing.TB) []byte {
	t.Helper()
	r := warc.NewReader("", bytes.NewReader(pageBatch(t, "http://a.test/1")))
	a, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(a.Packed().Response))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(bytes.Replace(text, []byte("the page"), []byte("thy page"), 1))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

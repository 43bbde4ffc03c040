package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeFolder has two crawlers, with a manager and a cdx of a few lines of shell: the manager prints
// crawl/NODE/status, and cdx the archive files, which are indexes.
func fakeFolder(t *testing.T) (dir, bin string) {
	t.Helper()
	dir = t.TempDir()
	bin = filepath.Join(dir, "bin")
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write("bin/manager", "#!/bin/sh\n[ \"$1 $2 $3\" = 'status -json -var' ] && "+
		"cat ${5%c4.toml}crawl/${4#node=}/status\n")
	write("bin/cdx", "#!/bin/sh\n[ \"$1 $2\" = '-out -' ] && shift 2 && cat \"$@\"\n")
	write("c4.toml", "")
	for node, status := range map[string]string{
		"a": `{"begun": true, "stages": [
			{"name": "links", "reasons": {"sent-before": 5, "others": 2}},
			{"name": "fetch", "records": 70, "counts": {"bytes": 1000}},
			{"name": "pages", "counts": {"sent": 1, "kept": 2}},
			{"name": "others", "reasons": {"sent-before": 1, "replicated": 4, "summed": 9}}],
			"queues": [{"name": "pages", "ever": {"records": 3, "bytes": 900}},
			{"name": "outgoing", "ever": {"batches": 2, "records": 4, "bytes": 60}}]}`,
		"b": `{"begun": true, "stages": [{"name": "fetch", "counts": {"bytes": 200}}],
			"queues": [{"name": "pages", "ever": {"records": 1}}]}`,
		"never": `{"begun": false}`,
	} {
		write("crawl/"+node+"/status", status)
	}
	line := func(url string) string { return fmt.Sprintf("key) 20261123000000 {\"url\": %q}\n", url) }
	write("crawl/a/archive/m-1.warc.gz", line("http://x.test/1")+line("http://x.test/2"))
	write("crawl/b/archive/m-1.warc.gz", line("http://x.test/1"))
	write("crawl/b/unique/m-2.warc.gz", line("http://x.test/3")+line("http://x.test/1")) // 1 is in the archive already
	write("crawl/twice/status", `{"begun": true, "queues": [{"name": "pages", "ever": {"records": 3}}]}`)
	write("crawl/twice/archive/m-1.warc.gz", line("http://x.test/1")+line("http://x.test/1")) // from two crawlers
	write("crawl/twice/own/m-2.warc.gz", line("http://x.test/1"))
	write("crawl/bad/status", `{"begun": true}`)
	write("crawl/bad/archive/m-1.warc.gz", "no index\n")
	write("crawl/urlless/status", `{"begun": true}`)
	write("crawl/urlless/archive/m-1.warc.gz", "key) 20261123000000 {\"mime\": \"text/html\"}\n")
	write("all", "http://x.test/1\nhttp://x.test/2\tdepth=3\nhttp://x.test/3\nhttp://x.test/4\n")
	write("good", "http://x.test/3\n")
	return dir, bin
}

func TestMeasure(t *testing.T) {
	dir, bin := fakeFolder(t)
	o := &measureOptions{universe: filepath.Join(dir, "all"), wanted: filepath.Join(dir, "good"), asJSON: true,
		bin: bin, crawls: []string{filepath.Join(dir, "crawl/a"), filepath.Join(dir, "crawl/b")}}
	var out, said bytes.Buffer
	if err := o.measure(t.Context(), &out, &said); err != nil || said.Len() > 0 {
		t.Fatalf("%v; it said %s", err, &said)
	}
	var f figures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	want := crawlerFigures{Name: "a", Fetched: 3, Archived: 2, URLsSent: 3, SentBefore: 6, Summed: 9, Dropped: 2,
		Replicated: 4, PagesSent: 1, BatchesSent: 2, BytesSent: 60, BytesFetched: 1000}
	if f.Version != 1 || len(f.Crawlers) != 2 || f.Crawlers[0] != want {
		t.Errorf("version %d, a has %+v, want %+v", f.Version, f.Crawlers, want)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"pages", float64(f.Pages), 4}, {"distinct", float64(f.Distinct), 3}, {"overlap", f.Overlap, 1. / 3},
		{"coverage", *f.Coverage, 0.75}, {"quality", *f.Quality, 1}, {"URLs sent", f.URLsAPage, 0.75},
		{"pages sent", f.PagesAPage, 0.25}, {"bytes sent", f.BytesAByte, 0.05}, {"load", f.Imbalance, 1.5},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}

// The table has the figures, and a note says when pages are missing.
func TestMeasureTable(t *testing.T) {
	dir, bin := fakeFolder(t)
	o := &measureOptions{bin: bin, crawls: []string{filepath.Join(dir, "crawl/a")}}
	var out, said bytes.Buffer
	if err := o.measure(t.Context(), &out, &said); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "3 pages were fetched and 2 are in the folders") {
		t.Errorf("it said %q", &said)
	}
	table := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"batches bytes sent bytes fetched a 3 2 3 6 9 2 4 1 2 60 1000",
		"different pages, I 2 overlap, (N - I) / I 0.0000 URLs sent a page 1.0000"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// Answers of one URL in one second are as many as they are: two crawlers may have sent them.
func TestMeasureTwice(t *testing.T) {
	dir, bin := fakeFolder(t)
	o := &measureOptions{bin: bin, crawls: []string{filepath.Join(dir, "crawl/twice")}}
	var out, said bytes.Buffer
	if err := o.measure(t.Context(), &out, &said); err != nil || said.Len() > 0 {
		t.Fatalf("%v; it said %s", err, &said)
	}
	table := strings.Join(strings.Fields(out.String()), " ")
	if !strings.Contains(table, "pages fetched, N 3 different pages, I 1") {
		t.Error(table)
	}
}

// What cannot be measured is an error that says why.
func TestMeasureFails(t *testing.T) {
	dir, bin := fakeFolder(t)
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "urls")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct{ crawl, universe, want string }{
		{"never", "", "there is no crawl"},
		{"bad", "", `"no index" is no line of an index`},
		{"urlless", "", "is no line of an index"},
		{"nowhere", "", "ask how it stands: manager: exit status 1"},
		{"a/archive", "", "want the folder of a crawler"},
		{"a", file("http://x.test/\nx.test\n"), `urls:2: want a URL, not "x.test"`},
		{"a", file(""), "urls has no URL"},
		{"a", filepath.Join(dir, "none"), "read URLs: open "},
	} {
		o := &measureOptions{universe: c.universe, bin: bin, crawls: []string{filepath.Join(dir, "crawl", c.crawl)}}
		if err := o.measure(t.Context(), &bytes.Buffer{}, &bytes.Buffer{}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.crawl, err, c.want)
		}
	}
}

func TestVerbs(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-h", 0, "c4 measure [flags] [DIR...]"},
		{"run -h", 0, "takes the place of a var"},
		{"measure -h", 0, "print the coverage"},
		{"", 2, "want c4 run or c4 measure"},
		{"measured", 2, "want c4 run or c4 measure"},
		{"run -looks 0s", 2, "c4 run -h shows the flags"},
		{"measure -frob", 2, "c4 measure -h shows the flags"},
		{"measure", 2, "a folder for each crawler"}, // there is none in examples/c4/examples/c4
		{"measure a b a/", 2, "the folder a is there twice"},
		{"measure nowhere", 1, "c4: measure nowhere: find its script"},
	} {
		var said bytes.Buffer
		code := run(t.Context(), strings.Fields(c.args), &bytes.Buffer{}, &said)
		if code != c.code || !strings.Contains(said.String(), c.want) {
			t.Errorf("c4 %s: exit code %d, want %d and %q; it said\n%s", c.args, code, c.code, c.want, &said)
		}
	}
}

package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// TestCoding: a page is read by its charset and its type, and no more of it than -max-page.
func TestCoding(t *testing.T) {
	for _, c := range []struct{ name, head, body, want string }{
		{"windows-1252", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252\r\n",
			"<p>Caf\xe9 " + english, "Café " + english},
		{"XHTML", "HTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml\r\n", "<html><script/><p>" + english + "</p></html>",
			english},
	} {
		out := filepath.Join(t.TempDir(), "x.jsonl")
		stagetest.MustRun(t, tool(), setup, "", "-jsonl", out,
			stagetest.Pages(t, page(t, "http://a.test/", c.head, c.body))).Wants(t, "reason written 1")
		if l := linesOf(t, out)[0]; l.Text != c.want || l.Cut {
			t.Errorf("%s: %+v", c.name, l)
		}
	}
}

// TestMaxPage: of a large page the beginning is read, and its line, which is long, can be read again.
func TestMaxPage(t *testing.T) {
	const most = 200 << 10 // bytes
	in := stagetest.Pages(t, page(t, "http://a.test/", ok, strings.Repeat("<p>"+english, 2*most/len(english))))
	out := filepath.Join(t.TempDir(), "x.jsonl")
	stagetest.MustRun(t, tool(), setup, "", "-jsonl", out, "-max-page", "200KiB", in)
	if l := linesOf(t, out)[0]; !l.Cut || len(l.Text) > most || len(l.Text) < most*9/10 {
		t.Errorf("cut %v, a text of %d bytes", l.Cut, len(l.Text))
	}
	stagetest.MustRun(t, tool(), setup, "", "-verify", out)
}

// TestWords: a text of exactly -words words is written.
func TestWords(t *testing.T) {
	words, in := len(strings.Fields(english)), stagetest.Pages(t, page(t, "http://a.test/", ok, "<p>"+english))
	for least, want := range map[int]string{words: "written", words + 1: "short"} {
		stagetest.MustRun(t, tool(), setup, "", "-words", fmt.Sprint(least), "-jsonl",
			filepath.Join(t.TempDir(), "x.jsonl"), in).Wants(t, "reason "+want+" 1")
	}
}

// TestUnchanged: a 304 to a conditional request has its text in an earlier answer.
func TestUnchanged(t *testing.T) {
	p := stagetest.Pack(t, &warc.Exchange{Record: urlbatch.New("http://a.test/"), Date: stagetest.Date,
		Request: []byte("GET"), Response: []byte("HTTP/1.1 304 Not Modified\r\n\r\n"),
		Unchanged: &warc.Original{URL: "http://a.test/", Date: stagetest.Date.Add(-time.Hour)}})
	path := filepath.Join(t.TempDir(), "in.warc.gz")
	stagetest.WritePages(t, path, nil, p)
	stagetest.MustRun(t, tool(), setup, "", "-jsonl", path+".jsonl", path).Wants(t, "in 1", "reason not-modified 1")
}

// TestBadDate: an answer of another archive that does not say when it was asked for has no line.
func TestBadDate(t *testing.T) {
	response := ok + "\r\n<p>" + english
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: yesterday\r\n"+
		"WARC-Target-URI: http://a.test/\r\nContent-Type: application/http; msgtype=response\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n", len(response), response)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "in.warc.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	stagetest.MustRun(t, tool(), setup, "", "-jsonl", path+".jsonl", path).Wants(t, "in 1", "reason bad-date 1")
}

// A full writer has no place.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFull: a run whose last bytes cannot be written fails, whichever file they are of.
func TestFull(t *testing.T) {
	in := stagetest.Pages(t, page(t, "http://a.test/", ok, "<p>"+english))
	j, err := newJudge("")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []config{{lines: "-"}, {wet: "-"}} {
		c.words, c.maxPage = 1, 1<<20
		env := &stage.Env{Inputs: []string{in}, Files: output.NewRun(full{}), Report: report.New()}
		if err := write(t.Context(), env, c, j); !errors.Is(err, errFull) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

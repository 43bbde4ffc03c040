package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

type answer struct{ line, head, body string }

// conditional is the attribute of an answer to a conditional request; it is not written.
const conditional = "conditional"

// batch writes a page batch of the answers and returns its path.
func batch(t testing.TB, answers ...answer) string {
	t.Helper()
	var all []*warc.Exchange
	for _, a := range answers {
		x := stagetest.Answer(t, a.line, a.head+"\r\n\r\n"+a.body)
		if x.Record.Del(conditional); string(x.Record.Line()) != a.line {
			x.Unchanged = &warc.Original{URL: x.Record.URL()}
		}
		all = append(all, x)
	}
	return stagetest.Pages(t, all...)
}

const htmlHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html"

func TestReasons(t *testing.T) {
	const page = "http://example.org/p\tdepth=2"
	for _, c := range []struct{ reason, line, head, body, links string }{
		{"extracted", page, htmlHead, `<a href=a><img src=b>`, "a b"},
		{"extracted", page, "HTTP/1.0 200\r\nContent-Type: Application/XHTML+XML;x", `<a href=a>`, "a"},
		{"extracted", page, "HTTP/1.1 200 OK\r\nContent-Type: text/html, text/html; charset=utf-8", `<a href=a>`,
			"a"}, // two fields that a proxy has joined
		{"extracted", page, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Type: text/html", `<a href=a>`,
			"a"}, // the last counts
		{"not-html", page, htmlHead + "\r\nContent-Type: text/plain", `<a href=a>`, ""},
		{"extracted", page, "HTTP/1.1 200 OK\r\nContent-Type: html", `<p><a href=a>`, "a"},
		{"extracted", page, htmlHead + "\r\nContent-Encoding: none", `<a href=a>`, "a"},
		{"extracted", page, htmlHead + "\r\nContent-Encoding: utf-8, gzip", packed(`<a href=a>`), "a"},
		{"extracted", page, "HTTP/1.1 200 OK\r\nContent-Type: application/xml",
			`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script src="b"/><a href="a"/></html>`,
			"b a"},
		{"not-html", page, "HTTP/1.1 200 OK\r\nContent-Type: application/xml", `<html><a href="a"/></html>`, ""},
		{"extracted", page, strings.Replace(htmlHead, "200", "300", 1), `<a href=a>`, "a"},
		{"redirect", page, strings.Replace(htmlHead, "200", "300", 1) + "\r\nLocation: /b", `<a href=a>`, "b"},
		{"status-3xx", page, strings.Replace(htmlHead, "200", "302", 1), `<a href=a>`, ""},
		{"extracted", page, "HTTP/1.1 203 X", " <!DOCTYPE HTML ><a href=a>", "a"},
		{"extracted", page, htmlHead, "", ""},
		{"copy", page + "\tcopy=http://example.org/q/p", htmlHead,
			`<a href=a><a href=/b><a href=../c><a href=//example.org/d><a href=?e><meta http-equiv=refresh content="0;url=f">`, "a p?e f"},
		{"copy", page + "\tcopy=http://example.org/p?x", htmlHead, `<a href=a><a href=?e>`, ""},
		{"copy", page + "\tcopy=http://example.org/q", htmlHead, `<a href=a><a href=?e>`, "p?e"},
		{"copy", page + "\tcopy=http://example.org/q/p", htmlHead, `<base href=/r/><a href=a>`, ""},
		{"copy", page + "\tcopy=http://example.org/q/p", htmlHead, `<base href=r/><a href=a>`, "r/ r/a"},
		{"copy", page + "\tcopy=http://example.net/p", htmlHead +
			"\r\nLink: </b>; rel=next, <http://example.net/c>\r\nRefresh: 0; url=d", `<a href=a>`, "b d a"},
		{"extracted", page + "\tcopy=q", htmlHead, `<a href=a>`, "a"},
		{"nofollow", page, htmlHead + "\r\nX-Robots-Tag: none", `<a href=a>`, ""},
		{"nofollow", page, htmlHead, `<meta name=mybot content=nofollow><a href=a>`, ""},
		{"not-html", page, "HTTP/1.1 200 OK\r\nContent-Type: text/plain", `<a href=a>`, ""},
		{"not-html", page, "HTTP/1.1 200 OK", `{"a": "<a href=a>"}`, ""},
		{"redirect", page, "HTTP/1.1 302 Found\r\nLocation: /a", `<a href=b>`, "a"},
		{"redirect", page + "\tredirects=-5", "HTTP/1.1 302 Found\r\nLocation: /a", "", "a"},
		{"redirect-limit", page + "\tredirects=10", "HTTP/1.1 302 Found\r\nLocation: /a", "", ""},
		{"status-3xx", page, "HTTP/1.1 302 Found\r\nLocation: p", "", ""}, // to itself
		{"status-3xx", page, "HTTP/1.1 304 Not Modified", "", ""},
		{"not-modified", page + "\tconditional=yes", "HTTP/1.1 304 Not Modified", "", ""},
		{"status-4xx", page, strings.Replace(htmlHead, "200", "404", 1), `<a href=a>`, ""},
		{"status-5xx", page, strings.Replace(htmlHead, "200", "500", 1), `<a href=a>`, ""},
		{"not-http", page, "hello", "", ""},
		{"encoding", page, htmlHead + "\r\nContent-Encoding: dcb", "x", ""},
		{"bad-url", "ftp://example.org/p", htmlHead, `<a href=a>`, ""},
	} {
		out := filepath.Join(t.TempDir(), "links.zst")
		r := stagetest.MustRun(t, tool(), setup, "", "-agent", "MyBot/1.0 (+http://example.org/bot)", "-links", out,
			batch(t, answer{c.line, c.head, c.body}))
		if !r.Has("in 1") || !r.Has("reason "+c.reason+" 1") {
			t.Errorf("%s: report\n%s", c.reason, r.Report)
		}
		var got []string
		for _, line := range stagetest.Lines(t, out) {
			url, attrs, _ := strings.Cut(line, "\t")
			if attrs = strings.TrimSuffix(attrs, "\tredirects=1"); attrs != "depth=3\tvia=http://example.org/p" {
				t.Errorf("%s: attributes %q", c.reason, attrs)
			}
			got = append(got, strings.TrimPrefix(url, "http://example.org/"))
		}
		if strings.Join(got, " ") != c.links {
			t.Errorf("%s: links %q, want %q", c.reason, got, c.links)
		}
		if _, err := os.Stat(out); (err == nil) != (c.links != "") {
			t.Errorf("%s: an output without records must not exist (%v)", c.reason, err)
		}
	}
}

func TestManyPagesOneReport(t *testing.T) {
	path := batch(t,
		answer{"http://a.test/", htmlHead, `<a href=x>one  link</a><a href=mailto:x><a href="http://[">`},
		answer{"http://a.test/gone", "HTTP/1.1 410 Gone", ""},
		answer{"http://a.test/x\tdepth=1", htmlHead, `<a href=/>home</a><a href=y>two</a><a href=z rel=nofollow>`},
		answer{"http://a.test/cut", htmlHead + "\r\nTransfer-Encoding: chunked", "ff\r\n<a href=/whole><a href=/cu"},
	)
	r := stagetest.MustRun(t, tool(), setup, "", "-anchor", "-links", "-", path)
	want := `http://a.test/x	depth=1	via=http://a.test/	anchor=one%20link
http://a.test/	depth=2	via=http://a.test/x	anchor=home
http://a.test/y	depth=2	via=http://a.test/x	anchor=two
http://a.test/whole	depth=1	via=http://a.test/cut
`
	if r.Stdout != want {
		t.Errorf("links are\n%swant\n%s", r.Stdout, want)
	}
	r.Wants(t, "in 4", "reason extracted 3", "reason status-4xx 1", "count bad-links 1", "count cut-pages 1",
		"count nofollow-links 1", "count other-scheme-links 1")
	if !strings.Contains(r.Report, "made - 4 ") {
		t.Errorf("report lacks the links:\n%s", r.Report)
	}
}

func TestRevisitIsNotFollowed(t *testing.T) {
	p := stagetest.Pack(t, stagetest.Answer(t, "http://a.test/", htmlHead+"\r\n\r\n<a href=x>"))
	p = stagetest.Revisit(t, p, warc.Original{URL: "http://a.test/first", Date: time.Unix(1_700_000_000, 0)})
	res := stagetest.MustRun(t, tool(), setup, string(p.Response)+string(p.Request), "-links", "-")
	if !res.Has("reason revisit 1") || res.Stdout != "" {
		t.Errorf("links %q, report\n%s", res.Stdout, res.Report)
	}
}

func TestRefuses(t *testing.T) {
	good := batch(t, answer{"http://a.test/", htmlHead, "<a href=x>"})
	taken := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(taken, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stdin string
		args  []string
		code  int
		want  string
	}{
		{"", []string{"-kinds", "imgs"}, 2, `unknown kind of link "imgs"`},
		{"", []string{"-max-links", "0"}, 2, "above 0"},
		{"", []string{"-max-redirects", "-1"}, 2, "-max-redirects 0 or more"},
		{"", []string{"-links", taken, good}, 1, "exists already"},
		{"", []string{"/nowhere/x.warc.gz"}, 1, "no such file"},
		{"plain text, no WARC", nil, 1, "standard input: damaged at byte 0"},
	} {
		r := stagetest.Run(t, tool(), setup, c.stdin, c.args...)
		if r.Code != c.code || !strings.Contains(r.Stderr, c.want) || r.Report != "" {
			t.Errorf("%q: exit %d, %q; want %d, %q", c.args, r.Code, r.Stderr, c.code, c.want)
		}
	}
	if b, _ := os.ReadFile(taken); string(b) != "mine" {
		t.Error("the file that was there has changed")
	}
}

func TestVerify(t *testing.T) {
	const golden = "../internal/formats/warc/testdata/v1/pages.warc.gz"
	if r := stagetest.Run(t, tool(), setup, "", "-verify", golden); r.Code != stage.ExitDone ||
		r.Stdout+r.Stderr+r.Report != "" {
		t.Errorf("a whole batch: %+v", r)
	}
	whole, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	r := stagetest.Run(t, tool(), setup, string(whole[:len(whole)-3]), "-verify")
	if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, "standard input: damaged at byte ") {
		t.Errorf("a cut batch: %+v", r)
	}
}

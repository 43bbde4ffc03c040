package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
)

// field reads one field of the record for url in the page batch of a run.
func (res leavings) field(t *testing.T, url, name string) (value string) {
	t.Helper()
	found := false
	eachPage(t, res.pages, func(a *warc.Answer) {
		if a.URL() == url && !found {
			value, found = a.Field(name), true
		}
	})
	if !found {
		t.Fatalf("%s is not among the pages", url)
	}
	return value
}

// TestProtocol holds that a server which offers HTTP/2 is asked by HTTP/1.1, and that the archive
// says so.
func TestProtocol(t *testing.T) {
	protocol := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }
	srv := httptest.NewUnstartedServer(http.HandlerFunc(protocol))
	srv.EnableHTTP2 = true
	address, ca := startTLS(t, srv)
	const url = "https://example.com/"
	line := url + "\taddr=" + address + "\n"
	res := fetch(t, line, "-ca", ca)
	if !strings.HasPrefix(res.block[url], "HTTP/1.1 200 ") || !strings.HasSuffix(res.block[url], "\r\n\r\nHTTP/1.1") {
		t.Errorf("answer %q", res.block[url])
	}
	if got := res.field(t, url, "WARC-Protocol"); got != "http/1.1" {
		t.Errorf("WARC-Protocol %q", got)
	}
}

func TestConditional(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		asked := r.Header.Get("If-None-Match") + "|" + r.Header.Get("If-Modified-Since")
		if r.URL.Path == "/changed" || asked == "|" && r.URL.Path != "/unasked" {
			fmt.Fprint(w, asked)
			return
		}
		w.Header().Set("X-Asked", asked)
		w.WriteHeader(http.StatusNotModified)
	})
	const modified = "Sat,%2021%20Nov%202026%2001:02:03%20GMT"
	asked := strings.ReplaceAll(modified, "%20", " ")
	for _, tt := range []struct {
		path, attrs string
		status      string
		asked       string // as the server saw it
		kind, date  string // of the record
	}{
		{"/etag", `etag="a"	date=2026-11-20T01:02:03.456Z`, "304", `"a"|`, "revisit", "2026-11-20T01:02:03.456Z"},
		{"/modified", "modified=" + modified, "304", "|" + asked, "revisit", ""},
		{"/both", "etag=a\tmodified=" + modified + "\tdate=yesterday", "304", "a|" + asked, "revisit", ""},
		{"/changed", "etag=a\tmodified=" + modified, "200", "a|" + asked, "response", ""},
		// of what would it be a revisit?
		{"/unasked", "depth=1\tdate=2026-11-20T01:02:03.456Z", "304", "|", "response", ""},
		{"/none", "depth=1", "200", "|", "response", ""},
		{"/smuggled", "etag=a%0D%0AX:%20y\tmodified=%0D%0A" + modified, "200", "|", "response", ""},
		{"/no-date", "modified=yesterday\tdate=2026-11-20T01:02:03.456Z", "200", "|", "response", ""},
		// blanks may be many
		{"/long-date", "modified=" + strings.Replace(modified, "%20", strings.Repeat("%20", 100), 1), "200", "|",
			"response", ""},
		{"/huge", "etag=" + strings.Repeat("a", maxETag+1), "200", "|", "response", ""},
	} {
		res := fetch(t, s.line("a.test", tt.path, tt.attrs))
		url := "http://a.test" + tt.path
		if block := res.block[url]; !strings.HasPrefix(block, "HTTP/1.1 "+tt.status) || !strings.Contains(block,
			tt.asked) {
			t.Errorf("%s: answer %q, want %s to %q", tt.path, block, tt.status, tt.asked)
		}
		if got := res.field(t, url, "WARC-Type") + " " + res.field(t, url,
			"WARC-Refers-To-Date"); got != tt.kind+" "+tt.date {
			t.Errorf("%s: record %q, want %s %s", tt.path, got, tt.kind, tt.date)
		}
		if left := string(res.record[url].Line()); strings.Contains(left, "etag=") || strings.Contains(left,
			"modified=") || strings.Contains(left, "date=") {
			t.Errorf("%s: of the capture before there is left %q", tt.path, left)
		}
		if want := tt.kind == "revisit"; strings.Contains(res.report, "count not-modified 1\n") != want {
			t.Errorf("%s: report\n%s", tt.path, res.report)
		}
	}
}

// TestConditionalWaits holds that a URL which waits is still asked for only if it has changed.
func TestConditionalWaits(t *testing.T) {
	s := newSite(t, faults)
	res := fetch(t, s.line("a.test", "/reset", "etag=a", "date=2026-11-20T01:02:03.456Z"))
	if got := string(res.record["http://a.test/reset"].Line()); res.place["http://a.test/reset"] != "again" ||
		!strings.Contains(got, "\tetag=a\tdate=2026-11-20T01:02:03.456Z") {
		t.Errorf("in %s: %q", res.place["http://a.test/reset"], got)
	}
}

func TestCookiesOnDemand(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", Path: "/"})
		fmt.Fprint(w, "cookie: ", r.Header.Get("Cookie"))
	})
	lines := s.line("a.test", "/1") + s.line("a.test", "/2") + s.line("b.test", "/1")
	for _, tt := range []struct {
		args []string
		want int // answers to requests with a cookie
	}{{nil, 0}, {[]string{"-cookies"}, 1}} {
		res, with := fetch(t, lines, tt.args...), 0
		for _, block := range res.block {
			if strings.HasSuffix(block, "cookie: seen=yes") {
				with++
			}
		}
		if with != tt.want {
			t.Errorf("%q: %d requests with a cookie, want %d", tt.args, with, tt.want)
		}
	}
}

func TestWarcinfo(t *testing.T) {
	s := newSite(t, faults)
	res := fetch(t, s.line("a.test", "/ok"), "-operator", "Jane Doe <jane@example.org>", "-info", "isPartOf=a crawl",
		"-info", "robots=obey")
	r, err := warc.Open(res.pages, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(r.Info()))
	if err != nil {
		t.Fatal(err)
	}
	info, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	want := "software: " + software() +
		"\r\noperator: Jane Doe <jane@example.org>\r\nformat: WARC File Format 1.1\r\n" +
		"conformsTo: " + conformsTo + "\r\nhttp-header-user-agent: testbot/1.0\r\nisPartOf: a crawl\r\nrobots: obey\r\n"
	if !strings.HasSuffix(string(info), "\r\n\r\n"+want+"\r\n\r\n") {
		t.Errorf("warcinfo\n%s\nwant\n%s", info, want)
	}
	for _, args := range [][]string{{"-info", "x"}, {"-info", "a b=c"}, {"-info", "=c"}, {"-info", "a=b\r\nc: d"},
		{"-operator", "a\nb"}} {
		if code, stderr := fetchInto(t.Context(), t.TempDir(), "", args...); code != stage.ExitUsage {
			t.Errorf("%q: exit code %d: %s", args, code, stderr)
		}
	}
}

package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/web/httphead"
)

var testDate = time.Date(2026, 11, 21, 1, 2, 3, 456_000_000, time.UTC)

// testExchange is an exchange over url with a response of the given head lines and body.
func testExchange(t testing.TB, line, head, body string) *Exchange {
	t.Helper()
	rec, err := urlbatch.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return &Exchange{
		Record:   rec,
		Date:     testDate,
		Addr:     netip.MustParseAddr("192.0.2.7"),
		Request:  []byte("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"),
		Response: []byte(head + "\r\n\r\n" + body),
	}
}

const okHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html"

func encode(t testing.TB, x *Exchange) Packed {
	t.Helper()
	e := new(Encoder)
	p, err := e.Encode(x)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// file is a batch of the given answers.
func file(t testing.TB, xs ...*Exchange) []byte {
	t.Helper()
	var b []byte
	for _, x := range xs {
		p := encode(t, x)
		b = append(append(b, p.Response...), p.Request...)
	}
	return b
}

func reader(b []byte) *Reader { return NewReader("test", bytes.NewReader(b)) }

func next(t testing.TB, r *Reader) *Answer {
	t.Helper()
	a, err := r.Next()
	if err != nil {
		t.Fatalf("Next: %v", err)
	}
	return a
}

func TestRoundTrip(t *testing.T) {
	x := testExchange(t, "http://example.org/a\tdepth=2\tvia=http://example.org/%25\ttries=1", okHead, "<p>hello")
	r := reader(file(t, x, testExchange(t, "http://example.org/b", okHead, "")))
	a := next(t, r)
	for _, c := range []struct{ name, got, want string }{
		{"URL", a.URL(), "http://example.org/a"},
		{"line", string(a.Record().Line()), string(x.Record.Line())},
		{"attributes", a.Field("Multitext-Attributes"), "depth=2 via=http://example.org/%25 tries=1"},
		{"IP", a.Field("warc-ip-address"), "192.0.2.7"},
		{"date", a.Field("WARC-Date"), "2026-11-21T01:02:03.456Z"},
		{"payload digest", a.PayloadDigest(), digest([]byte("<p>hello"))},
		{"block digest", a.Field("WARC-Block-Digest"), digest(x.Response)},
	} {
		if c.got != c.want {
			t.Errorf("%s is %q, want %q", c.name, c.got, c.want)
		}
	}
	if h, err := a.HTTP(); err != nil || h.Status != 200 || h.Header.Get("content-type") != "text/html" {
		t.Errorf("HTTP() = %v, %v", h, err)
	}
	if b, err := a.Block(); err != nil || !bytes.Equal(b, x.Response) {
		t.Errorf("Block() = %q, %v", b, err)
	}
	if b, err := a.RequestBlock(); err != nil || !bytes.Equal(b, x.Request) {
		t.Errorf("RequestBlock() = %q, %v", b, err)
	}
	if d, err := a.Date(); err != nil || !d.Equal(testDate) {
		t.Errorf("Date() = %v, %v", d, err)
	}
	if a = next(t, r); a.URL() != "http://example.org/b" {
		t.Errorf("second URL is %q", a.URL())
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v, want EOF", err)
	}
}

// TestHeadersOnly holds the promise that a head is read without the body behind it.
func TestHeadersOnly(t *testing.T) {
	r := reader(file(t, testExchange(t, "http://example.org/", okHead, strings.Repeat("body ", 1000))))
	a := next(t, r)
	if _, err := a.HTTP(); err != nil {
		t.Fatal(err)
	}
	if n := len(a.response.Plain); n > a.response.block+len(okHead)+4 {
		t.Errorf("%d bytes inflated, the heads end at %d", n, a.response.block+len(okHead)+4)
	}
}

func TestCopyKeepsBytes(t *testing.T) {
	src := file(t, testExchange(t, "http://example.org/a", okHead, "a"),
		testExchange(t, "http://example.org/b", okHead, "b"))
	path := filepath.Join(t.TempDir(), "copy.warc.gz")
	var reported string
	w := NewWriter(output.NewRun(io.Discard), path, func(path string, records, size int64, sum uint64) {
		reported = fmt.Sprint(path, records, size)
	})
	r := reader(src)
	for range 2 {
		if err := w.Write(next(t, r).Packed()); err != nil {
			t.Fatal(err)
		}
	}
	if w.Records() != 2 || w.Size() != int64(len(src)) || w.Path() != path {
		t.Errorf("writer has %d records, %d bytes in %s", w.Records(), w.Size(), w.Path())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, src) {
		t.Errorf("copy differs from its source (%v)", err)
	}
	if want := fmt.Sprint(path, 2, len(src)); reported != want {
		t.Errorf("reported %s, want %s", reported, want)
	}
}

func TestWriterParts(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(output.NewRun(io.Discard), filepath.Join(dir, "m-000000000007-00001.warc.gz"), nil)
	e := new(Encoder)
	info, err := e.Info(testDate, httphead.Fields{{Name: "software", Value: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	w.Info(info)
	if err := w.Cut(); err != nil { // nothing open: no part
		t.Fatal(err)
	}
	for range 2 {
		if err := errors.Join(w.Write(encode(t, testExchange(t, "http://example.org/", okHead, "x"))),
			w.Cut()); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{"00001", "00002"} {
		r, err := Open(filepath.Join(dir, "m-000000000007-"+part+".warc.gz"), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		next(t, r)
		if !bytes.Equal(r.Info(), info) {
			t.Errorf("part %s does not begin with the warcinfo record", part)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("%d files, want 2", len(files))
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(*Exchange)
	}{
		{"no response", func(x *Exchange) { x.Response = nil }},
		{"no request", func(x *Exchange) { x.Request = nil }},
		{"no date", func(x *Exchange) { x.Date = time.Time{} }},
		{"WARC-Truncated", func(x *Exchange) { x.Truncated = "length\r\nX: y" }},
		{"more than", func(x *Exchange) { x.Response = make([]byte, MaxRecord+1) }},
	} {
		x := testExchange(t, "http://example.org/", okHead, "x")
		c.change(x)
		e := new(Encoder)
		if _, err := e.Encode(x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Encode: %v, want %q", err, c.want)
		}
	}
}

func TestPayloadDigestMeansWhole(t *testing.T) {
	chunked := okHead + "\r\nTransfer-Encoding: chunked"
	for _, c := range []struct{ name, head, body, truncated, payload string }{
		{"plain", okHead, "abc", "", "abc"},
		{"chunked", chunked, "2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n", "", "abc"},
		{"chunks break off", chunked, "2\r\nab\r\n5\r\nc", "", ""},
		{"chunks without end", chunked, "2\r\nab\r\n", "", ""},
		{"no chunk", chunked, "", "", ""},
		{"truncated", okHead, "abc", "length", ""},
		{"not HTTP", "hello", "abc", "", ""},
	} {
		x := testExchange(t, "http://example.org/", c.head, c.body)
		x.Truncated = c.truncated
		want := ""
		if c.payload != "" {
			want = digest([]byte(c.payload))
		}
		if got := next(t, reader(file(t, x))).PayloadDigest(); got != want {
			t.Errorf("%s: payload digest %q, want %q", c.name, got, want)
		}
	}
}

func TestRevisit(t *testing.T) {
	x := testExchange(t, "http://example.org/copy\tdepth=3", okHead, strings.Repeat("same ", 2000))
	r := reader(file(t, x))
	a := next(t, r)
	e := new(Encoder)
	p, err := e.Revisit(a, Original{URL: "http://example.org/first", Date: testDate.Add(-time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	id, payload := a.Field("WARC-Record-ID"), a.PayloadDigest()
	v := next(t, reader(append(p.Response, p.Request...)))
	for _, c := range []struct{ name, got, want string }{
		{"type", v.Field("WARC-Type"), "revisit"},
		{"profile", v.Field("WARC-Profile"), RevisitProfile},
		{"refers to", v.Field("WARC-Refers-To-Target-URI"), "http://example.org/first"},
		{"refers to date", v.Field("WARC-Refers-To-Date"), "2026-11-21T00:02:03.456Z"},
		{"ID", v.Field("WARC-Record-ID"), id},
		{"payload digest", v.PayloadDigest(), payload},
		{"line", string(v.Record().Line()), "http://example.org/copy\tdepth=3"},
	} {
		if c.got != c.want {
			t.Errorf("%s is %q, want %q", c.name, c.got, c.want)
		}
	}
	block, err := v.Block()
	if err != nil || string(block) != okHead+"\r\n\r\n" {
		t.Errorf("block is %q, %v; want the head alone", block, err)
	}
	if !v.Revisit() || v.Field("WARC-Block-Digest") != digest(block) {
		t.Error("no revisit with the digest of its block")
	}
	if req, err := v.RequestBlock(); err != nil || !bytes.Equal(req, x.Request) {
		t.Errorf("request is %q, %v", req, err)
	}
}

package exchange

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestConditionalRequest(t *testing.T) {
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		r := next()
		if r.Header.Get("If-None-Match") == `W/"a b"` && r.Header.Get("If-Modified-Since") == "Sat, 21 Nov 2026 01:02:03 GMT" {
			io.WriteString(c, "HTTP/1.1 304 Not Modified\r\nETag: \"2\"\r\n\r\n")
			return
		}
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nanother")
	})
	r := s.request("/")
	r.ETag, r.Modified = `W/"a b"`, "Sat, 21 Nov 2026 01:02:03 GMT"
	a, err := client(t).Get(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Status != 304 || a.Body.Len() != 0 || a.Header.Get("Etag") != `"2"` {
		t.Errorf("status %d, %d bytes, request %q", a.Status, a.Body.Len(), a.Request)
	}
}

// TestNothingIsSmuggled holds that no value ends its line, whoever let it through.
func TestNothingIsSmuggled(t *testing.T) {
	s := serve(t, say("HTTP/1.1 200 OK\r\n\r\n"))
	for _, spoil := range []func(*Request){
		func(r *Request) { r.ETag = "x\r\nHost: elsewhere" },
		func(r *Request) { r.Modified = "x\nX: y" },
		func(r *Request) { r.URL += "\r\n" },
		func(r *Request) { r.ETag = "\x00" },
	} {
		r := s.request("/")
		spoil(&r)
		if _, err := client(t).Get(t.Context(), r); !errors.Is(err, errUnsafe) {
			t.Errorf("%+v: %v, want %v", r, err, errUnsafe)
		}
	}
	if n := s.connections.Load(); n != 0 {
		t.Errorf("%d connections, want none", n)
	}
}

func TestCookies(t *testing.T) {
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		r := next()
		set := ""
		if r.URL.Path == "/set" {
			set = "Set-Cookie: a=1\r\nSet-Cookie: b=2; Path=/elsewhere\r\nSet-Cookie: c=3; Domain=test\r\n" + // for a public suffix
				"Set-Cookie: q=\"x y\"; Path=/quoted\r\nSet-Cookie: d=4\x01; Path=/\r\nSet-Cookie: e=" + strings.Repeat("5", maxCookie) + "\r\n"
		}
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s\r\n%s", set, r.Header.Get("Cookie"))
	})
	get := func(c *Client, url string) string {
		r := s.request("/")
		r.URL = url
		a, err := c.Get(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		body, _ := io.ReadAll(a.Body.Reader())
		return string(body)
	}
	without, with := client(t), client(t)
	with.Cookies = NewCookies()
	without.Limits.Head, with.Limits.Head = 16<<10, 16<<10
	for _, c := range []*Client{without, with} {
		if got := get(c, "http://example.test/set"); got != "" {
			t.Errorf("cookies before any was set: %q", got)
		}
	}
	for _, tt := range []struct {
		c         *Client
		url, want string
	}{
		{without, "http://example.test/", ""},
		{with, "http://example.test/", "a=1"},
		{with, "http://example.test/elsewhere", "b=2; a=1"},
		{with, "http://example.test/quoted", `q="x y"; a=1`},
		{with, "http://other.test/", ""},
	} {
		if got := get(tt.c, tt.url); got != tt.want {
			t.Errorf("%s: cookies %q, want %q", tt.url, got, tt.want)
		}
	}
}

// TestCookiesAreBounded holds that no server fills the memory with cookies, or a request.
func TestCookiesAreBounded(t *testing.T) {
	c := NewCookies()
	const url = "http://example.test/"
	value := strings.Repeat("x", 4000)
	for i := range 2 * maxCookies / len(value) {
		c.take(url, http.Header{"Set-Cookie": {fmt.Sprintf("c%d=%s", i, value)}})
	}
	if n := len(c.header(url)); n > maxCookieHeader || n < len(value) {
		t.Errorf("a Cookie field of %d bytes", n)
	}
	if c.room < 0 || c.room > maxCookie+len(url)+cookieCost {
		t.Errorf("%d bytes of room are left", c.room)
	}
}

// TestSmallCookiesAreBounded holds that the bound is one of memory, of which a cookie of some bytes takes many.
func TestSmallCookiesAreBounded(t *testing.T) {
	c, before := NewCookies(), heap()
	for host := range 500 {
		h := http.Header{}
		for i := range 1000 {
			h.Add("Set-Cookie", strconv.Itoa(i)+"=")
		}
		c.take(fmt.Sprintf("http://example%d.test/", host), h)
	}
	if used := heap() - before; used > 2*maxCookies {
		t.Errorf("%d bytes of memory, want at most %d", used, 2*maxCookies)
	}
	if c.header("http://example0.test/") == "" {
		t.Error("no cookie was kept")
	}
}

// TestMemoryOfLargeBodies holds the bound that the package comment states.
func TestMemoryOfLargeBodies(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const connections, size = 16, 10 << 20
	piece := make([]byte, 64<<10)
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		next()
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", size)
		for range size / len(piece) {
			c.Write(piece)
		}
	})
	c := client(t)
	c.Limits.Body = size
	before := heap()
	answers := make(chan *Answer, connections)
	for range connections {
		go func() {
			a, err := c.Get(t.Context(), s.request("/"))
			if err != nil {
				t.Error(err)
			}
			answers <- a
		}()
	}
	var kept []*Answer
	for range connections {
		if a := <-answers; a != nil && a.Body.Len() == size {
			kept = append(kept, a)
		}
	}
	if used := heap() - before; len(kept) != connections || used > connections*400_000 {
		t.Errorf("%d whole answers take %d bytes of memory, want %d and at most 0.4 MB each", len(kept), used, connections)
	}
	for _, a := range kept {
		a.Close()
	}
}

// heap gives the bytes in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkGet asks a server on the loopback over a connection that is kept.
func BenchmarkGet(b *testing.B) {
	page := make([]byte, 20_000)
	srv, request := http2Server(b, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(page)))
		w.Write(page)
	})
	for _, version := range []string{"HTTP1", "HTTP2"} {
		b.Run(version, func(b *testing.B) {
			c := secureClient(b, srv)
			c.HTTP1 = version == "HTTP1"
			b.ReportAllocs()
			for b.Loop() {
				a, err := c.Get(b.Context(), request("/"))
				if err != nil || a.Body.Len() != int64(len(page)) {
					b.Fatal(err)
				}
				a.Close()
			}
		})
	}
}

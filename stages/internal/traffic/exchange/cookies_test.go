package exchange

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"multitext/stages/internal/web/httphead"
)

func TestCookies(t *testing.T) {
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		r := next()
		set := ""
		if r.URL.Path == "/set" {
			// for a public suffix
			set = "Set-Cookie: a=1\r\nSet-Cookie: b=2; Path=/elsewhere\r\nSet-Cookie: c=3; Domain=test\r\n" +
				"Set-Cookie: q=\"x y\"; Path=/quoted\r\nSet-Cookie: d=4\x01; Path=/\r\nSet-Cookie: e=" +
				strings.Repeat("5", maxCookie) + "\r\n"
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
		c.take(url, httphead.Fields{{Name: "Set-Cookie", Value: fmt.Sprintf("c%d=%s", i, value)}})
	}
	if n := len(c.header(url)); n > maxCookieHeader || n < len(value) {
		t.Errorf("a Cookie field of %d bytes", n)
	}
	if c.room < 0 || c.room > maxCookie+len(url)+cookieCost {
		t.Errorf("%d bytes of room are left", c.room)
	}
}

// TestSmallCookiesAreBounded holds that the bound is one of memory, of which a cookie of some bytes
// takes many.
func TestSmallCookiesAreBounded(t *testing.T) {
	c, before := NewCookies(), heap()
	for host := range 500 {
		h := httphead.Fields{}
		for i := range 1000 {
			h = append(h, httphead.Field{Name: "Set-Cookie", Value: strconv.Itoa(i) + "="})
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

// TestCookiesKeepNoHead holds that a small cookie of a long head costs no more memory than another.
func TestCookiesKeepNoHead(t *testing.T) {
	const heads, long = 200, 64 << 10
	c := NewCookies()
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	for i := range heads {
		c.take(fmt.Sprintf("http://h%d.test/", i),
			httphead.Fields(nil).Parse("Set-Cookie: a=1\r\nX: "+strings.Repeat("x", long)+"\r\n"))
	}
	if grown := heap() - before; grown > heads*long/2 {
		t.Errorf("%d cookies keep %d bytes", heads, grown)
	}
	if got := c.header("http://h7.test/"); got != "a=1" {
		t.Errorf("the cookie sent is %q", got)
	}
}

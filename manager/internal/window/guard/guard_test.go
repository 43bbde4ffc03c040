package guard

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestGuard: only requests for this server pass, which no page of another site has caused.
func TestGuard(t *testing.T) {
	hosts := Hosts(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8099}, []string{"archive.example"})
	passed := 0
	h := Wrap(hosts, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed++ }))
	for _, c := range []struct {
		what, method, host string
		head               []string // names and values
		status             int
	}{
		{"by its address", "GET", "127.0.0.1:8099", nil, 200},
		{"head", "HEAD", "127.0.0.1:8099", nil, 200},
		{"localhost", "GET", "LOCALHOST:8099", nil, 200},
		{"IPv6", "GET", "[::1]:8099", nil, 200},
		{"a name that was allowed, behind a proxy", "GET", "archive.example", nil, 200},
		{"its own page", "GET", "127.0.0.1:8099", []string{"Origin", "http://127.0.0.1:8099", "Sec-Fetch-Site", "same-origin",
			"Sec-Fetch-Mode", "cors"}, 200},
		{"typed", "GET", "127.0.0.1:8099", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate",
			"Sec-Fetch-Dest", "document"}, 200},
		{"a link of another site", "GET", "127.0.0.1:8099", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode",
			"navigate", "Sec-Fetch-Dest", "document", "Sec-Fetch-User", "?1"}, 200},
		{"a script of another site that leads here", "GET", "127.0.0.1:8099", []string{"Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"a rebound name", "GET", "evil.example:8099", nil, 403},
		{"a rebound name without a port", "GET", "evil.example", nil, 403},
		{"another port", "GET", "127.0.0.1:80", nil, 403},
		{"no host", "GET", "", nil, 403},
		{"another origin", "GET", "127.0.0.1:8099", []string{"Origin", "http://evil.example"}, 403},
		{"an origin that hides", "GET", "127.0.0.1:8099", []string{"Origin", "null"}, 403},
		{"another port of this machine", "GET", "127.0.0.1:8099", []string{"Origin", "http://127.0.0.1:9000"}, 403},
		{"an image on another site", "GET", "127.0.0.1:8099", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode",
			"no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"an image on another port", "GET", "127.0.0.1:8099", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode",
			"no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"a frame on another site", "GET", "127.0.0.1:8099", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode",
			"navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"a script that says it is a document", "GET", "127.0.0.1:8099", []string{"Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "document"}, 403},
		{"a form", "POST", "127.0.0.1:8099", nil, 405},
		{"a question before a request", "OPTIONS", "127.0.0.1:8099", nil, 405},
	} {
		r := httptest.NewRequest(c.method, "/c/tour/", nil)
		r.Host = c.host
		for i := 0; i < len(c.head); i += 2 {
			r.Header.Set(c.head[i], c.head[i+1])
		}
		w := httptest.NewRecorder()
		before := passed
		h.ServeHTTP(w, r)
		if w.Code != c.status || (passed > before) != (c.status == 200) {
			t.Errorf("%s: status %d, want %d; passed %v", c.what, w.Code, c.status, passed > before)
		}
		for name, want := range map[string]string{"Content-Security-Policy": "default-src 'none'; script-src 'self';",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cross-Origin-Opener-Policy":   "same-origin", "Cache-Control": "no-store"} {
			if !strings.HasPrefix(w.Header().Get(name), want) {
				t.Errorf("%s: %s is %q", c.what, name, w.Header().Get(name))
			}
		}
	}
}

// TestBody: a request with a body is refused before the body is there, whether its length is told
// or not.
func TestBody(t *testing.T) {
	h := Wrap([]string{"127.0.0.1:8099"}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("it was passed on")
	}))
	for _, length := range []int64{-1, 1 << 40} {
		body, _ := io.Pipe() // nobody writes
		r := httptest.NewRequest("GET", "/c/tour/queue/a", body)
		r.Host, r.ContentLength = "127.0.0.1:8099", length
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusBadRequest {
			t.Errorf("length %d: status %d", length, w.Code)
		}
	}
}

// TestHosts: a server on all interfaces answers for this machine and the names that were given,
// not for any name.
func TestHosts(t *testing.T) {
	hosts := " " + strings.Join(Hosts(&net.TCPAddr{IP: net.IPv4zero, Port: 80}, []string{"box"}), " ") + " "
	for name, want := range map[string]bool{"box:80": true, "localhost:80": true, "127.0.0.1:80": true, "[::1]:80": true,
		"0.0.0.0:80": false, "other:80": false} {
		if strings.Contains(hosts, " "+name+" ") != want {
			t.Errorf("%s is in %s: %v", name, hosts, !want)
		}
	}
	far := strings.Join(Hosts(&net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80}, nil), " ")
	if strings.Contains(far, "local") {
		t.Errorf("another interface answers as %s", far)
	}
}

package examples

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A windingWeb redirects: /a and /b to each other, /self to itself, /N to /N+1 without an end.
type windingWeb struct {
	sync.Mutex
	asked map[string]int
}

func (w *windingWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(rw, r)
		return
	}
	w.Lock()
	w.asked[r.URL.Path]++
	w.Unlock()
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	to := map[string]string{"/a": "/b", "/b": "/a", "/self": "/self"}[r.URL.Path]
	switch {
	case r.URL.Path == "/":
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprint(rw, "<a href=/a><a href=/self><a href=/1>")
		return
	case err == nil:
		to = fmt.Sprint("/", n+1)
	}
	http.Redirect(rw, r, to, http.StatusFound)
}

// TestRedirects holds that a loop of redirects ends because filter has met its URLs, and a chain
// that has no end because extract counts.
func TestRedirects(t *testing.T) {
	t.Parallel()
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`,
		`run = "testweb -listen {web} -hosts 20 -pages 100"`, `shell = "echo ready; exec sleep 1000"`,
		`"extract `, `"extract -max-redirects 3 `)
	b.write("seeds.txt", "http://h000.test/\n")
	l, err := net.Listen("tcp", b.web)
	if err != nil {
		t.Fatal(err)
	}
	web := &windingWeb{asked: map[string]int{}}
	server := &http.Server{Handler: web}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	b.run(0)
	web.Lock()
	defer web.Unlock()
	want := map[string]int{"/": 1, "/a": 1, "/b": 1, "/self": 1, "/1": 1, "/2": 1, "/3": 1, "/4": 1}
	if !maps.Equal(web.asked, want) {
		t.Errorf("asked for %v, want %v", web.asked, want)
	}
	b.settled()
}

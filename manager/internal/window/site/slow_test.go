package site

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestSlowReader: a browser that takes nothing is given up, and one that takes all gets all.
func TestSlowReader(t *testing.T) {
	const size = 64 << 20 // more than a connection buffers
	ended := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := (&timely{w, 100 * time.Millisecond}).Write(make([]byte, size))
		ended <- err
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	if err := <-ended; err == nil {
		t.Error("a client that reads nothing has taken all")
	}
	var w strings.Builder
	n, err := (&timely{recorder{&w}, writeWithin}).Write([]byte(strings.Repeat("x", 3*piece+1)))
	if err != nil || n != 3*piece+1 || w.Len() != n {
		t.Errorf("%d bytes were written and %d taken: %v", n, w.Len(), err)
	}
}

type recorder struct{ *strings.Builder }

func (recorder) Header() http.Header { return http.Header{} }

func (recorder) WriteHeader(int) {}

// TestAtMost: a request waits until a slot is free, and leaves with its browser.
func TestAtMost(t *testing.T) {
	slots := make(chan struct{}, 1)
	answered := 0
	h := atMost(slots, func(http.ResponseWriter, *http.Request) { answered++ })
	h(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	if answered != 1 || len(slots) != 0 {
		t.Errorf("%d answers, %d slots in use", answered, len(slots))
	}
	slots <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil).WithContext(ctx))
	if answered != 1 {
		t.Error("it was answered though no slot was free")
	}
	w := newWorld(t)
	w.begin()
	for name, slots := range map[string]chan struct{}{"find?text=x": w.site.slots.finds, "report": w.site.slots.reports,
		"raw/page/m-000000000001-00001.html": w.site.slots.files, "batch/a/m-000000000001-00001.zst": w.site.slots.files} {
		for len(slots) < cap(slots) {
			slots <- struct{}{}
		}
		r := httptest.NewRequest("GET", "/c/it/"+name, nil).WithContext(ctx)
		out := httptest.NewRecorder()
		if w.site.ServeHTTP(out, r); out.Body.Len() > 0 {
			t.Errorf("%s is answered though no slot is free", name)
		}
	}
}

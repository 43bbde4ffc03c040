package exchange

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"testing"
)

func TestConditionalRequest(t *testing.T) {
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		r := next()
		if r.Header.Get("If-None-Match") == `W/"a b"` &&
			r.Header.Get("If-Modified-Since") == "Sat, 21 Nov 2026 01:02:03 GMT" {
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
		t.Errorf("%d whole answers take %d bytes of memory, want %d and at most 0.4 MB each", len(kept), used,
			connections)
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

// BenchmarkGet asks a server on the loopback by TLS, over a connection that is kept.
func BenchmarkGet(b *testing.B) {
	page := make([]byte, 20_000)
	srv, request := secureServer(b, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(page)))
		w.Write(page)
	})
	c := secureClient(b, srv)
	b.ReportAllocs()
	for b.Loop() {
		a, err := c.Get(b.Context(), request("/"))
		if err != nil || a.Body.Len() != int64(len(page)) {
			b.Fatal(err)
		}
		a.Close()
	}
}

// BenchmarkGetPlain asks a server on the loopback, which does no more than it must, over
// connections that are kept. The time is that of both sides.
func BenchmarkGetPlain(b *testing.B) {
	text := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nServer: x\r\nDate: Sat, 21 Nov 2026 01:02:03 GMT\r\n"+
		"Content-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", 13_700, make([]byte, 13_700))
	s := serve(b, func(c net.Conn, _ func() *http.Request) {
		request := make([]byte, 4096) // comes in one piece
		for {
			if _, err := c.Read(request); err != nil {
				return
			}
			c.Write(text)
		}
	})
	for _, connections := range []int{1, 32} {
		b.Run(fmt.Sprint("connections=", connections), func(b *testing.B) {
			c := client(b)
			c.MaxIdle = connections
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			b.SetParallelism((connections + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
			b.RunParallel(func(pb *testing.PB) {
				r := s.request("/d2/p00070.html")
				r.Keep = true
				for pb.Next() {
					a, err := c.Get(b.Context(), r)
					if err != nil || a.Body.Len() != 13_700 {
						b.Error(a, err)
						return
					}
					a.Close()
				}
			})
		})
	}
}

package exchange

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"testing"
	"time"
)

// TestTimesAreNeitherEarlyNorLate holds that no step ends before its time by the Limits, and none
// later than lateness allows.
func TestTimesAreNeitherEarlyNorLate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	silent := func(c net.Conn, next func() *http.Request) { next(); hang(c) }
	dripping := func(c net.Conn, next func() *http.Request) {
		next()
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
		for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
			if _, err := io.WriteString(c, "x"); err != nil {
				return
			}
		}
	}
	for _, tt := range []struct {
		name           string
		talk           func(net.Conn, func() *http.Request)
		timeout, total time.Duration
	}{
		{"step", silent, time.Second, time.Minute},
		{"all", silent, 20 * time.Second, time.Second},
		{"steps", dripping, time.Second, 1500 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := client(t)
			c.Limits.Timeout, c.Limits.Total = tt.timeout, tt.total
			least := min(tt.timeout, tt.total)
			if tt.name == "steps" {
				least = tt.total
			}
			start := time.Now()
			if a, err := c.Get(t.Context(), serve(t, tt.talk).request("/")); err == nil {
				a.Close()
			}
			most := least + tt.timeout/lateness + 3*time.Second // of a busy machine
			if took := time.Since(start); took < least || took > most {
				t.Errorf("it took %v, want %v to %v", took, least, most)
			}
		})
	}
}

// TestContextEndsItsExchangeOnly holds that a kept connection outlives the context that it was used
// in.
func TestContextEndsItsExchangeOnly(t *testing.T) {
	s := serve(t, sayAlways("HTTP/1.1 204 No Content\r\n\r\n"))
	c, r := client(t), s.request("/")
	r.Keep = true
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		a, err := c.Get(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
		cancel()
	}
	if n := s.connections.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if _, err := c.Get(ended, r); err != context.Canceled {
			t.Errorf("Get = %v in a context that has ended", err)
		}
	}
}

// A closingConn notes that it is closed.
type closingConn struct {
	net.Conn
	closed bool
}

func (c *closingConn) Close() error { c.closed = true; return nil }

// TestIdlePool holds that the newest connection to the same addresses is taken first, and that when
// there is no room those go that are dead, else the new one.
func TestIdlePool(t *testing.T) {
	request := func(host string) Request {
		return Request{URL: "http://" + host + "/x", Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:80")}}
	}
	var p idlePool
	start := time.Now()
	links := map[string]*closingConn{}
	put := func(name string, after time.Duration) { // the host is the name's first letter
		links[name] = &closingConn{}
		r := request(name[:1])
		p.put(r, &link{conn: links[name], addrs: r.Addrs}, 4, start.Add(after))
	}
	wantGone := func(names ...string) {
		t.Helper()
		for name, c := range links {
			if want := slices.Contains(names, name); c.closed != want {
				t.Errorf("%s gone: %v, want %v", name, c.closed, want)
			}
		}
	}
	wantTaken := func(r Request, name string) {
		t.Helper()
		if l := p.take(r); l == nil && name != "" || l != nil && l.conn != links[name] {
			t.Errorf("of %s comes %v, want %q", r.URL, l, name)
		}
	}
	for i, name := range []string{"a1", "a2", "b1", "a3"} {
		put(name, time.Duration(i)*time.Second)
	}
	put("c1", dead-1)
	wantGone("c1")
	put("c2", dead+1*time.Second)
	wantGone("c1", "a1", "a2")
	elsewhere := request("a")
	elsewhere.Addrs = []netip.AddrPort{netip.MustParseAddrPort("192.0.2.2:80")}
	wantTaken(elsewhere, "")
	wantTaken(request("c"), "c2")
	wantTaken(request("c"), "")
	put("a4", dead)
	wantTaken(request("a"), "a4")
	wantTaken(request("a"), "a3")
	wantTaken(request("a"), "")
	put("d1", dead)
	p.closeAll()
	wantGone("c1", "a1", "a2", "b1", "d1")
	if len(p.links) != 0 || p.n != 0 {
		t.Errorf("%d keys and %d links are left", len(p.links), p.n)
	}
}

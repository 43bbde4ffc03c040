package exchange

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"
)

// A clockedConn notes its deadlines, and when it is closed.
type clockedConn struct {
	fakeConn
	moved  int
	breaks time.Time
	closed chan struct{}
}

func (c *clockedConn) SetDeadline(t time.Time) error { c.moved++; c.breaks = t; return nil }
func (c *clockedConn) Close() error                  { close(c.closed); return nil }

// TestDeadlinesAreNeitherEarlyNorLate holds that a deadline which is moved seldom is never before a step's end,
// nor later than lateness allows, whichever step goes before.
func TestDeadlinesAreNeitherEarlyNorLate(t *testing.T) {
	c := &clockedConn{}
	l := newLink(c, netip.AddrPort{}, new(sync.Pool), nil)
	start := time.Now()
	for i, step := range []time.Duration{160, 160, 16, 1600, 160, 159, 3} {
		d := step * time.Second
		l.begin(start, time.Hour)
		l.allow(start, d)
		l.limit()
		if got := c.breaks.Sub(start); got < d || got > d+d/16 {
			t.Errorf("step %d of %v: the connection breaks after %v", i, d, got)
		}
		l.begin(start, d) // the end of the exchange goes before that of the step
		l.allow(start, time.Hour)
		l.limit()
		if got := c.breaks.Sub(start); got < d || got > d+time.Hour/16 {
			t.Errorf("exchange %d of %v: the connection breaks after %v", i, d, got)
		}
	}
	l.begin(start, time.Hour)
	l.allowEach(time.Minute)
	l.limit()
	moved := c.moved
	for range 100 {
		l.limit()
	}
	if c.moved > moved+1 {
		t.Errorf("100 reads moved the deadline %d times", c.moved-moved)
	}
}

// TestLinkEndsWithItsContext holds that a link is closed by the end of the context of its last exchange, and by no
// other's.
func TestLinkEndsWithItsContext(t *testing.T) {
	first, endFirst := context.WithCancel(t.Context())
	second, endSecond := context.WithCancel(t.Context())
	bound := func() *clockedConn {
		c := &clockedConn{closed: make(chan struct{})}
		l := newLink(c, netip.AddrPort{}, new(sync.Pool), nil)
		l.bind(first)
		l.bind(context.WithValue(first, c, 1))
		l.bind(second)
		return c
	}
	conns := []*clockedConn{bound(), bound()}
	told := make(chan struct{})
	context.AfterFunc(first, func() { close(told) })
	endFirst()
	<-told
	for _, c := range conns {
		select {
		case <-c.closed:
			t.Fatal("closed by a context of an exchange that is over")
		case <-time.After(10 * time.Millisecond): // enough to see most mistakes
		}
	}
	endSecond()
	for _, c := range conns {
		<-c.closed
	}
}

// TestIdleLinkHasNoBuffer holds that links which nobody reads share no buffer and need none; and that what one has read ahead is
// not lost.
func TestIdleLinkHasNoBuffer(t *testing.T) {
	var used sync.Pool
	links := make([]*link, 3)
	for i := range links {
		here, there := net.Pipe()
		defer here.Close()
		defer there.Close()
		go fmt.Fprintf(there, "ab%d", i)
		links[i] = newLink(here, netip.AddrPort{}, &used, nil)
		links[i].begin(time.Now(), time.Minute)
		links[i].allow(time.Now(), time.Minute)
	}
	read := func(l *link, n int) string {
		b := make([]byte, n)
		if _, err := io.ReadFull(l.in, b); err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for i, l := range links {
		all := 3 - i // of the first all three bytes, of the others less
		first := read(l, all)
		if l.rest(); (l.in == nil) != (all == 3) {
			t.Errorf("a link of which %d bytes are left has a buffer: %v", 3-all, l.in != nil)
		}
		l.resume()
		if got, want := first+read(l, 3-all), fmt.Sprint("ab", i); got != want {
			t.Errorf("read %q over a rest, want %q", got, want)
		}
	}
}

// TestIdlePool holds that the newest connection of a server is taken first, and that when there is no room the one idle for
// longest goes if it is dead, else the new one.
func TestIdlePool(t *testing.T) {
	key := func(host string) poolKey { return poolKeyOf(Request{URL: "http://" + host + "/x"}) }
	var p idlePool
	start := time.Now()
	links := map[string]*clockedConn{}
	put := func(name string, after time.Duration) { // the host is the name's first letter
		c := &clockedConn{closed: make(chan struct{})}
		links[name] = c
		p.put(key(name[:1]), newLink(c, netip.AddrPort{}, new(sync.Pool), nil), 4, start.Add(after))
	}
	wantGone := func(names ...string) {
		t.Helper()
		for name, c := range links {
			gone := false
			select {
			case <-c.closed:
				gone = true
			default:
			}
			if want := slices.Contains(names, name); gone != want {
				t.Errorf("%s gone: %v, want %v", name, gone, want)
			}
		}
	}
	wantTaken := func(host, name string) {
		t.Helper()
		if l := p.take(key(host)); l == nil && name != "" || l != nil && l.conn != links[name] {
			t.Errorf("of %s comes %v, want %q", host, l, name)
		}
	}
	for i, name := range []string{"a1", "a2", "b1", "a3"} {
		put(name, time.Duration(i)*time.Second)
	}
	put("c1", dead-1)
	wantGone("c1")
	put("c2", dead)
	wantGone("c1", "a1")
	wantTaken("c", "c2")
	wantTaken("c", "")
	wantTaken("a", "a3")
	put("d1", dead)
	put("d2", dead)
	put("d3", dead+3*time.Second)
	wantGone("c1", "a1", "a2")
	wantTaken("a", "")
	put("e1", dead+3*time.Second)
	wantGone("c1", "a1", "a2", "b1")
	wantTaken("d", "d3")
	p.closeAll()
	wantGone("c1", "a1", "a2", "b1", "d1", "d2", "e1")
	if len(p.links) != 0 || p.order.Len() != 0 {
		t.Errorf("%d keys and %d links are left", len(p.links), p.order.Len())
	}
}

// A fakeConn gives what is in it and takes everything.
type fakeConn struct {
	net.Conn
	in io.Reader
}

func (c *fakeConn) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c *fakeConn) Write(p []byte) (int, error) { return len(p), nil }
func (c *fakeConn) SetDeadline(time.Time) error { return nil }

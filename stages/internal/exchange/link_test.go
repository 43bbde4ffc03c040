package exchange

import (
	"context"
	"net/netip"
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

// TestIdlePool holds that the newest connection of a server is taken first, and the one idle for longest dropped.
func TestIdlePool(t *testing.T) {
	key := func(host string) poolKey { return poolKeyOf(Request{URL: "http://" + host + "/x"}) }
	var p idlePool
	links := map[string]*clockedConn{}
	put := func(host, name string) {
		c := &clockedConn{closed: make(chan struct{})}
		links[name] = c
		p.put(key(host), newLink(c, netip.AddrPort{}, new(sync.Pool), nil), 4)
	}
	gone := func(name string) bool {
		select {
		case <-links[name].closed:
			return true
		default:
			return false
		}
	}
	for _, name := range []string{"a1", "a2", "b1", "a3", "c1"} { // one too many
		put(name[:1], name)
	}
	if !gone("a1") || p.held != 4 {
		t.Errorf("a1 gone: %v; %d are held", gone("a1"), p.held)
	}
	if l := p.take(key("a")); l == nil || l.conn != links["a3"] {
		t.Error("the first of a is not the newest")
	}
	put("d", "d1")
	put("d", "d2")
	if !gone("a2") || gone("b1") || p.take(key("a")) != nil {
		t.Error("a2 was to go, and b1 to stay")
	}
	put("e", "e1")
	if !gone("b1") || p.take(key("b")) != nil {
		t.Error("b1 was to go")
	}
	if l := p.take(key("d")); l == nil || l.conn != links["d2"] || p.held != 3 {
		t.Errorf("of d the newest is not first, or %d are held", p.held)
	}
	p.closeAll()
	if !gone("d1") || !gone("e1") || !gone("c1") || gone("d2") || p.held != 0 {
		t.Error("closeAll has left something, or closed what was taken")
	}
}

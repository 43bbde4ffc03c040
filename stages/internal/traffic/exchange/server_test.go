package exchange

import (
	"bufio"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"multitext/stages/internal/traffic/dial"
)

// A rawServer answers each connection by a function, byte for byte.
type rawServer struct {
	addr        netip.AddrPort
	connections atomic.Int32
}

// serve starts a rawServer on the loopback. talk is given the connection and a function
// that reads the next request of it, nil at the end.
func serve(t testing.TB, talk func(c net.Conn, next func() *http.Request)) *rawServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := &rawServer{addr: l.Addr().(*net.TCPAddr).AddrPort()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				talk(c, func() *http.Request {
					r, _ := http.ReadRequest(in)
					return r
				})
			}()
		}
	}()
	return s
}

// say returns a talk that answers one request with text and closes.
func say(text string) func(net.Conn, func() *http.Request) {
	return func(c net.Conn, next func() *http.Request) {
		if next() != nil {
			c.Write([]byte(text))
		}
	}
}

// sayAlways answers every request with text.
func sayAlways(text string) func(net.Conn, func() *http.Request) {
	return func(c net.Conn, next func() *http.Request) {
		for next() != nil {
			c.Write([]byte(text))
		}
	}
}

// reset makes the end of c a reset instead of an orderly one.
func reset(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }

// hang waits until the other side closes.
func hang(c net.Conn) { c.Read(make([]byte, 1)) }

func client(t testing.TB) *Client {
	t.Helper()
	c := &Client{
		Dialer:  &dial.Dialer{},
		Agent:   "testbot/1.0",
		Limits:  Limits{Timeout: 5 * time.Second, Total: 10 * time.Second, Head: 4096, Body: 100_000},
		MaxIdle: 4,
	}
	if err := c.Dialer.Policy.Set("127.0.0.0/8"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func (s *rawServer) request(path string) Request {
	return Request{URL: "http://example.test" + path, Addrs: []netip.AddrPort{s.addr}}
}

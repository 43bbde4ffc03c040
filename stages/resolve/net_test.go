package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"multitext/stages/internal/testkit/nameserver"
)

// A testNet is a name server and a web server on the loopback. All names lead to the web
// server but those that say otherwise:
//
//	private.test    10.0.0.1 and 169.254.169.254
//	half.test       10.0.0.1 and the web server
//	broken.test     SERVFAIL
//	nowhere.test    NXDOMAIN
type testNet struct {
	dns string // ADDR:PORT of the name server
	web string // ADDR:PORT of the web server

	mu      sync.Mutex
	answers map[string][]string         // addresses by name, one for each look-up; the last stays
	robots  map[string]http.HandlerFunc // of robots.txt, by host name
	asked   map[string]int              // requests by "host path", look-ups by "dns name"
}

func newTestNet(t *testing.T, robots map[string]http.HandlerFunc) *testNet {
	t.Helper()
	n := &testNet{robots: robots, answers: map[string][]string{}, asked: map[string]int{}}
	web := httptest.NewServer(http.HandlerFunc(n.serve))
	t.Cleanup(web.Close)
	n.web = web.Listener.Addr().String()
	n.dns = nameserver.Start(t, n.answer)
	return n
}

func (n *testNet) port() string {
	_, port, _ := net.SplitHostPort(n.web)
	return port
}

func (n *testNet) serve(w http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.Host)
	n.mu.Lock()
	n.asked[host+" "+r.URL.Path]++
	handler := n.robots[host]
	n.mu.Unlock()
	if handler == nil || !strings.HasSuffix(r.URL.Path, "robots.txt") {
		http.NotFound(w, r)
		return
	}
	handler(w, r)
}

func (n *testNet) answer(name string, ipv4 bool) nameserver.Answer {
	a := nameserver.Answer{Addrs: []string{"127.0.0.1"}}
	switch name {
	case "private.test":
		a.Addrs = []string{"10.0.0.1", "169.254.169.254"}
	case "half.test":
		a.Addrs = []string{"10.0.0.1", "127.0.0.1"}
	case "broken.test":
		a = nameserver.Answer{Code: dnsmessage.RCodeServerFailure}
	case "nowhere.test":
		a = nameserver.Answer{Code: dnsmessage.RCodeNameError}
	}
	if !ipv4 {
		return nameserver.Answer{Code: a.Code}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if next := n.answers[name]; len(next) > 0 {
		a.Addrs = next[:1]
		n.answers[name] = next[min(1, len(next)-1):]
	}
	n.asked["dns "+name]++
	return a
}

// leads has each look-up of name answered by the next of addrs, the last one for ever.
func (n *testNet) leads(name string, addrs ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers[name] = addrs
}

// everything is what was asked for, as text.
func (n *testNet) everything() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return fmt.Sprint(n.asked)
}

// count tells how often something was asked for and forgets it.
func (n *testNet) count(what string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer delete(n.asked, what)
	return n.asked[what]
}

func text(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s) }
}

// listenAlso starts another web server, at the same port of another address.
func (n *testNet) listenAlso(t *testing.T, addr string, handler http.HandlerFunc) string {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(addr, n.port()))
	if err != nil {
		t.Skipf("a second address of the loopback cannot be had: %v", err)
	}
	s := httptest.NewUnstartedServer(handler)
	s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return n.port()
}

// rawServer answers each connection as talk does, and leaves it open; it returns its port.
func rawServer(t *testing.T, talk func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				c.Read(make([]byte, 4096)) // the request
				talk(c)
			}()
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// reset ends a connection in the rudest way.
func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// tlsServer has a certificate for example.com that nobody has signed.
func tlsServer(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func portOf(s *httptest.Server) string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return port
}

// packed answers with a body that is compressed, whatever was asked for.
func packed(s string) http.HandlerFunc {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(b.Bytes())
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

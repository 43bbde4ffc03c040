package main

import (
	"compress/gzip"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A site is a web server on the loopback that keeps book of how it is treated, by host.
type site struct {
	*httptest.Server
	began time.Time // when the site was made

	mu    sync.Mutex
	hosts map[string]*treatment // "" is all of them together
}

type treatment struct {
	requests, active, mostActive int
	first                        time.Time
	lastEnd                      time.Time
	shortestGap                  time.Duration // between an end and the next start
}

func newSite(t *testing.T, handler http.HandlerFunc) *site {
	t.Helper()
	s := &site{hosts: map[string]*treatment{}, began: time.Now()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, who := range []string{r.Host, ""} {
			s.begin(who)
			defer s.end(who)
		}
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) begin(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.hosts[host]
	now := time.Now()
	if v == nil {
		v = &treatment{first: now, shortestGap: time.Hour}
		s.hosts[host] = v
	} else if gap := now.Sub(v.lastEnd); v.active == 0 && gap < v.shortestGap {
		v.shortestGap = gap
	}
	v.requests++
	v.active++
	v.mostActive = max(v.mostActive, v.active)
}

func (s *site) end(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hosts[host].active--
	s.hosts[host].lastEnd = time.Now()
}

// startTLS starts srv over TLS. ca is a file with the certificate to trust.
func startTLS(t *testing.T, srv *httptest.Server) (address, ca string) {
	t.Helper()
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	write(t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw})))
	return srv.Listener.Addr().String(), ca
}

// quick are records of path on so many hosts.
func (s *site) quick(hosts int, path string) string {
	var lines strings.Builder
	for i := range hosts {
		lines.WriteString(s.line(fmt.Sprintf("quick%d.test", i), path))
	}
	return lines.String()
}

// line is a record of path on host that is pinned to the site.
func (s *site) line(host, path string, attrs ...string) string {
	return "http://" + host + path + "\t" + strings.Join(append(attrs, "addr="+s.Listener.Addr().String()), "\t") + "\n"
}

// hijack gives talk the bare connection.
func hijack(w http.ResponseWriter, talk func(c net.Conn)) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer c.Close()
	talk(c)
}

// faults answers each path with another misbehaviour.
func faults(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/ok":
		fmt.Fprint(w, "fine")
	case "/chunked":
		fmt.Fprint(w, "one ")
		w.(http.Flusher).Flush()
		fmt.Fprint(w, "two")
	case "/gzip":
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, "packed")
		z.Close()
	case "/moved":
		http.Redirect(w, r, "/ok", http.StatusMovedPermanently)
	case "/huge-header":
		w.Header().Set("X-Huge", strings.Repeat("x", 100_000))
	case "/endless":
		for {
			if _, err := w.Write(make([]byte, 10_000)); err != nil {
				return
			}
		}
	case "/reset":
		hijack(w, func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) })
	case "/garbage":
		hijack(w, func(c net.Conn) { io.WriteString(c, "220 mail.test ESMTP\r\n") })
	case "/wrong-length", "/wrong-length-always":
		hijack(w, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort") })
	case "/silent":
		hijack(w, func(c net.Conn) { c.Read(make([]byte, 1)) })
	case "/busy":
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusTooManyRequests)
	case "/down":
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		http.NotFound(w, r)
	}
}

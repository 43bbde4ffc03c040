package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// server answers for a site, counts, and makes its faults.
type server struct {
	site    site
	faults  faults
	ledger  *ledger
	buffers sync.Pool // of *[]byte, for bodies
}

func newServer(s site, f faults, l *ledger) *server {
	return &server{site: s, faults: f, ledger: l, buffers: sync.Pool{New: func() any { return new([]byte) }}}
}

// serve runs the web until ctx ends.
func serve(ctx context.Context, o *options, stdout io.Writer) error {
	var site site = newSynthetic(o.shape)
	if o.root != "" {
		f, err := openFolder(o.root)
		if err != nil {
			return err
		}
		defer f.root.Close()
		site = f
	}
	l, err := loadLedger(o.statsFile)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("open the web: %w", err)
	}
	endSaving, err := l.keepSaved(o.statsFile)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	fmt.Fprintln(stdout, ln.Addr())
	err = newServer(site, o.faults, l).serveOn(ctx, ln)
	return errors.Join(err, endSaving())
}

// connKey finds the connection of a request in its context.
type connKey struct{}

// serveOn answers on ln until ctx ends; then it gives what is under way a second.
func (s *server) serveOn(ctx context.Context, ln net.Listener) error {
	hs := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       5 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			if state == http.StateClosed || state == http.StateHijacked {
				s.ledger.closed(c)
			}
		},
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		soon, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if hs.Shutdown(soon) != nil {
			hs.Close()
		}
	})
	err := hs.Serve(ln)
	if !stop() {
		<-ended // Serve returns at the start of the shutdown
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
	}
	return nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/__stats" {
		s.ledger.serveStats(w, r)
		return
	}
	host, target := hostOf(r.Host), r.RequestURI
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !reads || !strings.HasPrefix(target, "/") || !s.site.hasHost(host) {
		http.Error(w, "no such host, or not asked as a crawler would", http.StatusMisdirectedRequest)
		return
	}
	robots := plainEscapes(target) == "/robots.txt"
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	request := s.ledger.begin(conn, host, robots)
	s.pause(r.Context())
	if s.faults.dead[host] {
		request.end(target, kindDead, false)
		panic(http.ErrAbortHandler) // net/http's way to close without an answer
	}

	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	a := s.site.answer(host, target, r.UserAgent(), (*buf)[:0])
	*buf = a.body
	violation := a.kind == kindForbidden
	if s.faults.robotsDown(host, s.ledger.age()) {
		if robots {
			a = answer{kindRobots, target, http.StatusServiceUnavailable, "text/plain", "", nil}
		}
		violation = !robots
	}
	send(w, a, func() { request.end(a.target, a.kind, violation) })
}

// pause waits the delay of every answer, or until the client has gone.
func (s *server) pause(ctx context.Context) {
	if s.faults.delay > 0 {
		select {
		case <-time.After(s.faults.delay):
		case <-ctx.Done():
		}
	}
}

// lastPiece is how much of a body is sent after its answer counts as ended; a
// socket takes it at once.
const lastPiece = 32 << 10

// send writes a, and calls end before the client can have read the whole of it.
func send(w http.ResponseWriter, a answer, end func()) {
	h := w.Header()
	h["Content-Type"] = []string{a.contentType}
	h["Content-Length"] = []string{strconv.Itoa(len(a.body))}
	if a.location != "" {
		h["Location"] = []string{a.location}
	}
	first := max(0, len(a.body)-lastPiece)
	if first > 0 {
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body[:first]) // a client that went away shows in the next write
		end()
	} else {
		end()
		w.WriteHeader(a.status)
	}
	_, _ = w.Write(a.body[first:])
}

// hostOf is the name in a Host header, in small letters, its port left out.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		header = host
	}
	return strings.ToLower(header)
}

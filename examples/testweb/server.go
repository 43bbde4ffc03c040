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
	site      site
	addresses []string // host i answers on the i-th, modulo their number
	faults    faults
	speeds    speeds
	seed      uint64        // of the speeds
	longest   time.Duration // an answer of a host that misbehaves
	ledger    *ledger
	buffers   sync.Pool // of *[]byte, for bodies
}

func newServer(s site, o *options, l *ledger) *server {
	return &server{
		site: s, faults: o.faults, speeds: o.speeds, seed: o.shape.seed, longest: time.Minute, ledger: l,
		buffers: sync.Pool{New: func() any { return new([]byte) }},
	}
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
	lns, err := listen(o.listen)
	if err != nil {
		return fmt.Errorf("open the web: %w", err)
	}
	endSaving, err := l.keepSaved(o.statsFile)
	if err != nil {
		closeAll(lns)
		return err
	}
	srv := newServer(site, o, l)
	err = srv.serveOn(ctx, lns, func() { fmt.Fprintln(stdout, strings.Join(srv.addresses, " ")) })
	return errors.Join(err, endSaving())
}

// listen opens all of the addresses or none.
func listen(addresses []string) (lns []net.Listener, err error) {
	for _, address := range addresses {
		ln, err := net.Listen("tcp", address)
		if err != nil {
			closeAll(lns)
			return nil, err
		}
		lns = append(lns, ln)
	}
	return lns, nil
}

func closeAll(lns []net.Listener) {
	for _, ln := range lns {
		ln.Close()
	}
}

// connKey finds the connection of a request in its context.
type connKey struct{}

// serveOn answers on lns until ctx ends, and says when it is ready; at the end it gives
// what is under way a second.
func (s *server) serveOn(ctx context.Context, lns []net.Listener, ready func()) error {
	for _, ln := range lns {
		s.addresses = append(s.addresses, ln.Addr().String())
	}
	ready()
	hs := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       5 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				s.ledger.closed(c)
			}
		},
	}
	failed := make(chan error, len(lns))
	for _, ln := range lns {
		go func() { failed <- hs.Serve(ln) }()
	}
	select {
	case <-ctx.Done():
	case err := <-failed:
		hs.Close()
		return fmt.Errorf("serve on %s: %w", strings.Join(s.addresses, " "), err)
	}
	soon, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if hs.Shutdown(soon) != nil {
		hs.Close()
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
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	number, known := s.site.number(host)
	if !reads || !strings.HasPrefix(target, "/") || !known || !s.isAt(conn, number) {
		http.Error(w, "no such host, or not asked as a crawler would", http.StatusMisdirectedRequest)
		return
	}
	f := s.site.faultOf(number)
	robots := f.isRobots(target)
	request := s.ledger.begin(conn, host, robots)
	sleep(r.Context(), s.faults.delay)
	if s.faults.dead[host] {
		request.end(target, kindDead, false)
		panic(http.ErrAbortHandler) // net/http's way to close without an answer
	}

	if f != nil {
		end := func() { request.end(target, f.kindOf(target), f.forbids(target)) }
		misbehave(w, r, f.answerOf(target), s.longest, end)
		s.ledger.closed(conn)
		return
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
	pacer := &pacer{speed: s.speeds.of(s.seed, number), start: time.Now()}
	send(r.Context(), w, a, pacer, func() { request.end(a.target, a.kind, violation) })
}

// isAt tells whether the host of a number answers where conn has come in.
func (s *server) isAt(conn net.Conn, number int) bool {
	return conn.LocalAddr().String() == s.addresses[number%len(s.addresses)]
}

// lastPiece is how much of a body is sent after its answer counts as ended; a
// socket takes it at once.
const lastPiece = 32 << 10

// send writes a, and calls end before the client can have read the whole of it.
func send(ctx context.Context, w http.ResponseWriter, a answer, p *pacer, end func()) {
	h := w.Header()
	h["Content-Type"] = []string{a.contentType}
	h["Content-Length"] = []string{strconv.Itoa(len(a.body))}
	if a.location != "" {
		h["Location"] = []string{a.location}
	}
	w.WriteHeader(a.status) // nothing is sent yet
	for body := a.body; ; {
		piece := body[:p.piece(len(body))]
		body = body[len(piece):]
		p.wait(ctx, len(piece))
		if len(body) == 0 {
			end()
		}
		// A client that went away shows in the next write, and ends ctx.
		_, _ = w.Write(piece)
		if len(body) == 0 {
			return
		}
		_ = http.NewResponseController(w).Flush()
	}
}

// hostOf is the name in a Host header, in small letters, its port left out.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		header = host
	}
	return strings.ToLower(header)
}

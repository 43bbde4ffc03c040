package main

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ServeHTTP answers for the host that is asked for, in the way of that host.
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
	fault := s.site.faultOf(number)
	robots := fault.isRobots(target)
	request := s.ledger.begin(conn, host, robots)
	sleep(r.Context(), s.faults.delay)
	switch {
	case s.faults.dead[host]:
		request.end(target, kindDead, false)
		panic(http.ErrAbortHandler) // net/http's way to close without an answer
	case fault != nil:
		misbehave(w, r, fault.answerOf(target), s.longest, func() {
			request.end(target, fault.kindOf(target), fault.forbids(target))
		})
		s.ledger.closed(conn)
	default:
		s.behave(w, r, host, number, request)
	}
}

// behave gives the answer that the site has.
func (s *server) behave(w http.ResponseWriter, r *http.Request, host string, number int, request request) {
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	target := r.RequestURI
	a := s.site.answer(host, target, r.UserAgent(), (*buf)[:0])
	*buf = a.body
	violation := a.kind == kindForbidden
	if s.faults.robotsDown(host, s.ledger.age()) {
		if request.robots {
			a = answer{kindRobots, target, http.StatusServiceUnavailable, "text/plain", "", nil}
		}
		violation = !request.robots
	}
	validate(w, r, &a)
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

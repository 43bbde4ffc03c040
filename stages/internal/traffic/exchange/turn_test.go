package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Before a connection is opened, and again before the request is sent, its turn is waited for; and
// after each wait once more.
func TestTurn(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
	serveAll := sayAlways(answer)
	// Each letter is a call of Turn, of two requests: it is our turn; it comes late; it does not
	// come.
	for _, tt := range []struct {
		name, turns string
		talk        func(net.Conn, func() *http.Request)
		came        string // of the last request
		connections int32
	}{
		{"in turn", "oo o", serveAll, "200", 1},
		{"late", "lolllo lo", serveAll, "200", 1},
		{"no turn to connect", "x x", serveAll, "no turn", 0},
		{"no turn to send", "ox", serveAll, "no turn", 1},
		{"the server speaks first", "ol", func(c net.Conn, _ func() *http.Request) {
			io.WriteString(c,
				"HTTP/1.1 408 Timeout\r\n\r\n")
		}, NoAnswer, 1},
		{"the server ends it", "ol", func(net.Conn, func() *http.Request) {}, NoAnswer, 1},
		{"the server ends what was kept", "oo loo", say(answer), "200", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			late, ended := make(chan bool, 9), make(chan bool, 9)
			defer close(late)
			s, c := serve(t, func(c net.Conn, next func() *http.Request) {
				tt.talk(c, next)
				<-late
				c.Close()
				ended <- true
			}), client(t)
			came := ""
			for i, turns := range strings.Fields(tt.turns) {
				r, left := s.request(fmt.Sprint("/", i)), turns
				r.Keep = true
				r.Turn = func(context.Context) (bool, error) {
					if left == "" {
						t.Errorf("request %d asks for more turns than %s", i, turns)
						return false, errors.New("too many")
					}
					what := left[0]
					left = left[1:]
					if what == 'l' && strings.HasPrefix(tt.name, "the server") {
						late <- true
						<-ended
						time.Sleep(10 * time.Millisecond) // until we can know
					}
					if what == 'x' {
						return false, errors.New("no turn")
					}
					return what == 'l', nil
				}
				a, err := c.Get(t.Context(), r)
				if came = fmt.Sprint(err); err == nil {
					came = fmt.Sprint(a.Status)
					a.Close()
				}
				if left != "" {
					t.Errorf("request %d leaves %s of its turns %s", i, left, turns)
				}
			}
			n := s.connections.Load()
			for until := time.Now().Add(5 * time.Second); n < tt.connections &&
				time.Now().Before(until); n = s.connections.Load() {
				time.Sleep(time.Millisecond) // the server has not looked yet
			}
			if !strings.HasPrefix(came, tt.came) || n != tt.connections {
				t.Errorf("it came to %s over %d connections, want %s over %d", came, n, tt.came, tt.connections)
			}
		})
	}
}

// Over TLS, too, a connection that was opened waits for the next turn: nothing comes after the
// handshake that would pass for a word of the server (tickets are not asked for).
func TestTurnOverTLS(t *testing.T) {
	s, request := secureServer(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hi") })
	c, r := secureClient(t, s), request("/")
	calls := 0
	r.Turn = func(context.Context) (bool, error) {
		time.Sleep(10 * time.Millisecond)
		calls++
		return calls == 2, nil // after the handshake it is late
	}
	a, err := c.Get(t.Context(), r)
	if err != nil || a.Status != 200 || calls != 3 {
		t.Fatalf("%+v, %v, after %d calls", a, err, calls)
	}
	a.Close()
}

package exchange

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestConnectionIsKept(t *testing.T) {
	answer := "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
	keepTalking := sayAlways(answer)
	tests := []struct {
		name        string
		keep        bool
		talk        func(net.Conn, func() *http.Request)
		connections int32
	}{
		{"kept", true, keepTalking, 1},
		{"not asked for", false, keepTalking, 3},
		{"server closes in silence", true, say(answer), 3}, // the request is sent again
		{"server says close", true, sayAlways("HTTP/1.1 200 OK\r\n" +
			"Connection: Close\r\nContent-Length: 2\r\n\r\nhi"), 3},
		{"old protocol", true, sayAlways("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi"), 3},
		{"two framings", true, sayAlways("HTTP/1.1 200 OK\r\n" +
			"Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"), 3},
		{"a length said twice", true, sayAlways("HTTP/1.1 200 OK\r\n" +
			"Content-Length: 2, 2\r\nContent-Length: 2\r\n\r\nhi"), 1},
		{"a coding that is none", true, sayAlways("HTTP/1.1 200 OK\r\n" +
			"Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi"), 3},
		{"bytes behind the body", true, sayAlways(answer + "HTTP/1.1 200 OK\r\n\r\nsmuggled"), 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, c := serve(t, tt.talk), client(t)
			for i := range 3 {
				r := s.request(fmt.Sprint("/", i))
				r.Keep = tt.keep
				a, err := c.Get(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				body, _ := a.Content(100)
				if string(body) != "hi" || a.Truncated != Whole {
					t.Errorf("body %d = %q, truncated %q; want hi", i, body, a.Truncated)
				}
				a.Close()
			}
			if got := s.connections.Load(); got != tt.connections {
				t.Errorf("%d connections, want %d", got, tt.connections)
			}
		})
	}
}

// TestNothingUnaskedIsAnAnswer holds that what a server sends between two requests, as it says
// goodbye to an idle connection, is no answer to the second.
func TestNothingUnaskedIsAnAnswer(t *testing.T) {
	for _, tt := range []struct {
		name, goodbye string
		secure        bool
	}{
		{"408", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", false},
		{"408 over TLS", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", true},
		{"an empty line", "\r\n", false},
		{"nothing, and closes", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trusted, _ := secureServer(t, nil)
			answered, said := make(chan struct{}), make(chan struct{})
			first := true // of the connections: they come in turn
			s := serve(t, func(c net.Conn, _ func() *http.Request) {
				if tt.secure {
					c = tls.Server(c, &tls.Config{Certificates: trusted.TLS.Certificates})
				}
				http.ReadRequest(bufio.NewReader(c))
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
				if first {
					first = false
					<-answered
					io.WriteString(c, tt.goodbye)
					c.Close()
					close(said)
				}
			})
			c := secureClient(t, trusted)
			r := Request{URL: "http://example.com/", Addrs: []netip.AddrPort{s.addr}, Keep: true}
			if tt.secure {
				r.URL = "https://example.com/"
			}
			for i := range 2 {
				a, err := c.Get(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				if body, _ := a.Content(9); a.Status != 200 || string(body) != "hi" {
					t.Errorf("answer %d: status %d, %q", i, a.Status, body)
				}
				a.Close()
				if i == 0 {
					close(answered)
					<-said
				}
			}
			if n := s.connections.Load(); n != 2 {
				t.Errorf("%d connections, want 2", n)
			}
		})
	}
}

// TestNothingInTheSameRecordIsAnAnswer holds that what a server sends behind a body, in the same
// record of TLS, is no answer to the next request: the system has no byte of it any more, and the
// buffer none yet.
func TestNothingInTheSameRecordIsAnAnswer(t *testing.T) {
	const piece = 100 // which a rate makes small
	page := strings.Repeat("x", 40_000)
	trusted, _ := secureServer(t, nil)
	s := serve(t, func(c net.Conn, _ func() *http.Request) {
		c = tls.Server(c, &tls.Config{Certificates: trusted.TLS.Certificates})
		for in := bufio.NewReader(c); ; {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(page))
			io.WriteString(c, page[piece:])
			io.WriteString(c, page[:piece]+"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled")
		}
	})
	c := secureClient(t, trusted)
	c.Piece = piece
	r := Request{URL: "https://example.com/", Addrs: []netip.AddrPort{s.addr}, Keep: true}
	getThrice(t, c, r, page)
	if n := s.connections.Load(); n != 3 {
		t.Errorf("%d connections, want 3", n)
	}
}

// getThrice makes the request three times, and wants the body each time.
func getThrice(t *testing.T, c *Client, r Request, want string) {
	t.Helper()
	for i := range 3 {
		a, err := c.Get(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if body, _ := a.Content(1 << 20); string(body) != want {
			t.Errorf("answer %d is %.20q, %d bytes", i, body, len(body))
		}
		a.Close()
	}
}

// TestSecureConnectionIsKept holds that HTTP/1.1 over TLS keeps its connection, whatever looks for
// bytes that nobody asked for, and that its answers are still bounded in time.
func TestSecureConnectionIsKept(t *testing.T) {
	trusted, _ := secureServer(t, nil)
	s := serve(t, func(c net.Conn, _ func() *http.Request) {
		c = tls.Server(c, &tls.Config{Certificates: trusted.TLS.Certificates})
		in := bufio.NewReader(c)
		for range 3 {
			if _, err := http.ReadRequest(in); err != nil {
				return
			}
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
		}
		io.Copy(io.Discard, in) // and is silent
	})
	c := secureClient(t, trusted)
	r := Request{URL: "https://example.com/", Addrs: []netip.AddrPort{s.addr}, Keep: true}
	getThrice(t, c, r, "hi")
	c.Limits.Timeout = time.Second
	_, err := c.Get(t.Context(), r)
	var e *Error
	if !errors.As(err, &e) || e.Reason != HeadTimeout {
		t.Errorf("from a server that is silent: %v, want %s", err, HeadTimeout)
	}
	if n := s.connections.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

func TestIdleConnectionsAreBounded(t *testing.T) {
	s := serve(t, sayAlways("HTTP/1.1 204 No Content\r\n\r\n"))
	c := client(t)
	for i := range 10 {
		r := s.request("/")
		r.URL, r.Keep = fmt.Sprintf("http://h%d.test/", i), true
		a, err := c.Get(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
	}
	if got := c.idle.n; got != c.MaxIdle {
		t.Errorf("%d idle connections, want %d", got, c.MaxIdle)
	}
}

// TestTooManyOpenFiles holds that no server is blamed where this process may open no connection.
func TestTooManyOpenFiles(t *testing.T) {
	s := serve(t, say("HTTP/1.1 204 No Content\r\n\r\n"))
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &usual); err != nil {
		t.Fatal(err)
	}
	none := usual
	none.Cur = 1
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	_, err := client(t).Get(t.Context(), s.request("/"))
	if back := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &usual); back != nil {
		t.Fatal(back)
	}
	var e *Error
	if !errors.Is(err, syscall.EMFILE) || errors.As(err, &e) {
		t.Errorf("Get = %v, want an error of this machine", err)
	}
}

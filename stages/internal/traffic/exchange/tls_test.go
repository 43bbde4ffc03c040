package exchange

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// secureClient is a client that trusts srv, which answers for example.com.
func secureClient(t testing.TB, srv *httptest.Server) *Client {
	c := client(t)
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	c.TLS = &tls.Config{RootCAs: roots}
	return c
}

// secureServer is net/http's own over TLS, which offers HTTP/2, too.
func secureServer(t testing.TB, h http.HandlerFunc) (*httptest.Server, func(path string) Request) {
	t.Helper()
	srv := httptest.NewUnstartedServer(h)
	srv.EnableHTTP2 = true
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	addr := srv.Listener.Addr().(*net.TCPAddr).AddrPort()
	return srv, func(path string) Request {
		return Request{URL: "https://example.com" + path, Addrs: []netip.AddrPort{addr}, Keep: true}
	}
}

// TestHTTP1OverTLS holds that a server which offers HTTP/2 is asked by HTTP/1.1, over one
// connection.
func TestHTTP1OverTLS(t *testing.T) {
	srv, request := secureServer(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ",
			r.RemoteAddr)
	})
	c := secureClient(t, srv)
	var said [2]string
	for i := range said {
		a, err := c.Get(t.Context(), request("/"))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		body, _ := io.ReadAll(a.Body.Reader())
		said[i] = string(body)
		if !strings.HasPrefix(said[i], "HTTP/1.1 ") || !slices.Equal(a.Protocols, []string{"http/1.1", "tls/1.3"}) {
			t.Errorf("the server says %s, the answer %q", body, a.Protocols)
		}
	}
	if said[0] != said[1] {
		t.Errorf("requests from %q, want one connection", said)
	}
}

// TestOtherProtocolAlone holds that a server which does not speak HTTP/1.1 is told from one with
// bad TLS. (Go's own takes a client that names HTTP/1.1 for an older one if it speaks h2 alone.)
func TestOtherProtocolAlone(t *testing.T) {
	trusted, _ := secureServer(t, nil)
	s := serve(t, func(c net.Conn, _ func() *http.Request) {
		tls.Server(c, &tls.Config{Certificates: trusted.TLS.Certificates, NextProtos: []string{"h3"}}).Handshake()
	})
	_, err := secureClient(t, trusted).Get(t.Context(), Request{URL: "https://example.com/",
		Addrs: []netip.AddrPort{s.addr}})
	var e *Error
	if !errors.As(err, &e) || e.Reason != TLSFailed || e.Sent || !strings.Contains(e.Error(),
		"no application protocol") {
		t.Errorf("Get = %v, want %s for want of a protocol", err, TLSFailed)
	}
}

func TestTLS(t *testing.T) {
	srv, request := secureServer(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "secret") })
	trusted := secureClient(t, srv).TLS
	tests := []struct {
		name, host, reason string
		config             *tls.Config
	}{
		{"trusted", "example.com", "", trusted},
		{"unknown authority", "example.com", Certificate, nil},
		{"another host", "other.test", Certificate, trusted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := client(t)
			c.TLS = tt.config
			a, err := c.Get(t.Context(), Request{URL: "https://" + tt.host + "/", Addrs: request("/").Addrs})
			if tt.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				a.Close()
				return
			}
			var e *Error
			if !errors.As(err, &e) || e.Reason != tt.reason || e.Sent {
				t.Errorf("Get = %v, want %s", err, tt.reason)
			}
		})
	}
}

// TestTLSThatIsNone holds that a handshake which goes nowhere ends, with a name.
func TestTLSThatIsNone(t *testing.T) {
	for _, tt := range []struct {
		name, reason string
		talk         func(net.Conn, func() *http.Request)
	}{
		{"speaks plain", TLSFailed, func(c net.Conn, _ func() *http.Request) {
			io.WriteString(c,
				"HTTP/1.1 400 no TLS here\r\n\r\n")
		}},
		{"closes", TLSFailed, func(net.Conn, func() *http.Request) {}},
		{"is silent", TLSTimeout, func(c net.Conn, _ func() *http.Request) { io.Copy(io.Discard, c) }},
		{"sends a record bit by bit", TLSTimeout, func(c net.Conn, _ func() *http.Request) {
			io.WriteString(c, "\x16\x03\x03\x3f\xff")
			for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
				if _, err := c.Write([]byte{2}); err != nil {
					return
				}
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := client(t)
			if tt.reason == TLSTimeout {
				c.Limits.Timeout = time.Second
			}
			_, err := c.Get(t.Context(), Request{URL: "https://example.com/", Addrs: []netip.AddrPort{serve(t,
				tt.talk).addr}})
			var e *Error
			if !errors.As(err, &e) || e.Reason != tt.reason || e.Sent {
				t.Errorf("Get = %v, want %s", err, tt.reason)
			}
		})
	}
}

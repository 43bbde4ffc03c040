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

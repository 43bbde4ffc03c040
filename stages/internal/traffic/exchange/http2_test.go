package exchange

import (
	"bytes"
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
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// secureClient is a client that trusts srv, which answers for example.com.
func secureClient(t testing.TB, srv *httptest.Server) *Client {
	c := client(t)
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	c.TLS = &tls.Config{RootCAs: roots}
	return c
}

// http2Server is net/http's own, which speaks HTTP/2 over TLS.
func http2Server(t testing.TB, h http.HandlerFunc) (*httptest.Server, func(path string) Request) {
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

func TestHTTP2(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789abcdef"), 5<<16) // five windows
	var from []string                                       // one request at a time: nothing to lock
	srv, request := http2Server(t, func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(from, r.RemoteAddr) {
			from = append(from, r.RemoteAddr)
		}
		w.Header().Set("X-Proto", r.Proto)
		if err := w.(http.Pusher).Push("/pushed", nil); err != http.ErrNotSupported {
			t.Errorf("%s: Push gives %v, want %v", r.URL, err, http.ErrNotSupported)
		}
		w.Header().Set("X-Asked", fmt.Sprint(r.Host, " ", r.URL, " ", r.Header["User-Agent"], r.Header["Accept-Encoding"]))
		switch r.URL.Path {
		case "/long":
			w.Write(long)
		case "/none":
			w.WriteHeader(http.StatusNoContent)
		case "/interim":
			w.WriteHeader(http.StatusEarlyHints)
			io.WriteString(w, "hello")
		case "/trailer":
			w.Header().Set("Trailer", "X-End")
			io.WriteString(w, "hello")
			w.(http.Flusher).Flush()
			w.Header().Set("X-End", "yes")
		default:
			io.WriteString(w, "hello")
		}
	})
	c := secureClient(t, srv)
	c.Limits.Body = int64(len(long))
	for _, tt := range []struct {
		path   string
		status int
		body   string
	}{
		{"/?a=b", 200, "hello"}, {"/long", 200, string(long)}, {"/none", 204, ""}, {"/interim", 200, "hello"}, {"/trailer", 200, "hello"}, {"/", 200, "hello"},
	} {
		a, err := c.Get(t.Context(), request(tt.path))
		if err != nil {
			t.Fatalf("%s: %v", tt.path, err)
		}
		body, _ := io.ReadAll(a.Body.Reader())
		if a.Status != tt.status || string(body) != tt.body || a.Truncated != Whole {
			t.Errorf("%s: status %d, %d bytes %.20q, truncated %q", tt.path, a.Status, len(body), body, a.Truncated)
		}
		head := fmt.Sprintf("HTTP/1.1 %d \r\n", tt.status)
		if !bytes.HasPrefix(a.Head, []byte(head)) || !bytes.Contains(a.Head, []byte("\r\nx-proto: HTTP/2.0\r\n")) || !bytes.HasSuffix(a.Head, []byte("\r\n\r\n")) {
			t.Errorf("%s: head %q", tt.path, a.Head)
		}
		if got, want := a.Header.Get("X-Asked"), "example.com "+tt.path+" [testbot/1.0] [gzip, deflate, br, zstd]"; got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
		if want := "GET " + tt.path + " HTTP/1.1\r\nHost: example.com\r\nUser-Agent: testbot/1.0\r\n"; !bytes.HasPrefix(a.Request, []byte(want)) {
			t.Errorf("%s: request is archived as %q", tt.path, a.Request)
		}
		if !slices.Equal(a.Protocols, []string{"h2", "tls/1.3"}) {
			t.Errorf("%s: protocols %q", tt.path, a.Protocols)
		}
		a.Close()
	}
	if len(from) != 1 {
		t.Errorf("requests from %q, want one connection for all", from)
	}
}

func TestHTTP1OverTLS(t *testing.T) {
	srv, request := http2Server(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto, " ", r.RemoteAddr) })
	c := secureClient(t, srv)
	c.HTTP1 = true
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

// TestHTTP2WindowOfMany holds that many answers, none of which is long enough for the window to be opened again,
// do not use it up together.
func TestHTTP2WindowOfMany(t *testing.T) {
	page := make([]byte, window*2/5)
	srv, request := http2Server(t, func(w http.ResponseWriter, r *http.Request) { w.Write(page) })
	c := secureClient(t, srv)
	c.Limits.Body = window
	for range 4 {
		a, err := c.Get(t.Context(), request("/"))
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
		if a.Truncated != Whole {
			t.Fatalf("truncated %q", a.Truncated)
		}
	}
}

// TestHTTP2ServerGoesAway holds that a kept connection which the server has given up costs nothing.
func TestHTTP2ServerGoesAway(t *testing.T) {
	srv, request := http2Server(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") })
	c := secureClient(t, srv)
	for range 3 {
		a, err := c.Get(t.Context(), request("/"))
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
		srv.CloseClientConnections()
	}
}

// TestHTTP2ResetIsAnAnswerOfItsOwn holds that a server which ends a stream is not asked twice, though the
// connection was a kept one: it has seen the request.
func TestHTTP2ResetIsAnAnswerOfItsOwn(t *testing.T) {
	asked := 0 // one request at a time
	srv, request := http2Server(t, func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 1 {
			panic(http.ErrAbortHandler)
		}
	})
	c := secureClient(t, srv)
	a, err := c.Get(t.Context(), request("/"))
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	_, err = c.Get(t.Context(), request("/abort"))
	var e *Error
	if !errors.As(err, &e) || e.Reason != Reset || asked != 2 {
		t.Errorf("Get = %v after %d requests, want %s after 2", err, asked, Reset)
	}
}

// A rawHTTP2 answers one request frame by frame.
type rawHTTP2 struct {
	*http2.Framer
	conn net.Conn
}

// head sends a head of name, value … on stream 1.
func (s rawHTTP2) head(end bool, fields ...string) {
	s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: packed(fields...), EndHeaders: true, EndStream: end})
}

// wait reads until the client goes away.
func (s rawHTTP2) wait() { until(func() error { _, err := s.ReadFrame(); return err }) }

func packed(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i < len(fields); i += 2 {
		e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return b.Bytes()
}

// serveHTTP2 starts a server that has read the preface and the request when it calls talk.
func serveHTTP2(t *testing.T, talk func(rawHTTP2)) (*Client, Request) {
	t.Helper()
	trusted, _ := http2Server(t, nil)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: trusted.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				preface := make([]byte, len(http2.ClientPreface))
				if _, err := io.ReadFull(conn, preface); err != nil {
					return
				}
				if string(preface) != http2.ClientPreface {
					io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhttp")
					return
				}
				s := rawHTTP2{http2.NewFramer(conn, conn), conn}
				s.AllowIllegalWrites = true
				for {
					f, err := s.ReadFrame()
					if err != nil {
						return
					}
					if f.Header().Type == http2.FrameHeaders {
						break
					}
				}
				s.WriteSettings()
				talk(s)
			}()
		}
	}()
	c := secureClient(t, trusted)
	c.Limits.Timeout, c.Limits.Total = 2*time.Second, 3*time.Second
	c.Limits.Head = 64 << 10
	return c, Request{URL: "https://example.com/", Addrs: []netip.AddrPort{l.Addr().(*net.TCPAddr).AddrPort()}, Keep: true}
}

// until calls do as long as it gives no error: the client goes away at last.
func until(do func() error) {
	for do() == nil {
	}
}

// TestHostileHTTP2 holds that whatever a server does with frames ends, with a name.
func TestHostileHTTP2(t *testing.T) {
	const ok = ":status"
	for _, tt := range []struct {
		name string
		talk func(rawHTTP2)
		want string // a reason, or "cut" and why the body is
	}{
		{"answers", func(s rawHTTP2) { s.head(false, ok, "200"); s.WriteData(1, true, []byte("hello")) }, "cut "},
		{"pads", func(s rawHTTP2) {
			s.head(false, ok, "200")
			s.WriteDataPadded(1, true, []byte("hello"), make([]byte, 255))
		}, "cut "},
		{"closes", func(rawHTTP2) {}, NoAnswer},
		{"is silent", rawHTTP2.wait, HeadTimeout},
		{"speaks no HTTP/2", func(s rawHTTP2) { io.WriteString(s.conn, strings.Repeat("SSH-2.0-OpenSSH_9.9\r\n", 9)) }, NotHTTP},
		{"has no status", func(s rawHTTP2) { s.head(true, "x", "y") }, NotHTTP},
		{"has a status that is none", func(s rawHTTP2) { s.head(true, ok, "+20") }, NotHTTP},
		{"smuggles a line", func(s rawHTTP2) { s.head(true, ok, "200", "x", "y\r\nset-cookie: z") }, NotHTTP},
		{"smuggles a line by the name", func(s rawHTTP2) { s.head(true, ok, "200", "x: y\r\nz", "z") }, NotHTTP},
		{"switches protocols", func(s rawHTTP2) { s.head(false, ok, "101") }, NotHTTP},
		{"has interim answers without end", func(s rawHTTP2) {
			until(func() error { s.head(false, ok, "103"); return s.WritePing(true, [8]byte{}) })
		}, NotHTTP},
		{"sends data first", func(s rawHTTP2) { s.WriteData(1, false, []byte("hello")) }, NotHTTP},
		{"answers what was not asked", func(s rawHTTP2) {
			s.WriteHeaders(http2.HeadersFrameParam{StreamID: 3, BlockFragment: packed(ok, "200"), EndHeaders: true, EndStream: true})
		}, NotHTTP},
		{"pushes", func(s rawHTTP2) {
			s.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, BlockFragment: packed(":method", "GET"), EndHeaders: true})
		}, NotHTTP},
		{"has a huge frame", func(s rawHTTP2) { s.head(false, ok, "200"); s.WriteData(1, true, make([]byte, maxFrame+1)) }, "cut " + CutGarbled},
		{"has a huge field", func(s rawHTTP2) { s.head(true, ok, "200", "x", strings.Repeat("y", 100_000)) }, NotHTTP}, // the library says no more
		{"has very many fields", func(s rawHTTP2) {
			s.head(true, append([]string{ok, "200"}, strings.Split(strings.Repeat("x,y,", maxFields)+"x,y", ",")...)...)
		}, HeadTooLong},
		{"has a bomb of a head", func(s rawHTTP2) {
			// Each byte behind the first field names it once more.
			b := append(packed(ok, "200", "x", strings.Repeat("y", 3000)), bytes.Repeat([]byte{0x80 | 62}, 10_000)...)
			s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: b, EndHeaders: true, EndStream: true})
		}, HeadTooLong},
		{"goes on for ever with its head", func(s rawHTTP2) {
			s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: packed(ok, "200")})
			until(func() error { return s.WriteContinuation(1, false, packed("x", "y")) })
		}, HeadTooLong},
		{"goes on for ever with an empty head", func(s rawHTTP2) {
			s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: packed(ok, "200")})
			until(func() error { return s.WriteContinuation(1, false, nil) })
		}, HeadTooLong},
		{"pings for ever", func(s rawHTTP2) {
			go s.wait()
			until(func() error { return s.WritePing(false, [8]byte{}) })
		}, HeadTooLong},
		{"changes its settings for ever", func(s rawHTTP2) {
			go s.wait()
			until(func() error { return s.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1 << 20}) })
		}, HeadTooLong},
		{"refuses", func(s rawHTTP2) { s.WriteRSTStream(1, http2.ErrCodeRefusedStream) }, NoAnswer},
		{"goes away", func(s rawHTTP2) { s.WriteGoAway(0, http2.ErrCodeNo, nil); s.wait() }, NoAnswer},
		{"resets", func(s rawHTTP2) { s.WriteRSTStream(1, http2.ErrCodeInternal) }, Reset},
		{"wants HTTP/1.1", func(s rawHTTP2) { s.WriteRSTStream(1, http2.ErrCodeHTTP11Required) }, "cut "},

		{"resets in the body", func(s rawHTTP2) {
			s.head(false, ok, "200")
			s.WriteData(1, false, []byte("hello"))
			s.WriteRSTStream(1, http2.ErrCodeInternal)
		}, "cut " + CutDisconnect},
		{"closes in the body", func(s rawHTTP2) { s.head(false, ok, "200"); s.WriteData(1, false, []byte("hello")) }, "cut " + CutDisconnect},
		{"is silent in the body", func(s rawHTTP2) {
			s.head(false, ok, "200")
			s.wait()
		}, "cut " + CutTime},
		{"a drop at a time", func(s rawHTTP2) {
			s.head(false, ok, "200")
			until(func() error { time.Sleep(50 * time.Millisecond); return s.WriteData(1, false, []byte("x")) })
		}, "cut " + CutTime},
		{"has no end", func(s rawHTTP2) {
			s.head(false, ok, "200")
			until(func() error { return s.WriteData(1, false, make([]byte, 10_000)) }) // and no window holds it
		}, "cut " + CutLength},
		{"sends nothing for ever", func(s rawHTTP2) {
			s.head(false, ok, "200")
			until(func() error { return s.WriteData(1, false, nil) })
		}, "cut " + CutGarbled},
		{"sends padding for ever", func(s rawHTTP2) {
			s.head(false, ok, "200")
			until(func() error { return s.WriteDataPadded(1, false, nil, make([]byte, 255)) })
		}, "cut " + CutGarbled},
		{"pads every byte", func(s rawHTTP2) {
			s.head(false, ok, "200")
			until(func() error { return s.WriteDataPadded(1, false, []byte("x"), make([]byte, 255)) })
		}, "cut " + CutGarbled},
		{"has a second head", func(s rawHTTP2) { s.head(false, ok, "200"); s.head(false, ok, "404") }, "cut " + CutGarbled},
		{"is shorter than it says", func(s rawHTTP2) {
			s.head(false, ok, "200", "content-length", "9")
			s.WriteData(1, true, []byte("hello"))
		}, "cut " + CutGarbled},
		{"is longer than it says", func(s rawHTTP2) {
			s.head(false, ok, "200", "content-length", "1")
			s.WriteData(1, true, []byte("hello"))
		}, "cut " + CutGarbled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, r := serveHTTP2(t, tt.talk)
			if tt.want != "cut "+CutTime && tt.want != HeadTimeout {
				c.Limits.Timeout, c.Limits.Total = time.Minute, time.Minute // however busy the machine is, it is not time that ends it
			}
			a, err := c.Get(t.Context(), r)
			var e *Error
			switch {
			case err == nil:
				defer a.Close()
				if got := "cut " + a.Truncated; got != tt.want {
					t.Errorf("an answer of %d bytes, truncated %q; want %s", a.Body.Len(), a.Truncated, tt.want)
				}
			case !errors.As(err, &e) || e.Reason != tt.want || !e.Sent:
				t.Errorf("Get = %v, want %s", err, tt.want)
			}
		})
	}
}

// TestHTTP2SaysGoodbye holds that a connection is not kept whose server takes no more requests on it.
func TestHTTP2SaysGoodbye(t *testing.T) {
	c, r := serveHTTP2(t, func(s rawHTTP2) {
		s.head(false, ":status", "200")
		s.WriteGoAway(1, http2.ErrCodeNo, nil)
		s.WriteData(1, true, []byte("hello"))
		s.wait()
	})
	for range 2 {
		a, err := c.Get(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if a.Truncated != Whole || a.Body.Len() != 5 {
			t.Errorf("%d bytes, truncated %q", a.Body.Len(), a.Truncated)
		}
		a.Close()
	}
}

// TestHTTP2HeadShape holds that no field of an answer over HTTP/2 speaks of a framing that it has not.
func TestHTTP2HeadShape(t *testing.T) {
	c, r := serveHTTP2(t, func(s rawHTTP2) {
		s.head(false, ":status", "200", "transfer-encoding", "chunked", "connection", "close", "x", "y", "x", "z\xff")
		s.WriteData(1, true, []byte("5\r\nhello\r\n0\r\n\r\n"))
	})
	a, err := c.Get(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if want := "HTTP/1.1 200 \r\nx: y\r\nx: z\xff\r\n\r\n"; string(a.Head) != want || !slices.Equal(slices.Collect(a.Header.Values("X")), []string{"y", "z\xff"}) {
		t.Errorf("head %q, fields %q", a.Head, a.Header)
	}
	if content, err := a.Content(99); string(content) != "5\r\nhello\r\n0\r\n\r\n" || err != nil {
		t.Errorf("content %q, %v", content, err)
	}
}

// FuzzHTTP2 feeds frames to the parser: it must end, within its bounds.
func FuzzHTTP2(f *testing.F) {
	frames := func(talk func(rawHTTP2)) []byte {
		var b bytes.Buffer
		s := rawHTTP2{http2.NewFramer(&b, nil), nil}
		s.AllowIllegalWrites = true
		s.WriteSettings()
		talk(s)
		return b.Bytes()
	}
	f.Add(frames(func(s rawHTTP2) {
		s.head(false, ":status", "200", "content-length", "5")
		s.WriteData(1, true, []byte("hello"))
	}))
	f.Add(frames(func(s rawHTTP2) {
		s.WritePing(false, [8]byte{})
		s.head(false, ":status", "103")
		s.head(true, ":status", "404", "x", "y")
	}))
	f.Add(frames(func(s rawHTTP2) { s.WriteGoAway(0, 0, nil); s.WriteRSTStream(1, 7) }))
	f.Fuzz(func(t *testing.T, raw []byte) {
		const limit = 1 << 10
		l := newLink(&fakeConn{in: bytes.NewReader(raw)}, netip.AddrPort{}, new(sync.Pool), nil)
		l.begin(time.Now(), time.Hour)
		l.allow(time.Now(), time.Hour)
		talk := newHTTP2(l)
		h, _, err := talk.ask(&message{host: "example.com", path: "/"}, nil, limit)
		if err != nil {
			return
		}
		if h.status < 200 || h.status > 999 || bytes.Count(h.raw, []byte("\n")) != 2+len(h.header) {
			t.Fatalf("head %q, %q", h.raw, h.header)
		}
		var s Spool
		talk.body(h, &s, limit)
		if s.Len() > limit || int(s.Len()) > len(raw) {
			t.Errorf("a body of %d bytes of %d", s.Len(), len(raw))
		}
	})
}

// A fakeConn gives what is in it and takes everything.
type fakeConn struct {
	net.Conn
	in io.Reader
}

func (c *fakeConn) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c *fakeConn) Write(p []byte) (int, error) { return len(p), nil }
func (c *fakeConn) SetDeadline(time.Time) error { return nil }

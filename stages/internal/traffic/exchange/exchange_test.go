package exchange

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/traffic/dial"
)

// TestWireBytes holds that head and body are kept as they were sent, whatever their framing.
func TestWireBytes(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 5000) // through several buffers
	tests := []struct {
		name, head, body string
		truncated        string
	}{
		{"length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "hello", Whole},
		{"length zero", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", Whole},
		{"long", "HTTP/1.1 200 OK\r\nContent-Length: 80000\r\n\r\n", long, Whole},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5;x=y\r\nhello\r\n1\r\n!\r\n0\r\n\r\n",
			Whole},
		{"chunks with trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n", "0\r\nX: y\r\n\r\n",
			Whole},
		{"chunks before length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
			"1\r\na\r\n0\r\n\r\n", Whole},
		{"to the end", "HTTP/1.0 200 OK\r\n\r\n", "hello", Whole},
		{"bare newlines", "HTTP/1.1 200 OK\nContent-Length: 2\n\n", "hi", Whole},
		// no empty line for browsers, and replay
		{"returns too many", "HTTP/1.1 200 OK\r\nX: y\r\r\n\r\r\nContent-Length: 2\r\n\r\n", "hi", Whole},
		{"no reason phrase", "HTTP/1.1 404\r\n\r\n", "gone", Whole},
		{"no body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", "", Whole},
		{"folded and broken lines", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nnonsense\r\nContent-Length: 1\r\n\r\n", "x",
			Whole},
		{"lengths that differ", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "xyz", Whole},
		{"length that is none", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "xyz", Whole},

		{"two equal lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", "x", Whole},
		{"length beyond counting", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "xyz", Whole},

		{"early close", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "hello", CutDisconnect},
		{"early close in a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhel", CutDisconnect},
		{"no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n", CutDisconnect},
		{"endless trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n" +
			strings.Repeat("X: y\r\n", 9), CutDisconnect},
		{"chunk of 8 EiB", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "7fffffffffffffff\r\nhello",
			CutDisconnect},
		{"chunk of more", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "ffffffffffffffff\r\n", CutGarbled},
		{"chunk of less than nothing", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "-5\r\n", CutGarbled},
		{"broken chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "five\r\n", CutGarbled},
		{"broken chunk end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nab\r\n", CutGarbled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, say(tt.head+tt.body))
			a, err := client(t).Get(t.Context(), s.request("/"))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			body, err := io.ReadAll(a.Body.Reader())
			if err != nil {
				t.Fatal(err)
			}
			if string(a.Head) != tt.head || string(body) != tt.body || a.Truncated != tt.truncated {
				t.Errorf("head %q, body %.60q, truncated %q; want %q, %.60q, %q", a.Head, body, a.Truncated, tt.head,
					tt.body, tt.truncated)
			}
			if a.Remote != s.addr {
				t.Errorf("remote = %v, want %v", a.Remote, s.addr)
			}
		})
	}
}

func TestRequestBytes(t *testing.T) {
	s := serve(t, say("HTTP/1.1 200 OK\r\n\r\n"))
	c := client(t)
	want := "GET /a?b=c HTTP/1.1\r\nHost: example.test\r\nUser-Agent: testbot/1.0\r\nAccept: */*\r\n"
	for _, tt := range []struct {
		keep, identity bool
		tail           string
	}{
		{false, false, "Accept-Encoding: gzip, deflate, br, zstd\r\nConnection: close\r\n\r\n"},
		{true, true, "\r\n"},
	} {
		c.Identity = tt.identity
		r := s.request("/a?b=c")
		r.Keep = tt.keep
		a, err := c.Get(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(a.Request); got != want+tt.tail {
			t.Errorf("request = %q, want %q", got, want+tt.tail)
		}
		a.Close()
	}
}

func TestNoAnswer(t *testing.T) {
	tests := []struct {
		name, reason string
		talk         func(net.Conn, func() *http.Request)
	}{
		{"closes", NoAnswer, say("")},
		{"resets", Reset, func(c net.Conn, next func() *http.Request) { next(); reset(c) }},
		{"closes in the head", Reset, say("HTTP/1.1 200 OK\r\nX: y")},
		{"is silent", HeadTimeout, func(c net.Conn, next func() *http.Request) { next(); hang(c) }},
		{"speaks SSH", NotHTTP, say("SSH-2.0-OpenSSH_9.9\r\n")},
		{"speaks HTTP/0.9", NotHTTP, say("<html>hello</html>")},
		{"has no status", NotHTTP, say("HTTP/1.1 OK\r\n\r\n")},
		{"switches protocols", NotHTTP, say("HTTP/1.1 101 Switching Protocols\r\n\r\n")},
		{"has interim answers without end", NotHTTP, say(strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 9))},
		{"has a huge line", HeadTooLong, say("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 20_000))},
		{"has a huge header", HeadTooLong, say("HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 5_000))},
		{"has very many fields", HeadTooLong, say("HTTP/1.1 200 OK\r\n" + strings.Repeat(":\n", maxFields) + "\n")},
		{"sends the head bit by bit", HeadTimeout, func(c net.Conn, next func() *http.Request) {
			next()
			c.Write([]byte("HTTP/1.1 200 OK\r\n"))
			for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
				if _, err := c.Write([]byte("X: y\r\n")); err != nil {
					return
				}
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := client(t)
			if tt.reason == HeadTimeout {
				c.Limits.Timeout = time.Second
			}
			a, err := c.Get(t.Context(), serve(t, tt.talk).request("/"))
			var e *Error
			if !errors.As(err, &e) || e.Reason != tt.reason || !e.Sent {
				t.Fatalf("Get = %v, %v; want reason %s behind a request", a, err, tt.reason)
			}
		})
	}
}

func TestNoConnection(t *testing.T) {
	dead := netip.MustParseAddrPort("127.0.0.1:2")
	c := client(t)
	_, err := c.Get(t.Context(), Request{URL: "http://example.test/", Addrs: []netip.AddrPort{dead}})
	var e *Error
	if !errors.As(err, &e) || e.Reason != Refused || e.Sent {
		t.Errorf("Get from a dead port = %v, want %s", err, Refused)
	}
	c.Dialer.Policy = dial.Policy{}
	_, err = c.Get(t.Context(), Request{URL: "http://example.test/", Addrs: []netip.AddrPort{dead}})
	if !errors.As(err, &e) || e.Reason != PrivateAddress {
		t.Errorf("Get from the loopback = %v, want %s", err, PrivateAddress)
	}
}

func TestBodiesAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	// endless sends start once and piece for ever.
	endless := func(start, piece string, pause time.Duration) func(net.Conn, func() *http.Request) {
		return func(c net.Conn, next func() *http.Request) {
			next()
			c.Write([]byte("HTTP/1.1 200 OK\r\n" + start))
			for {
				if _, err := c.Write([]byte(piece)); err != nil {
					return
				}
				time.Sleep(pause)
			}
		}
	}
	const chunked = "Transfer-Encoding: chunked\r\n\r\n"
	x := strings.Repeat("x", 10_000)
	tests := []struct {
		name string
		talk func(net.Conn, func() *http.Request)
		cut  string
		size int64 // 0: any
	}{
		{"endless", endless("\r\n", x, 0), CutLength, 100_000},
		{"endless chunk", endless(chunked+"fffffff\r\n", x, 0), CutLength, 100_000},
		{"endless chunks", endless(chunked, strings.Repeat("1\r\nx\r\n", 2_000), 0), CutLength, 100_000},
		{"endless chunk extension", endless(chunked+"5;", x, 0), CutGarbled, 0},
		{"endless chunk size", endless(chunked, strings.Repeat("0", 10_000), 0), CutGarbled, 0},
		{"endless trailer", endless(chunked+"0\r\n", strings.Repeat("X: y\r\n", 2_000), 0), CutLength, 100_000},
		{"a drop at a time", endless("\r\n", "x", 20*time.Millisecond), CutTime, 0},
		{"silent behind the head", func(c net.Conn, next func() *http.Request) {
			next()
			c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
			hang(c)
		}, CutTime, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := client(t)
			if tt.cut == CutTime {
				c.Limits.Timeout, c.Limits.Total = time.Second, 2*time.Second
			}
			a, err := c.Get(t.Context(), serve(t, tt.talk).request("/"))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			if a.Truncated != tt.cut || tt.size > 0 && a.Body.Len() != tt.size {
				t.Errorf("truncated %q at %d bytes, want %q at %d", a.Truncated, a.Body.Len(), tt.cut, tt.size)
			}
		})
	}
}

func TestResetInTheBody(t *testing.T) {
	hasRead := make(chan struct{}, 1)
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		next()
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nabc")
		<-hasRead
		reset(c)
	})
	c := client(t)
	c.Pace = func(context.Context, int) error { hasRead <- struct{}{}; return nil }
	a, err := c.Get(t.Context(), s.request("/"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Truncated != CutDisconnect || a.Body.Len() != 3 {
		t.Errorf("truncated %q at %d bytes, want %q at 3", a.Truncated, a.Body.Len(), CutDisconnect)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		next()
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nabc")
		cancel()
		hang(c)
	})
	c, start := client(t), time.Now()
	if a, err := c.Get(ctx, s.request("/")); !errors.Is(err, context.Canceled) {
		t.Errorf("Get = %v, %v, want the context's error", a, err)
	}
	if took := time.Since(start); took >= c.Limits.Timeout {
		t.Errorf("Get took %v to notice that its context had ended", took)
	}
}

func TestContent(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "hello, hello")
	z.Close()
	s := serve(t, say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"+
		fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", packed.Len(), packed.Bytes())))
	a, err := client(t).Get(t.Context(), s.request("/"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if content, err := a.Content(8); err != nil || string(content) != "hello, h" {
		t.Errorf("Content = %q, %v", content, err)
	}
	if content, err := a.Content(100); err != nil || string(content) != "hello, hello" {
		t.Errorf("the whole Content = %q, %v", content, err)
	}
}

// TestContentOfOddChunks holds that what is read as chunks when it comes is undone as such.
func TestContentOfOddChunks(t *testing.T) {
	for _, body := range []string{
		"5\nhello\n0\n\n", "5 ; x=y \r\nhello\r\n0\r\nX: y\r\n\r\n", "00000000000000000005\r\nhello\r\n0\r\n\r\n",
		strings.Repeat("1;"+strings.Repeat("x", 100)+"\r\nh\r\n", 500) + "0\r\n\r\n",
	} {
		a, err := client(t).Get(t.Context(), serve(t,
			say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+body)).request("/"))
		if err != nil {
			t.Fatal(err)
		}
		content, err := a.Content(1000)
		if want := max(5, strings.Count(body, "h\r")); len(content) != want || err != nil || a.Truncated != Whole {
			t.Errorf("%.40q: %d bytes, %v, truncated %q; want %d", body, len(content), err, a.Truncated, want)
		}
		a.Close()
	}
}

func TestContentThatBreaksOff(t *testing.T) {
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhel",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nno gzip",
		"HTTP/1.1 200 OK\r\nContent-Encoding: dcb\r\n\r\nhello",
	} {
		a, err := client(t).Get(t.Context(), serve(t, say(answer)).request("/"))
		if err != nil {
			t.Fatal(err)
		}
		if content, err := a.Content(9); err == nil {
			t.Errorf("%q: Content = %q without an error", answer, content)
		}
		a.Close()
	}
}

func TestSpool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var s Spool
	var want bytes.Buffer
	for i := range 100 {
		piece := bytes.Repeat([]byte{byte(i)}, 10_007)
		want.Write(piece)
		if n, err := s.Write(piece); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	for range 2 { // it can be read again
		got, err := io.ReadAll(s.Reader())
		if err != nil || !bytes.Equal(got, want.Bytes()) || s.Len() != int64(want.Len()) {
			t.Fatalf("read %d bytes, %v; want %d", len(got), err, want.Len())
		}
	}
	if len(s.memory) > spoolMemory {
		t.Errorf("%d bytes in memory, want at most %d", len(s.memory), spoolMemory)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files in the temporary directory", len(left))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestPiece holds that no read takes more than Piece before Pace is asked.
func TestPiece(t *testing.T) {
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		next()
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"+strings.Repeat("x", 10_000))
	})
	c := client(t)
	reads, most := 0, 0
	c.Piece = 300
	c.Pace = func(_ context.Context, n int) error {
		reads, most = reads+1, max(most, n)
		return nil
	}
	a, err := c.Get(t.Context(), s.request("/"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if most > 300 || reads < 30 || a.Body.Len() != 10_000 {
		t.Errorf("%d bytes came in %d reads of up to %d", a.Body.Len(), reads, most)
	}
}

// TestPaceIsNotTheServersSlowness holds that a wait of the caller's own counts against no
// limit: head and body take three reads here, each followed by a wait longer than Timeout.
func TestPaceIsNotTheServersSlowness(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	paced := make(chan struct{}, 8)
	s := serve(t, func(c net.Conn, next func() *http.Request) {
		next()
		for _, piece := range []string{"HTTP/1.1 200 OK\r\n", "Content-Length: 2\r\n\r\n", "hi"} {
			time.Sleep(100 * time.Millisecond) // the clock looks meanwhile
			io.WriteString(c, piece)
			<-paced
		}
	})
	c := client(t)
	c.Limits.Timeout, c.Limits.Total = 500*time.Millisecond, 750*time.Millisecond
	c.Pace = func(context.Context, int) error {
		time.Sleep(c.Limits.Timeout * 6 / 5)
		paced <- struct{}{}
		return nil
	}
	a, err := c.Get(t.Context(), s.request("/"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Truncated != Whole || a.Body.Len() != 2 {
		t.Errorf("truncated %q at %d bytes, want it whole", a.Truncated, a.Body.Len())
	}
}

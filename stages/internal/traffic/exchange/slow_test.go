package exchange

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"
)

// cutting calls cut, CutSlow or GiveBack, until the test ends.
func cutting(t *testing.T, cut func(least float64, after time.Duration), least float64, after time.Duration) {
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	go func() {
		for ctx.Err() == nil {
			cut(least, after)
			time.Sleep(10 * time.Millisecond)
		}
	}()
}

// TestCutSlow holds that an exchange that drips ends as if its time was up, wherever it is, and no
// other does; and that given back it has no answer.
func TestCutSlow(t *testing.T) {
	t.Parallel()
	drip := func(first string) func(net.Conn, func() *http.Request) {
		return func(c net.Conn, next func() *http.Request) {
			next()
			io.WriteString(c, first)
			for {
				time.Sleep(20 * time.Millisecond)
				if _, err := io.WriteString(c, "x"); err != nil {
					return
				}
			}
		}
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
	for name, tt := range map[string]struct {
		talk    func(net.Conn, func() *http.Request)
		want    string // reason of the error
		cut     string
		atLeast int64
	}{
		"head":  {drip("HTTP/1.1 200 OK\r\nX: "), HeadTimeout, "", 0},
		"body":  {drip(head), "", CutTime, 3},
		"quick": {drip(head + strings.Repeat("y", 99_990)), "", Whole, 100_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c, back := serve(t, tt.talk), client(t), client(t)
			for _, c := range []*Client{c, back} {
				c.Limits.Timeout, c.Limits.Total = time.Minute, time.Minute
			}
			cutting(t, back.GiveBack, 10_000, 300*time.Millisecond)
			if a, err := back.Get(t.Context(), s.request("/")); errors.Is(err, ErrGivenBack) != (name != "quick") ||
				(a != nil) != (name == "quick") {
				t.Errorf("given back: %v, %v", a, err)
			}
			cutting(t, c.CutSlow, 10_000, 300*time.Millisecond)
			start := time.Now()
			a, err := c.Get(t.Context(), s.request("/"))
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
			var failed *Error
			switch {
			case errors.As(err, &failed):
				if failed.Reason != tt.want {
					t.Errorf("failed as %s, want %q", failed.Reason, tt.want)
				}
			case err != nil:
				t.Error(err)
			case tt.want != "" || a.Truncated != tt.cut || a.Body.Len() < tt.atLeast:
				t.Errorf("truncated %q at %d bytes, want %q", a.Truncated, a.Body.Len(), tt.cut)
			}
		})
	}
}

// TestCutSlowHandshake holds that a server that takes the connection and says nothing is cut within
// the handshake, and counts as not reached.
func TestCutSlowHandshake(t *testing.T) {
	t.Parallel()
	s := serve(t, func(c net.Conn, _ func() *http.Request) { io.Copy(io.Discard, c) })
	c := client(t)
	c.Limits.Timeout, c.Limits.Total = time.Minute, time.Minute
	cutting(t, c.CutSlow, 10_000, 300*time.Millisecond)
	r := s.request("/")
	r.URL = "https" + strings.TrimPrefix(r.URL, "http")
	_, err := c.Get(t.Context(), r)
	var failed *Error
	if !errors.As(err, &failed) || failed.Reason != TLSTimeout || failed.Sent {
		t.Errorf("Get = %v, want %s", err, TLSTimeout)
	}
}

// TestCutSlowIsNotPaced holds that what Pace makes an exchange wait is not counted as the server's.
func TestCutSlowIsNotPaced(t *testing.T) {
	t.Parallel()
	s := serve(t, say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"))
	c := client(t)
	c.Piece = 10
	c.Pace = func(context.Context, int) error {
		time.Sleep(200 * time.Millisecond)
		return nil
	}
	cutting(t, c.CutSlow, 10_000, 300*time.Millisecond)
	a, err := c.Get(t.Context(), s.request("/"))
	if err != nil || a.Truncated != Whole {
		t.Errorf("Get = %+v, %v, want the whole answer", a, err)
	}
}

// TestCutAsItConnects holds that an exchange ends that is cut when its connection is open already,
// and nothing is under way on it. Without that nothing would end it, not even its context.
func TestCutAsItConnects(t *testing.T) {
	t.Parallel()
	for scheme, want := range map[string]string{"http": ConnectTimeout, "https": TLSTimeout} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(c net.Conn, _ func() *http.Request) {
				c.SetDeadline(time.Now().Add(3 * time.Second)) // or the test would not end
				io.Copy(io.Discard, c)
			})
			c, r := client(t), s.request("/")
			r.URL = scheme + strings.TrimPrefix(r.URL, "http")
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				ConnectDone: func(string, string, error) { c.CutSlow(math.Inf(1), 0) },
			})
			_, err := c.Get(ctx, r)
			var failed *Error
			if !errors.As(err, &failed) || failed.Reason != want || failed.Sent {
				t.Errorf("Get = %v, want %s", err, want)
			}
		})
	}
}

// TestCutHolds holds that what an exchange begins after it was cut is broken off, at once and
// whenever the clock looks.
func TestCutHolds(t *testing.T) {
	x := &exchange{client: client(t), ctx: t.Context(), cut: errSlow}
	cancelled := 0
	x.start(func() { cancelled++ }, time.Minute)
	if cancelled != 1 {
		t.Errorf("start breaks it off %d times, want once", cancelled)
	}
	x.judge(time.Now(), (*exchange).late)
	if cancelled != 2 {
		t.Errorf("start and the clock break it off %d times, want twice", cancelled)
	}
}

package exchange

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/coding"
	"multitext/stages/internal/dial"
)

// A Client makes exchanges. It is safe for use by many goroutines; its fields must not
// change once Get has been called.
type Client struct {
	Dialer *dial.Dialer
	TLS    *tls.Config // nil verifies certificates by the roots of the system
	Agent  string      // the User-Agent
	// Identity asks for bodies without content coding; else those of package coding are
	// accepted.
	Identity bool
	Limits   Limits
	// Pace is called after each read from the network with the bytes read, and may wait
	// to hold a rate; what it waits does not count against the Limits. nil does not wait.
	Pace func(ctx context.Context, n int) error
	// MaxIdle is how many connections are kept for a next request.
	MaxIdle int

	idle idlePool
}

// Get asks for one URL. The error is an *Error if there is no answer, the context's if
// that has ended, else one of this machine (a full disk), for which the URL is not to blame.
func (c *Client) Get(ctx context.Context, r Request) (*Answer, error) {
	request := c.requestBytes(r)
	key := poolKey(r)
	if l := c.idle.take(key); l != nil {
		answer, err := c.ask(ctx, l, key, r, request)
		if !isStale(err) {
			return answer, err
		}
		// The server closed the kept connection while the request was on its way:
		// that is no answer to it, so it is sent once more.
	}
	l, err := c.connect(ctx, r)
	if err != nil {
		return nil, orContext(ctx, err)
	}
	return c.ask(ctx, l, key, r, request)
}

// Close closes the connections that are kept.
func (c *Client) Close() { c.idle.closeAll() }

// isStale tells whether err is how a connection ends that the server has given up.
func isStale(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.silent && (e.Reason == NoAnswer || e.Reason == Reset)
}

// orContext returns ctx's error if that is why err came about.
func orContext(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// connect opens a connection to the server of r.
func (c *Client) connect(ctx context.Context, r Request) (*link, error) {
	conn, err := c.Dialer.Dial(ctx, r.Addrs, c.Limits.Timeout)
	if err != nil {
		return nil, connectError(err)
	}
	remote, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	if canon.Scheme(r.URL) == "https" {
		if conn, err = c.handshake(ctx, conn, canon.Hostname(r.URL)); err != nil {
			return nil, tlsError(err)
		}
	}
	return newLink(conn, remote, c.Pace), nil
}

func (c *Client) handshake(ctx context.Context, conn net.Conn, host string) (net.Conn, error) {
	config := &tls.Config{}
	if c.TLS != nil {
		config = c.TLS.Clone()
	}
	config.ServerName = strings.Trim(host, "[]")
	config.NextProtos = []string{"http/1.1"}
	ctx, cancel := context.WithTimeout(ctx, c.Limits.Timeout)
	defer cancel()
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return secure, nil
}

// ask sends the request over l and reads the answer. It takes care of l.
func (c *Client) ask(ctx context.Context, l *link, key string, r Request, request []byte) (*Answer, error) {
	defer context.AfterFunc(ctx, l.close)()
	l.begin(ctx, c.Limits.Total)
	answer := &Answer{Started: time.Now(), Remote: l.remote, Request: request, Body: &Spool{}}
	l.allow(c.Limits.Timeout)
	if _, err := l.conn.Write(request); err != nil {
		l.close()
		return nil, orContext(ctx, headError(err, 0))
	}
	h, got, err := readHead(l.in, c.Limits.Head)
	if err != nil {
		l.close()
		return nil, orContext(ctx, headError(err, got))
	}
	answer.Head, answer.Status, answer.Header = h.raw, h.status, h.header
	l.allowEach(c.Limits.Timeout)
	how, length := framingOf(h)
	err = (&bodyReader{l.in, answer.Body, c.Limits.Body}).read(how, length)
	if err == nil && r.Keep && how != byClose && h.keepsAlive() && l.in.Buffered() == 0 {
		c.idle.put(key, l, c.MaxIdle)
	} else {
		l.close()
	}
	return c.finish(ctx, answer, err)
}

// finish judges how the body ended.
func (c *Client) finish(ctx context.Context, answer *Answer, err error) (*Answer, error) {
	var disk *spoolError
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil || errors.As(err, &disk):
		answer.Close()
		return nil, orContext(ctx, err)
	case errors.Is(err, errTooLong):
		answer.Truncated = CutLength
	case errors.Is(err, errGarbled):
		answer.Truncated = CutGarbled
	case isTimeout(err):
		answer.Truncated = CutTime
	default:
		answer.Truncated = CutDisconnect
	}
	return answer, nil
}

// requestBytes is the request as it goes on the wire.
func (c *Client) requestBytes(r Request) []byte {
	path := canon.Path(r.URL)
	if path == "" {
		path = "/"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\nAccept: */*\r\n", path, canon.Host(r.URL), c.Agent)
	if !c.Identity {
		b.WriteString("Accept-Encoding: " + coding.Accept + "\r\n")
	}
	if !r.Keep {
		b.WriteString("Connection: close\r\n")
	}
	b.WriteString("\r\n")
	return []byte(b.String())
}

// poolKey names the connections that may serve r: same scheme, host and addresses.
func poolKey(r Request) string {
	return fmt.Sprint(canon.Scheme(r.URL), " ", canon.Host(r.URL), " ", r.Addrs)
}

// CheckAgent says whether s may be sent as a User-Agent.
func CheckAgent(s string) error {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return fmt.Errorf("user agent %q: byte %d is not printable ASCII", s, i)
		}
	}
	if strings.TrimSpace(s) == "" {
		return errors.New("no user agent: name your crawler and where its owner is found, as examplebot/1.0 (+https://example.org/bot)")
	}
	return nil
}

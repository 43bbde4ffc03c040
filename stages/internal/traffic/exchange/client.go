package exchange

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"multitext/stages/internal/traffic/dial"
	"multitext/stages/internal/web/canon"
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
	Cookies  *Cookies // nil: none are sent, none are kept
	Limits   Limits
	// Pace is called after each read from the network with the bytes read, and may wait
	// to hold a rate; what it waits does not count against the Limits. nil does not wait.
	Pace func(ctx context.Context, n int) error
	// Piece is the most that one such read takes, in bytes; 0 is a buffer of 16 KiB.
	Piece int
	// MaxIdle is how many connections are kept for a next request; one for which there is no room is closed.
	MaxIdle int

	idle    idlePool
	memory  sync.Pool // of spools
	buffers sync.Pool // of links
	mu      sync.Mutex
	errands map[*errand]struct{} // those under way
}

// Get asks for one URL. The error is an *Error if there is no answer, the context's if
// that has ended, else one of this program or machine (a full disk, too many open files), for which the URL is not to blame.
// A connection that is kept ends with the context that it was last used in.
func (c *Client) Get(ctx context.Context, r Request) (*Answer, error) {
	text, err := c.message(r)
	if err != nil {
		return nil, err
	}
	e := c.setOut()
	defer c.forget(e)
	r.errand = e
	answer, err := c.get(ctx, r, text)
	if err == nil && c.Cookies != nil {
		c.Cookies.take(r.URL, answer.Header)
	}
	return answer, err
}

func (c *Client) get(ctx context.Context, r Request, text []byte) (*Answer, error) {
	key := poolKeyOf(r)
	if l := c.kept(key); l != nil {
		answer, err := c.ask(ctx, l, key, r, text)
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
	return c.ask(ctx, l, key, r, text)
}

// kept gives a connection under key that can take a request, nil if there is none.
func (c *Client) kept(key poolKey) *link {
	l := c.idle.take(key)
	switch {
	case l == nil:
		return nil
	case l.hasMore():
		l.drop()
		return nil
	}
	l.resume()
	return l
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
	if err := r.await(ctx, nil); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.errand.begin(time.Now(), cancel)
	defer r.errand.stop()
	conn, err := c.Dialer.Dial(ctx, r.Addrs, c.Limits.Timeout)
	if err != nil {
		return nil, connectError(r.errand.blame(err))
	}
	remote := remoteOf(conn)
	var protocols []string
	if canon.Scheme(r.URL) == "https" {
		secure, err := c.handshake(ctx, conn, canon.Hostname(r.URL))
		if err != nil {
			return nil, tlsError(r.errand.blame(err))
		}
		conn, protocols = secure, []string{overTLS, tlsNames[secure.ConnectionState().Version]}
	}
	l := newLink(conn, remote, &c.buffers, c.Pace)
	l.piece, l.protocols = c.Piece, protocols
	return l, nil
}

func remoteOf(conn net.Conn) netip.AddrPort {
	if tcp, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		at := tcp.AddrPort()
		return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	}
	return netip.AddrPort{}
}

func (c *Client) handshake(ctx context.Context, conn net.Conn, host string) (*tls.Conn, error) {
	config := &tls.Config{}
	if c.TLS != nil {
		config = c.TLS.Clone()
	}
	config.ServerName = strings.Trim(host, "[]")
	config.NextProtos = []string{overTLS}
	ctx, cancel := context.WithTimeout(ctx, c.Limits.Timeout)
	defer cancel()
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return secure, nil
}

// overTLS is the name of HTTP/1.1 in the TLS handshake (ALPN), and in archives.
const overTLS = "http/1.1"

// tlsNames are those that archives use. Older versions than these are not spoken.
var tlsNames = map[uint16]string{tls.VersionTLS12: "tls/1.2", tls.VersionTLS13: "tls/1.3"}

// ask sends the request over l and reads the answer. It takes care of l.
func (c *Client) ask(ctx context.Context, l *link, key poolKey, r Request, text []byte) (*Answer, error) {
	l.bind(ctx)
	if err := r.await(ctx, l); err != nil {
		l.drop()
		return nil, orContext(ctx, err)
	}
	now := time.Now()
	l.begin(now, c.Limits.Total)
	l.errand = r.errand
	l.errand.begin(now, l.expire)
	answer := &Answer{Started: now, Remote: l.remote, Protocols: l.protocols, Request: text, Body: &Spool{pool: &c.memory}}
	l.allow(now, c.Limits.Timeout)
	h, got, err := l.ask(text, c.Limits.Head)
	if err != nil {
		l.errand.stop()
		r.tell(l)
		l.drop()
		return nil, orContext(ctx, headError(err, got))
	}
	answer.Head, answer.Status, answer.Header = h.raw, h.status, h.header
	l.allowEach(c.Limits.Timeout)
	again, err := l.body(h, answer.Body, c.Limits.Body)
	r.tell(l)
	if cut := l.errand.stop(); err == nil && r.Keep && again && !cut {
		l.rest()
		c.idle.put(key, l, c.MaxIdle, time.Now())
	} else {
		l.drop()
	}
	return c.finish(ctx, answer, err)
}

// ask sends a request and reads the head of its answer, of which got bytes had come if there is an error.
func (l *link) ask(text []byte, limit int) (h *head, got int, err error) {
	if _, err := l.Write(text); err != nil {
		return nil, 0, err
	}
	return readHead(l.in, limit)
}

// body moves the body behind h to an empty spool, behind its head. again tells whether l can take another request.
func (l *link) body(h *head, to *Spool, limit int64) (again bool, err error) {
	if err := to.begin(h.raw); err != nil {
		return false, &spoolError{err}
	}
	how, length := framingOf(h)
	err = (&bodyReader{l.in, to, limit}).read(how, length)
	return err == nil && how != byClose && h.keepsAlive() && l.in.Buffered() == 0, err
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

package exchange

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"multitext/stages/internal/traffic/dial"
	"multitext/stages/internal/web/canon"
)

// A Client makes exchanges. It is safe for concurrent use; its fields must not change once Get has
// been called.
type Client struct {
	Dialer *dial.Dialer
	TLS    *tls.Config // nil verifies certificates by the roots of the system
	Agent  string      // the User-Agent
	// If Identity is set, bodies are requested without content coding. Otherwise the codings of
	// package coding are accepted.
	Identity bool
	Cookies  *Cookies // nil: none are sent, none are kept
	Limits   Limits
	// Pace is called after each read from the network with the number of bytes read. It may wait to
	// keep to a rate; this time does not count in the Limits. If Pace is nil, nothing waits.
	Pace func(ctx context.Context, n int) error
	// Piece is the maximum size of one such read, in bytes; 0 means a buffer of 16 KiB.
	Piece int
	// MaxIdle is the maximum number of idle connections that are kept. Further connections are
	// closed.
	MaxIdle int

	idle    idlePool
	memory  sync.Pool // of spools
	readers sync.Pool // of exchanges; idle connections need none, and most are idle

	mu       sync.Mutex
	underWay map[*exchange]struct{}
	clock    *time.Timer     // runs while exchanges are under way
	done     <-chan struct{} // of the context of the latest: it breaks off those of it
}

// Get requests one URL. If there is no answer, the error is an *Error. If ctx is done, it is the
// error of ctx. Otherwise it is an error of this program or machine (a full disk, too many open
// files) that the URL has not caused.
func (c *Client) Get(ctx context.Context, r Request) (*Answer, error) {
	text, err := c.message(r)
	if err != nil {
		return nil, err
	}
	x := &exchange{client: c, ctx: ctx, request: r, text: text}
	c.begin(x)
	defer c.forget(x)
	answer, err := x.get()
	if err == nil && c.Cookies != nil {
		c.Cookies.take(r.URL, answer.Header)
	}
	if r.Paused != nil {
		*r.Paused += x.paused
	}
	return answer, err
}

// Close closes the idle connections.
func (c *Client) Close() { c.idle.closeAll() }

// kept returns a connection that can take r, or nil if there is none.
func (c *Client) kept(r Request) *link {
	l := c.idle.take(r)
	if l != nil && l.hasMore() {
		l.conn.Close()
		return nil
	}
	return l
}

// reader returns a reader for x with an empty buffer.
func (c *Client) reader(x *exchange) *bufio.Reader {
	in, _ := c.readers.Get().(*bufio.Reader)
	if in == nil {
		in = bufio.NewReaderSize(nil, readBuffer)
	}
	in.Reset(x)
	return in
}

// readBuffer is the default size of reads from a connection.
const readBuffer = 16 << 10

// release stores a reader for another exchange.
func (c *Client) release(in *bufio.Reader) {
	in.Reset(nil)
	c.readers.Put(in)
}

// connect opens a connection to the server of x.
func (x *exchange) connect() (*link, error) {
	if err := x.await(nil); err != nil {
		return nil, orContext(x.ctx, err)
	}
	c, r := x.client, x.request
	ctx, cancel := context.WithCancel(x.ctx)
	defer cancel()
	x.start(cancel, 2*c.Limits.Timeout)
	conn, err := c.Dialer.Dial(ctx, r.Addrs, c.Limits.Timeout)
	if err != nil {
		return nil, x.errorOf(err, connectError)
	}
	l := &link{conn: conn, remote: remoteOf(conn), addrs: slices.Clone(r.Addrs)}
	failure := connectError
	if canon.Scheme(r.URL) == "https" {
		failure = tlsError
		x.extend()
		secure := tls.Client(conn, c.tlsConfig(canon.Hostname(r.URL)))
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil, x.errorOf(err, tlsError)
		}
		l.conn, l.protocols = secure, []string{overTLS, tlsNames[secure.ConnectionState().Version]}
	}
	if cut := x.stop(); cut != nil { // after the last step that its context could end
		l.conn.Close()
		return nil, x.errorOf(cut, failure)
	}
	return l, nil
}

func remoteOf(conn net.Conn) netip.AddrPort {
	if tcp, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		at := tcp.AddrPort()
		return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	}
	return netip.AddrPort{}
}

func (c *Client) tlsConfig(host string) *tls.Config {
	config := &tls.Config{}
	if c.TLS != nil {
		config = c.TLS.Clone()
	}
	config.ServerName = strings.Trim(host, "[]")
	config.NextProtos = []string{overTLS}
	return config
}

// overTLS is the name of HTTP/1.1 in the TLS handshake (ALPN), and in archives.
const overTLS = "http/1.1"

// tlsNames has the names of TLS versions in archives. Older versions are not supported.
var tlsNames = map[uint16]string{tls.VersionTLS12: "tls/1.2", tls.VersionTLS13: "tls/1.3"}

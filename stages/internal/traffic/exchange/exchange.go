// Package exchange makes one HTTP request and returns the exact bytes of request and answer. An
// archive needs these bytes, and net/http does not return them.
//
// Client.Get takes a request and returns an Answer with raw bytes, or an *Error with a named
// reason. It keeps connections alive, supports TLS, enforces limits and parses the framing of
// bodies. It does not resolve names, follow redirects or decode content. (The client of net/http
// does not keep the order of header fields, and has none of the limits below.)
//
// Requests use HTTP/1.1, also over TLS. HTTP/2 saves connections if many requests share one at the
// same time. A polite crawler makes one request at a time to a host, and keeps the connection for
// the next, so HTTP/2 saves no connection and no round trip. In a test over loopback a page of 20
// KB took 105 µs with HTTP/2 and 65 µs without. A kept connection used twice the memory, and the
// exact bytes of the head were lost to the archive. The few servers that refuse HTTP/1.1 end the
// TLS handshake (reason tls-failed) or answer 426.
//
// Servers are not trusted, so everything is limited:
//
//   - time: Limits.Timeout limits the connection, the TLS handshake, the whole head (even if a
//     server sends one byte of it each second), and each wait for more of the body. Limits.Total
//     limits the whole exchange, so a body of a byte a second ends then, or earlier by
//     Client.CutSlow. The client checks these times at intervals of a sixteenth of Limits.Timeout,
//     so an exchange may end that much late, but never early;
//   - size: Limits.Head, a thousand lines in the head, and Limits.Body. A longer body is cut, and
//     the answer is marked as Truncated "length". Bodies that end early are marked "disconnect",
//     bodies that take too long "time". These are the words of WARC-Truncated;
//   - additions: interim answers count as part of the head, chunk sizes and trailers as part of the
//     body;
//   - memory: a body larger than 256 KiB is stored in an unlinked temporary file. So an exchange
//     uses at most about 0.4 MB of memory in addition to its head, whatever Limits.Body is.
//
// Heads are parsed leniently: lines may end with a bare newline, and header lines without a colon
// are skipped. An answer must begin with "HTTP/1." (HTTP/0.9 is not supported).
//
// A kept connection may be dead when it is used again. If the server has closed it, or has sent
// unexpected data, the client makes a new connection. If a request was lost with the connection, it
// is sent once more.
package exchange

import (
	"net/netip"
	"time"

	"multitext/stages/internal/web/httphead"
)

// Limits are the limits of one exchange.
type Limits struct {
	Timeout time.Duration // for each step: connect, TLS, head, each wait for body bytes
	Total   time.Duration // for the exchange from its first byte sent, connecting apart
	Head    int           // bytes of status line and header
	Body    int64         // bytes of the body on the wire
}

// The values of Answer.Truncated: why a body is not whole. They are those of the field
// WARC-Truncated of ISO 28500.
const (
	Whole         = ""
	CutLength     = "length"      // longer than Limits.Body
	CutTime       = "time"        // a wait longer than the limits
	CutDisconnect = "disconnect"  // the connection ended early
	CutGarbled    = "unspecified" // broken chunks
)

// An Answer is a response with the request that it answers. The caller closes it.
type Answer struct {
	Started time.Time      // when the request was sent
	Remote  netip.AddrPort // who answered
	// Protocols are http/1.1 and the version of TLS, as tls/1.3; nil without TLS.
	Protocols []string

	Request []byte // as sent
	Head    []byte // status line and header as received, with the empty line
	Body    *Spool // as received, with any chunk framing and content coding

	Status    int
	Header    httphead.Fields
	Truncated string // one of the constants
}

// Wire returns head and body in one piece, as they were received. It is valid until Close, and must
// not be changed.
func (a *Answer) Wire() ([]byte, error) { return a.Body.all() }

// Close releases the body.
func (a *Answer) Close() error { return a.Body.Close() }

// Package exchange makes one HTTP request and keeps both sides of it as they were on the wire,
// which an archive needs and net/http does not give.
//
// Client.Get takes a request and returns an Answer with raw bytes, or an *Error with a named
// reason. It keeps connections alive, speaks TLS, enforces limits and reads the framing of bodies.
// It does not resolve names, follow redirects or decode content: the bytes are the server's. (The
// client of net/http gives the fields of a head without their order, and none of the bounds below.)
//
// Requests are HTTP/1.1, over TLS too. HTTP/2 saves connections where many requests run on one at
// the same time. A polite crawler has one request at a time for a host, and keeps the connection
// for the next, so HTTP/2 saves it no connection and no round trip. It cost half as much time again
// for each page of 20 KB (105 µs against 65 over loopback), twice the memory of a kept connection,
// and the archive the bytes of the head. The few servers that refuse HTTP/1.1 end the TLS handshake
// (reason tls-failed) or answer 426.
//
// Servers are not trusted, so everything is bounded:
//
//   - time: Limits.Timeout bounds the connection, the TLS handshake, the whole head (a server that
//     sends a byte of it each second does not hold the caller), and each wait for more body.
//     Limits.Total bounds all of it, so that a body of a byte a second ends there, or earlier by
//     Client.CutSlow. No exchange ends early; each may end late by a sixteenth of Limits.Timeout,
//     which is how often the client looks;
//   - size: Limits.Head, a thousand lines, and Limits.Body. A longer body is cut there and the
//     answer marked Truncated "length". Bodies that end early or too late are marked "disconnect"
//     and "time", the words of WARC-Truncated;
//   - additions: interim answers count as head, chunk sizes and trailers as body;
//   - memory: a body beyond 256 KiB is kept in an unlinked file of the temporary directory, so that
//     an exchange takes at most some 0.4 MB of memory beside its head, whatever Limits.Body allows.
//
// Heads are read tolerantly: lines may end in a bare newline, and a line of the header without a
// colon is skipped. What does not begin with "HTTP/1." is no answer (HTTP/0.9 included).
//
// A kept connection may be dead when it is used again. If the server has ended it, or has sent
// something unasked, another is made; and a request that was lost with it is sent once more.
package exchange

import (
	"net/netip"
	"time"

	"multitext/stages/internal/web/httphead"
)

// Limits bound one exchange.
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

// Wire gives head and body in one piece, as they were received. It is valid until Close, and must
// not be changed.
func (a *Answer) Wire() ([]byte, error) { return a.Body.all() }

// Close lets go of the body.
func (a *Answer) Close() error { return a.Body.Close() }

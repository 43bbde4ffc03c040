// Package exchange makes one HTTP request and keeps both sides of it as they were on
// the wire, which is what an archive wants and net/http does not give.
//
// Client.Get is the seam: a request goes in, an Answer with raw bytes comes out, or an
// *Error with a named reason. What the caller need not know is behind it: connections kept
// alive, TLS, limits, the framing of bodies. Names are not resolved here, redirects are not
// followed, and no content is decoded: the bytes are the server's.
//
// A server that offers HTTP/2 in the TLS handshake is asked by HTTP/2, any other by HTTP/1.1. HTTP/2 has no
// text on the wire: request and head are given in the shape of HTTP/1.1, as archives keep them, and
// Answer.Protocols says so. There is one request at a time on a connection, whatever the version. The client of
// net/http would give the fields of a head without their order, and none of the bounds below.
//
// The server is a stranger, so everything is bounded:
//
//   - time: Limits.Timeout for the connection, for the TLS handshake, for the whole head
//     (a server that sends a byte of it each second does not hold the caller), and for each
//     wait for more body; Limits.Total for all of it, so that a byte a second ends there, or by
//     Client.CutSlow, which holds those under way to a least rate. None ends early; each may end
//     late by a sixteenth of Limits.Timeout, for a connection's deadline is not moved for less;
//   - size: Limits.Head, a thousand lines, and Limits.Body. A body that is longer is cut there and the answer
//     marked Truncated "length", as are bodies that end early or too late ("disconnect",
//     "time"), in the words of WARC-Truncated;
//   - what comes beside head and body, as interim answers, trailers, the pings, settings and
//     padding of HTTP/2: it counts as head or body, or is bounded by 64 KiB and an eighth of
//     Limits.Body;
//   - memory: a body beyond 256 KiB is kept in a file of the temporary directory that has
//     lost its name, so that an exchange takes at most some 0.4 MB of memory beside its
//     head, whatever Limits.Body allows.
//
// Heads are read tolerantly, for the web is: lines may end in a bare newline, a line of the
// header without a colon is passed over. What does not begin with "HTTP/1." is no answer
// (HTTP/0.9 included).
//
// A connection that was kept may be dead when it is used again. If the server has ended it, or said
// something unasked meanwhile, another is made; and a request that was lost with it is sent once more.
package exchange

import (
	"net/netip"
	"time"
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
	// Protocols are h2 or http/1.1, and the version of TLS as tls/1.3; nil without TLS.
	Protocols []string

	Request []byte // as sent; over HTTP/2 as HTTP/1.1 would have it
	Head    []byte // status line and header as received, with the empty line; over HTTP/2 likewise
	Body    *Spool // as received, with any chunk framing and content coding

	Status    int
	Header    Header
	Truncated string // one of the constants
}

// Wire gives head and body in one piece, as they were received. It is valid until Close, and must not be changed.
func (a *Answer) Wire() ([]byte, error) { return a.Body.all() }

// Close lets go of the body.
func (a *Answer) Close() error { return a.Body.Close() }

// Package exchange makes one HTTP request and keeps both sides of it as they were on
// the wire, which is what an archive wants and net/http does not give.
//
// Client.Get is the seam: a request goes in, an Answer with raw bytes comes out, or an
// *Error with a named reason. What the caller need not know is behind it: connections kept
// alive, TLS, limits, the framing of bodies. Names are not resolved here, redirects are not
// followed, and no content is decoded: the bytes are the server's.
//
// The client of net/http gives the fields of a head without their order, and none of the bounds
// below.
//
// Requests are HTTP/1.1, over TLS too. HTTP/2 saves connections where many requests run on one at
// the same time. A polite crawler has one request at a time for a host, and keeps the connection
// for the next, so HTTP/2 saves it no connection and no round trip. It cost half as much time again
// for each page of 20 KB (105 µs against 65 over loopback), twice the memory of a kept connection,
// and the archive the bytes of the head. The few servers that refuse HTTP/1.1 end the TLS handshake
// (reason tls-failed) or answer 426.
//
// The server is a stranger, so everything is bounded:
//
//   - time: Limits.Timeout for the connection, for the TLS handshake, for the whole head
//     (a server that sends a byte of it each second does not hold the caller), and for each
//     wait for more body; Limits.Total for all of it, so that a byte a second ends there, or by
//     Client.CutSlow, which breaks off those under way that are slower than a least rate. None
//     ends early; each may end late by a sixteenth of Limits.Timeout: so often the client looks;
//   - size: Limits.Head, a thousand lines, and Limits.Body. A body that is longer is cut there and
//     the answer marked Truncated "length", as are bodies that end early or too late ("disconnect",
//     "time"), in the words of WARC-Truncated;
//   - what comes beside them: interim answers count as head, chunk sizes and trailers as body;
//   - memory: a body beyond 256 KiB is kept in a file of the temporary directory that has
//     lost its name, so that an exchange takes at most some 0.4 MB of memory beside its
//     head, whatever Limits.Body allows.
//
// Heads are read tolerantly, for the web is: lines may end in a bare newline, a line of the
// header without a colon is passed over. What does not begin with "HTTP/1." is no answer
// (HTTP/0.9 included).
//
// A connection that was kept may be dead when it is used again. If the server has ended it, or said
// something unasked meanwhile, another is made; and a request that was lost with it is sent once
// more.
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

package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/httphead"
)

// A Request asks for one URL at known addresses.
type Request struct {
	URL   string           // canonical
	Addrs []netip.AddrPort // tried in this order
	// Keep says that more requests to the host follow: the connection is kept for them.
	// Without it the server is told to close.
	Keep bool
	// Turn is called at the last moment before a connection is opened, and before the request is
	// sent. It returns at once if that may be; else it waits until it may, tells so, and is called
	// again. What it waits does not count against the Limits. Its error ends the exchange. nil does
	// not wait.
	Turn func(ctx context.Context) (waited bool, err error)
	// Paused, where not nil, is told how long Client.Pace and the disk that keeps the body have made
	// the answer wait, once it is there or has failed.
	Paused *time.Duration

	// ETag and Modified, where not empty, make the request conditional: a server whose page
	// still has this ETag, or has not changed since this date, answers 304 (RFC 9110, section 13).
	ETag, Modified string
}

// await returns in the turn of x. After each wait it looks whether the server has given up the
// connection meanwhile, if there is one; and then at the clock again, so that nothing lies between
// that and what goes out.
func (x *exchange) await(l *link) error {
	for x.request.Turn != nil {
		waited, err := x.request.Turn(x.ctx)
		if err != nil || !waited {
			return err
		}
		if l != nil && l.hasMore() {
			return headError(io.EOF, 0)
		}
	}
	return nil
}

// errUnsafe says that a request would hold more than it is meant to.
var errUnsafe = errors.New("a control character in a request")

// message returns the request for r as it goes over the wire. The error is errUnsafe.
func (c *Client) message(r Request) ([]byte, error) {
	path := cmp.Or(canon.Path(r.URL), "/")
	err := check("path", path)
	b := make([]byte, 0, 320) // of the usual one
	b = append(append(append(b, "GET "...), path...), " HTTP/1.1\r\n"...)
	for _, f := range c.fields(r) {
		err = cmp.Or(err, check(f.Name, f.Value))
		b = append(append(b, f.Name...), ": "...)
		b = append(append(b, f.Value...), "\r\n"...)
	}
	return append(b, "\r\n"...), err
}

// fields are those of the request for r; one without a value is not sent.
func (c *Client) fields(r Request) httphead.Fields {
	accept, cookie, connection := coding.Accept, "", "close"
	if c.Identity {
		accept = ""
	}
	if c.Cookies != nil {
		cookie = c.Cookies.header(r.URL)
	}
	if r.Keep {
		connection = ""
	}
	return make(httphead.Fields, 0, 8).
		Add("Host", canon.Host(r.URL)).
		Add("User-Agent", c.Agent).
		Add("Accept", "*/*").
		Add("Accept-Encoding", accept).
		Add("If-None-Match", r.ETag).
		Add("If-Modified-Since", r.Modified).
		Add("Cookie", cookie).
		Add("Connection", connection)
}

// check is the last door: no value that came from strangers may end a line.
func check(name, value string) error {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c == 0x7f {
			return fmt.Errorf("%w: %s %.80q", errUnsafe, name, value)
		}
	}
	return nil
}

// Printable reports whether s is text of ASCII, which can stand in a header.
func Printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// CheckAgent says whether s may be sent as a User-Agent.
func CheckAgent(s string) error {
	if !Printable(s) {
		return fmt.Errorf("user agent %q: a character is not printable ASCII", s)
	}
	if strings.TrimSpace(s) == "" {
		return errors.New("no user agent: name your crawler and where its owner is found, as examplebot/1.0 " +
			"(+https://example.org/bot)")
	}
	return nil
}

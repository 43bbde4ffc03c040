package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/web/canon"
)

// A Request asks for one URL at known addresses.
type Request struct {
	URL   string           // canonical
	Addrs []netip.AddrPort // tried in this order
	// Keep says that more requests to the host follow: the connection is kept for them.
	// Without it the server is told to close.
	Keep bool
	// Turn is called at the last moment before a connection is opened, and before the request is sent. It returns at once if
	// that may be; else it waits until it may, tells so, and is called again. What it waits does not count against the
	// Limits. Its error ends the exchange. nil does not wait.
	Turn func(ctx context.Context) (waited bool, err error)
	// Paused, where not nil, is told how long Client.Pace has made the answer wait, once it is there or has failed.
	Paused *time.Duration

	// ETag and Modified, where not empty, make the request conditional: a server whose page
	// still has this ETag, or has not changed since this date, answers 304 (RFC 9110, section 13).
	ETag, Modified string

	errand *errand // of Client.Get
}

// await returns in the turn of r. After each wait it looks whether the server has given up the connection meanwhile, if there is
// one; and then at the clock again, so that nothing lies between that and what goes out.
func (r Request) await(ctx context.Context, l *link) error {
	for r.Turn != nil {
		waited, err := r.Turn(ctx)
		if err != nil || !waited {
			return err
		}
		if l != nil && !l.talk.ready() {
			return headError(io.EOF, 0)
		}
	}
	return nil
}

// tell tells how long reading from l has waited for the rate.
func (r Request) tell(l *link) {
	if r.Paused != nil {
		*r.Paused += l.waited
	}
}

// A message is a request in no version of HTTP yet.
type message struct {
	scheme, host, path string
	fields             []field
}

// errUnsafe says that a request would hold more than it is meant to.
var errUnsafe = errors.New("a control character in a request")

// message gives the request for r. The error is errUnsafe.
func (c *Client) message(r Request) (message, error) {
	m := message{scheme: canon.Scheme(r.URL), host: canon.Host(r.URL), path: canon.Path(r.URL), fields: make([]field, 0, 6)}
	if m.path == "" {
		m.path = "/"
	}
	m.add("User-Agent", c.Agent)
	m.add("Accept", "*/*")
	if !c.Identity {
		m.add("Accept-Encoding", coding.Accept)
	}
	m.add("If-None-Match", r.ETag)
	m.add("If-Modified-Since", r.Modified)
	if c.Cookies != nil {
		m.add("Cookie", c.Cookies.header(r.URL))
	}
	return m, m.check()
}

func (m *message) add(name, value string) {
	if value != "" {
		m.fields = append(m.fields, field{name, value})
	}
}

// check holds the last door: nothing that came from strangers may end a line.
func (m *message) check() error {
	for _, f := range m.fields {
		if err := f.check(); err != nil {
			return err
		}
	}
	return errors.Join(field{"host", m.host}.check(), field{"path", m.path}.check())
}

func (f field) check() error {
	for i := range len(f.value) {
		if c := f.value[i]; c < ' ' || c == 0x7f {
			return fmt.Errorf("%w: %s %.80q", errUnsafe, f.name, f.value)
		}
	}
	return nil
}

// bytes gives the request as HTTP/1.1 has it on the wire.
func (m *message) bytes(keep bool) []byte {
	b := make([]byte, 0, 320) // of the usual one
	b = append(append(b, "GET "...), m.path...)
	b = append(b, " HTTP/1.1\r\n"...)
	b = appendLine(b, "Host", m.host)
	for _, f := range m.fields {
		b = appendLine(b, f.name, f.value)
	}
	if !keep {
		b = appendLine(b, "Connection", "close")
	}
	return append(b, "\r\n"...)
}

func appendLine(b []byte, name, value string) []byte {
	b = append(append(b, name...), ": "...)
	return append(append(b, value...), "\r\n"...)
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

package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/coding"
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

	// ETag and Modified, where not empty, make the request conditional: a server whose page
	// still has this ETag, or has not changed since this date, answers 304 (RFC 9110, section 13).
	ETag, Modified string
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

// A message is a request in no version of HTTP yet.
type message struct {
	scheme, host, path string
	fields             []field
}

type field struct{ name, value string }

// errUnsafe says that a request would hold more than it is meant to.
var errUnsafe = errors.New("a control character in a request")

// message gives the request for r. The error is errUnsafe.
func (c *Client) message(r Request) (message, error) {
	m := message{scheme: canon.Scheme(r.URL), host: canon.Host(r.URL), path: canon.Path(r.URL)}
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
	for _, f := range append(m.fields, field{"host", m.host}, field{"path", m.path}) {
		if i := strings.IndexFunc(f.value, isControl); i >= 0 {
			return fmt.Errorf("%w: %s %.80q", errUnsafe, f.name, f.value)
		}
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// bytes gives the request as HTTP/1.1 has it on the wire.
func (m *message) bytes(keep bool) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: %s\r\n", m.path, m.host)
	for _, f := range m.fields {
		fmt.Fprintf(&b, "%s: %s\r\n", f.name, f.value)
	}
	if !keep {
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

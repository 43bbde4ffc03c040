// Package canon turns the references of web pages into canonical URLs, and takes canonical URLs apart.
//
// Two spellings of one address must give one string, or the seen-set lets a page be fetched twice; two
// addresses that a server may answer differently must stay two. A canonical URL is therefore what a
// browser would ask for (the parser follows the WHATWG URL standard) in one fixed spelling:
//
//   - the scheme is http or https, in lower case; all other schemes are refused with [ErrScheme];
//   - the host is in lower case and in its ASCII (IDNA) form, IP addresses in their shortest one, without
//     a final dot; names that DNS cannot hold are refused with [ErrHost];
//   - the port is absent when it is the scheme's own; user name and password are dropped, since a
//     stranger's link must not make the crawler log in;
//   - the path starts with "/" and has no dot segments; the query is kept as it is, its order included;
//   - the fragment is dropped: it never reaches the server;
//   - percent-encoding: letters, digits and "-._~" stand for themselves, every other escape has upper-case
//     digits, and a "%" that starts no escape is written %25;
//   - all bytes lie in 0x21–0x7e, and there are at most [MaxLength] of them, in at most [MaxSegments]
//     segments of the path ([ErrLength]).
//
// Canonical form is a fixed point: Parse of a result gives the same result.
//
// The other functions ([Host], [Hostname], [Scheme], [Path], [Domain], [SURT]) take a canonical URL
// and cut it; they allocate little and check nothing.
package canon

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	whatwgerrors "github.com/nlnwa/whatwg-url/errors"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

// MaxLength is the most bytes that a reference or a canonical URL may have. RFC 9110 asks servers to
// accept 8,000; longer ones are errors of the page or traps.
const MaxLength = 8192

// MaxSegments is the most "/" that the path of a canonical URL may have. The parser's time grows with
// the square of them, and a page may have ten thousand links on a base of that kind.
const MaxSegments = 100

// What can be wrong with a reference. The errors that Parse and Resolve return wrap one of these.
var (
	ErrScheme = errors.New("not http or https")           // mailto:, data:, javascript:, ftp: …
	ErrHost   = errors.New("no host name that DNS holds") // empty or long labels, odd letters
	ErrLength = errors.New("longer than 8192 bytes or 100 segments")
	ErrSyntax = errors.New("not a URL")
)

// Parse gives the canonical form of an absolute URL.
func Parse(ref string) (string, error) {
	return resolve(nil, ref)
}

// Resolve gives the canonical form of ref as it is meant on the page base, an absolute URL.
func Resolve(base, ref string) (string, error) {
	b, err := NewBase(base)
	if err != nil {
		return "", err
	}
	return b.Resolve(ref)
}

// A Base is a parsed base URL, for the many links of one page. It may be used by several goroutines.
type Base struct {
	url *whatwg.Url
}

// NewBase parses an absolute http or https URL to resolve references against.
func NewBase(base string) (*Base, error) {
	c, err := Parse(base)
	if err != nil {
		return nil, err
	}
	u, err := whatwg.Parse(c)
	if err != nil {
		return nil, fmt.Errorf("base: %w", syntaxError(err))
	}
	return &Base{url: u}, nil
}

// Resolve gives the canonical form of ref as it is meant relative to b.
func (b *Base) Resolve(ref string) (string, error) {
	return resolve(b.url, ref)
}

// resolve is the one way from a reference to a canonical URL; base may be nil. A faster path for plain
// references belongs at its head, and must give what the rest of it gives.
func resolve(base *whatwg.Url, ref string) (string, error) {
	ref = strings.TrimFunc(ref, isC0OrSpace)
	if foreignScheme(ref) {
		return "", ErrScheme // before the length: data: URLs are long and common
	}
	ref = withoutLineEnds(ref)
	if len(ref) > MaxLength || costly(ref) {
		return "", ErrLength
	}
	u, err := parse(base, escapeInvalid(ref))
	if err != nil {
		return "", syntaxError(err)
	}
	if u.Scheme() != "http" && u.Scheme() != "https" {
		return "", ErrScheme
	}
	return assemble(u)
}

func parse(base *whatwg.Url, ref string) (*whatwg.Url, error) {
	if base == nil {
		return whatwg.Parse(ref)
	}
	return base.Parse(ref)
}

// syntaxError says what the parser found wrong. Its own words repeat the reference, which is a
// stranger's, and may end on a terminal.
func syntaxError(err error) error {
	return fmt.Errorf("%w: %s", ErrSyntax, whatwgerrors.Type(err))
}

// assemble writes the parts of a parsed URL in their canonical spelling.
func assemble(u *whatwg.Url) (string, error) {
	host, err := canonicalHost(u.Hostname())
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(u.Scheme())
	b.WriteString("://")
	b.WriteString(host)
	if port := u.Port(); port != "" {
		b.WriteByte(':')
		b.WriteString(port)
	}
	// Href knows an empty query ("?") from none; Search does not.
	tail := u.Href(true)
	tail = tail[len(u.Scheme())+len("://"):]
	tail = tail[strings.IndexByte(tail, '/'):]
	writeEscaped(&b, tail)
	path, _, _ := strings.Cut(tail, "?")
	if b.Len() > MaxLength || strings.Count(path, "/") > MaxSegments {
		return "", ErrLength
	}
	return b.String(), nil
}

// foreignScheme tells whether ref plainly begins with a scheme other than http and https. It may say no
// where the parser says yes (a line break inside the scheme), never the reverse.
func foreignScheme(ref string) bool {
	for i := 0; i < len(ref); i++ {
		switch c := ref[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return !strings.EqualFold(ref[:i], "http") && !strings.EqualFold(ref[:i], "https")
		default:
			return false
		}
	}
	return false
}

// escapeInvalid percent-encodes the bytes of s that are no UTF-8, which keeps what the page's author
// wrote; the parser would make U+FFFD of each.
func escapeInvalid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			writeEscape(&b, s[i])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func isC0OrSpace(r rune) bool { return r <= ' ' }

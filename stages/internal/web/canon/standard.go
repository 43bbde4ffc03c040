package canon

import (
	"fmt"
	"strings"
	"unicode/utf8"

	whatwgerrors "github.com/nlnwa/whatwg-url/errors"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

// resolve returns the canonical form of any reference, with the parser of the standard.
func (b *Base) resolve(ref string) (string, error) {
	ref = strings.TrimFunc(ref, isC0OrSpace)
	if foreignScheme(ref) {
		return "", ErrScheme // before the length
	}
	ref = withoutLineEnds(ref)
	if len(ref) > MaxLength || costly(ref) {
		return "", ErrLength
	}
	u, err := b.whatwg(escapeInvalid(ref))
	if err != nil {
		return "", err
	}
	if u.Scheme() != "http" && u.Scheme() != "https" {
		return "", ErrScheme
	}
	return assemble(u)
}

// whatwg parses ref according to the standard.
func (b *Base) whatwg(ref string) (u *whatwg.Url, err error) {
	if b == nil {
		u, err = standard.Parse(ref)
	} else if u, err = b.parsed(); err == nil {
		u, err = u.Parse(ref)
	} else {
		return nil, err
	}
	if err != nil {
		return nil, syntaxError(err)
	}
	return u, nil
}

// parse parses a base. What the parser fills in when it is first asked, it is asked for: it may be
// asked by several at once.
func parse(base string) (*whatwg.Url, error) {
	u, err := standard.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("base: %w", syntaxError(err))
	}
	u.SearchParams()
	return u, nil
}

// syntaxError returns an error without the parser's message. The message contains the reference,
// which is not trusted and might reach a terminal.
func syntaxError(err error) error {
	return fmt.Errorf("%w: %s", ErrSyntax, whatwgerrors.Type(err))
}

// assemble writes the parts of a parsed URL in their canonical spelling.
func assemble(u *whatwg.Url) (string, error) {
	host, err := canonicalHost(u.Hostname())
	if err != nil {
		return "", err
	}
	url := append([]byte(u.Scheme()), "://"...)
	url = append(url, host...)
	if port := u.Port(); port != "" {
		url = append(append(url, ':'), port...)
	}
	// Href knows an empty query ("?") from none; Search does not.
	tail := u.Href(true)
	tail = tail[len(u.Scheme())+len("://"):]
	tail = tail[strings.IndexByte(tail, '/'):]
	url = appendEscaped(url, tail)
	path, _, _ := strings.Cut(tail, "?")
	if len(url) > MaxLength || strings.Count(path, "/") > MaxSegments {
		return "", ErrLength
	}
	return string(url), nil
}

// foreignScheme reports whether ref plainly begins with a scheme other than http and https. It may
// say no where the parser says yes (a line break inside the scheme), never the reverse.
func foreignScheme[T text](ref T) bool {
	for i := 0; i < len(ref); i++ {
		switch c := ref[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			scheme := string(ref[:i])
			return !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https")
		default:
			return false
		}
	}
	return false
}

// escapeInvalid percent-encodes the bytes of s that are not UTF-8. This keeps what the page's
// author wrote; the parser would replace each by U+FFFD.
func escapeInvalid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			b.Write(AppendEscape(nil, s[i]))
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func isC0OrSpace(r rune) bool { return r <= ' ' }

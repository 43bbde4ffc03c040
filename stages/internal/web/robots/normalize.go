package robots

import (
	"strings"

	"multitext/stages/internal/web/canon"
)

// side says whether normalize works on a URL or on a pattern: "*" and "$" are
// plain bytes in the one and have a meaning in the other.
type side int

const (
	forURL     side = iota
	forPattern      // "?" begins the query
	asWritten       // a URL again, but the escapes of its query stay
)

// normalize brings a path with its query, or a pattern for one, to the form in which
// the two are compared (RFC 9309 section 2.2.2):
//
//   - an escaped unreserved byte (letters, digits, "-._~") loses its escape;
//   - every other escape has upper-case digits;
//   - a byte that cannot stand in a URL, and any beyond ASCII, is escaped;
//   - a "%" that begins no escape is escaped, as in canonical URLs; but where a pattern
//     or its "*" cuts an escape short, "/a%" or "/a%2*", what is there stands for itself;
//   - a "*" or "$" that stands for itself is escaped: any in a URL; in a pattern a
//     "$" that is not its end;
//   - in the query %2F and %3A lose their escape, so that ?to=https://x and
//     ?to=https%3A%2F%2Fx are one.
//
// Runs of "*" become one.
func normalize(s string, what side) string {
	b := make([]byte, 0, len(s))
	query := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		d, escaped := canon.Unescape(s[i:])
		switch {
		case escaped && (canon.Unreserved(d) || query && (d == '/' || d == ':')):
			b = append(b, d)
			i += 2
		case escaped:
			b = canon.AppendEscape(b, d)
			i += 2
		case what == forPattern && (c == '%' && cutEscape(s[i:]) || c == '$' && i == len(s)-1):
			b = append(b, c)
		case what == forPattern && c == '*':
			if i == 0 || s[i-1] != '*' {
				b = append(b, c)
			}
		case c == '?':
			query = what != asWritten
			b = append(b, c)
		case c == '*' || c == '$' || !isURLByte(c):
			b = canon.AppendEscape(b, c)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// cutEscape reports whether a pattern ends, or has a star, within what might be an escape. s begins
// with "%", and with no escape.
func cutEscape(s string) bool {
	rest := strings.TrimLeft(s[1:], "0123456789abcdefABCDEF")
	return rest == "" || rest[0] == '*'
}

// inQuery returns the pattern for a query that begins at the first star of one that has no "?"; ""
// where that has no escape to lose there.
func inQuery(s string) string {
	path, rest, star := strings.Cut(s, "*")
	if !star || !strings.Contains(rest, "%") || strings.Contains(s, "?") {
		return ""
	}
	in := normalize(path+"*?*"+rest, forPattern)
	if len(in) == len(normalize(path+"*"+rest, forPattern))+len("?*") {
		return ""
	}
	return in
}

// isURLByte reports whether c may stand in a URL unescaped: the unreserved and reserved bytes of
// RFC 3986.
func isURLByte(c byte) bool {
	return canon.Unreserved(c) || strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0
}

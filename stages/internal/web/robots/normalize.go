package robots

import "strings"

// side says whether normalize works on a URL or on a pattern: "*" and "$" are
// plain bytes in the one and have a meaning in the other.
type side int

const (
	forURL     side = iota
	forPattern      // "?" begins the query
	asWritten       // a URL again, but the escapes of its query stay
)

const upperHex = "0123456789ABCDEF"

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
	var b strings.Builder
	b.Grow(len(s))
	query := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && beginsEscape(s[i:]):
			d := unhex(s[i+1])<<4 | unhex(s[i+2])
			if isUnreserved(d) || query && (d == '/' || d == ':') {
				b.WriteByte(d)
			} else {
				escape(&b, d)
			}
			i += 2
		case c == '%' && what == forPattern && cutEscape(s[i:]):
			b.WriteByte(c)
		case c == '*' && what == forPattern:
			if i == 0 || s[i-1] != '*' {
				b.WriteByte(c)
			}
		case c == '$' && what == forPattern && i == len(s)-1:
			b.WriteByte(c)
		case c == '?':
			query = what != asWritten
			b.WriteByte(c)
		case c == '*' || c == '$' || !isURLByte(c):
			escape(&b, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func beginsEscape(s string) bool { return len(s) > 2 && isHex(s[1]) && isHex(s[2]) }

// cutEscape tells whether a pattern ends, or has a star, within what might be an escape.
func cutEscape(s string) bool {
	s = s[1:]
	if s != "" && isHex(s[0]) {
		s = s[1:]
	}
	return s == "" || s[0] == '*'
}

// inQuery gives the pattern for a query that begins at the first star of one that has no
// "?"; "" where that has no escape to lose there.
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

func escape(b *strings.Builder, c byte) {
	b.WriteByte('%')
	b.WriteByte(upperHex[c>>4])
	b.WriteByte(upperHex[c&15])
}

func isUnreserved(c byte) bool {
	return isAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// isURLByte reports whether c may stand in a URL unescaped: the unreserved and
// reserved bytes of RFC 3986.
func isURLByte(c byte) bool {
	return isUnreserved(c) || strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}

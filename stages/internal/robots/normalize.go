package robots

import "strings"

// side says whether normalize works on a URL or on a pattern: "*" and "$" are
// plain bytes in the one and have a meaning in the other.
type side int

const (
	forURL side = iota
	forPattern
)

const upperHex = "0123456789ABCDEF"

// normalize brings a path with its query, or a pattern for one, to the form in which
// the two are compared (RFC 9309 section 2.2.2):
//
//   - an escaped unreserved byte (letters, digits, "-._~") loses its escape;
//   - every other escape has upper-case digits;
//   - a byte that cannot stand in a URL, and any beyond ASCII, is escaped;
//   - a "*" or "$" that stands for itself is escaped: any in a URL; in a pattern a
//     "$" that is not its end;
//   - in the query %2F and %3A lose their escape, so that ?to=https://x and
//     ?to=https%3A%2F%2Fx are one. A pattern's query may begin at its first "*" too.
//
// Runs of "*" become one.
func normalize(s string, what side) string {
	var b strings.Builder
	b.Grow(len(s))
	query := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			d := unhex(s[i+1])<<4 | unhex(s[i+2])
			if isUnreserved(d) || query && (d == '/' || d == ':') {
				b.WriteByte(d)
			} else {
				escape(&b, d)
			}
			i += 2
		case c == '*' && what == forPattern:
			query = true
			if i == 0 || s[i-1] != '*' {
				b.WriteByte(c)
			}
		case c == '$' && what == forPattern && i == len(s)-1:
			b.WriteByte(c)
		case c == '?':
			query = true
			b.WriteByte(c)
		case c == '*' || c == '$' || !isURLByte(c):
			escape(&b, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escaped spares grobotstxt v1.0.3 the escaping of patterns, in which it turns the
// digits of an escape to control bytes as soon as one escape of the pattern has a
// lower-case letter or one byte is beyond ASCII: both are taken out of the text. So is a
// byte order mark, whole or the beginning of one, as that parser would have done.
func escaped(body []byte) string {
	var b strings.Builder
	b.Grow(len(body))
	for _, c := range []byte("\xef\xbb\xbf") {
		if len(body) == 0 || body[0] != c {
			break
		}
		body = body[1:]
	}
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '%' && i+2 < len(body) && isHex(body[i+1]) && isHex(body[i+2]):
			escape(&b, unhex(body[i+1])<<4|unhex(body[i+2]))
			i += 2
		case c >= 0x80:
			escape(&b, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
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
// reserved bytes of RFC 3986, and a "%" that begins no escape.
func isURLByte(c byte) bool {
	return isUnreserved(c) || strings.IndexByte(":/?#[]@!$&'()*+,;=%", c) >= 0
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

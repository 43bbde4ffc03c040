package canon

import "strings"

const upperHex = "0123456789ABCDEF"

// writeEscaped writes a path and query with their escapes in canonical form. A "^" of the path it
// escapes, as the standard has it since March 2025 and the parser does not yet.
func writeEscaped(b *strings.Builder, s string) {
	query := false
	for i := 0; i < len(s); i++ {
		query = query || s[i] == '?'
		if s[i] == '^' && !query {
			writeEscape(b, '^')
			continue
		}
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		c, ok := unescape(s[i:])
		switch {
		case !ok:
			// Left alone, "%2%65" would become "%2e", and a dot the next time.
			b.WriteString("%25")
			continue
		case unreserved(c):
			b.WriteByte(c)
		default:
			writeEscape(b, c)
		}
		i += len("%XX") - 1
	}
}

// unescape decodes the escape at the start of s.
func unescape(s string) (byte, bool) {
	if len(s) < len("%XX") {
		return 0, false
	}
	hi, ok1 := unhex(s[1])
	lo, ok2 := unhex(s[2])
	return hi<<4 | lo, ok1 && ok2
}

func unhex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// unreserved is RFC 3986, section 2.3: the bytes whose escapes mean the same as themselves.
func unreserved(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == '-' || c == '.' || c == '_' || c == '~'
}

func writeEscape(b *strings.Builder, c byte) {
	b.WriteByte('%')
	b.WriteByte(upperHex[c>>4])
	b.WriteByte(upperHex[c&15])
}

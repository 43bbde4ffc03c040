package canon

const upperHex = "0123456789ABCDEF"

// appendEscaped appends a path and query with their escapes in canonical form. A "^" of the path it
// escapes, as the standard has it since March 2025 and the parser does not yet.
func appendEscaped(dst []byte, s string) []byte {
	query := false
	for i := 0; i < len(s); i++ {
		query = query || s[i] == '?'
		if s[i] == '^' && !query {
			dst = AppendEscape(dst, '^')
			continue
		}
		if s[i] != '%' {
			dst = append(dst, s[i])
			continue
		}
		c, ok := Unescape(s[i:])
		switch {
		case !ok:
			// Left alone, "%2%65" would become "%2e", and a dot the next time.
			dst = append(dst, "%25"...)
			continue
		case Unreserved(c):
			dst = append(dst, c)
		default:
			dst = AppendEscape(dst, c)
		}
		i += len("%XX") - 1
	}
	return dst
}

// Unescape decodes the escape that s begins with. ok is false if s begins with none.
func Unescape[T text](s T) (c byte, ok bool) {
	if len(s) < len("%XX") || s[0] != '%' {
		return 0, false
	}
	hi, ok1 := unhex(s[1])
	lo, ok2 := unhex(s[2])
	return hi<<4 | lo, ok1 && ok2
}

func unhex(c byte) (byte, bool) {
	switch {
	case isDigit(c):
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// Unreserved reports whether an escaped c means the same as c itself (RFC 3986, section 2.3).
func Unreserved(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '-' || c == '.' || c == '_' || c == '~'
}

// AppendEscape appends c, percent-encoded, to dst.
func AppendEscape(dst []byte, c byte) []byte {
	return append(dst, '%', upperHex[c>>4], upperHex[c&15])
}

package canon

const upperHex = "0123456789ABCDEF"

// appendEscaped appends a path and query with their escapes in canonical form. A "^" of the path it
// escapes, as the standard has it since March 2025 and the parser does not yet.
func appendEscaped(dst []byte, s string) []byte {
	query := false
	for i := 0; i < len(s); i++ {
		query = query || s[i] == '?'
		if s[i] == '^' && !query {
			dst = appendEscape(dst, '^')
			continue
		}
		if s[i] != '%' {
			dst = append(dst, s[i])
			continue
		}
		c, ok := unescape(s[i:])
		switch {
		case !ok:
			// Left alone, "%2%65" would become "%2e", and a dot the next time.
			dst = append(dst, "%25"...)
			continue
		case unreserved(c):
			dst = append(dst, c)
		default:
			dst = appendEscape(dst, c)
		}
		i += len("%XX") - 1
	}
	return dst
}

// unescape decodes the escape at the start of s.
func unescape[T text](s T) (byte, bool) {
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

func appendEscape(dst []byte, c byte) []byte {
	return append(dst, '%', upperHex[c>>4], upperHex[c&15])
}

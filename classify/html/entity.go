package html

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// MaxEntity bounds the names of entities: the longest has 32 bytes with its semicolon.
const MaxEntity = 40

// AppendValue appends the value of an attribute, decoded: entities, line ends, NUL.
func AppendValue(dst, value []byte) []byte {
	for i := 0; i < len(value); i++ {
		switch c := value[i]; c {
		case '&':
			text, n := entity(value[i:])
			dst = append(dst, text...)
			i += n - 1
		case '\r':
			dst = append(dst, '\n')
			if i+1 < len(value) && value[i+1] == '\n' {
				i++
			}
		case 0:
			dst = append(dst, "\uFFFD"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// IsPlain tells whether the value of an attribute means itself.
func IsPlain(value []byte) bool {
	return bytes.IndexByte(value, '&') < 0 && bytes.IndexByte(value, '\r') < 0 && bytes.IndexByte(value, 0) < 0
}

// entity decodes the character reference that s, the rest of an attribute's value, begins with, and gives its length; an "&" that begins
// none stands for itself.
func entity(s []byte) (text string, length int) {
	if bytes.HasPrefix(s, []byte("&amp;")) {
		return "&", len("&amp;")
	}
	n := entityEnd(s)
	ref := string(s[:n])
	numeric := n > 1 && s[1] == '#'
	if n == 1 || !numeric && (n > MaxEntity || ref[n-1] != ';' && n < len(s) && s[n] == '=') {
		return "&", 1
	}
	text = html.UnescapeString(ref)
	// In a text the beginning of a name may be an entity ("&notit;"), in an attribute only all of it.
	if !numeric && utf8.RuneCountInString(text) > 1 && text[len(text)-1] == ref[n-1] {
		return "&", 1
	}
	if text == ref {
		return "&", 1
	}
	return text, n
}

// entityEnd gives the length of what may be a character reference at the start of s: "&name;", "&#1;" or "&#x1;",
// with or without semicolon.
func entityEnd(s []byte) int {
	n, is := 1, isAlphanumeric
	if n < len(s) && s[n] == '#' {
		n, is = 2, isDigit
		if n < len(s) && s[n]|0x20 == 'x' {
			n, is = 3, isHex
		}
	}
	for n < len(s) && is(s[n]) {
		n++
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isAlphanumeric(c byte) bool { return isDigit(c) || letter(c) }

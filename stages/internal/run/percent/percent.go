// Package percent implements the escaping used in batch files and reports: every byte outside 0x21
// to 0x7e, and % itself, is written %XX with upper-case digits. The result is one field of a line,
// without blanks and control characters, and can be reversed.
package percent

import "fmt"

const hex = "0123456789ABCDEF"

// Plain reports whether c is not escaped.
func Plain(c byte) bool { return c >= 0x21 && c <= 0x7e && c != '%' }

// Escape returns s escaped.
func Escape(s string) string {
	if isPlain(s) {
		return s
	}
	return string(Append(nil, s))
}

// Append appends s, escaped, to b.
func Append(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; Plain(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}

// Unescape reverses Escape. It also accepts lower-case digits. It returns an error for a % without
// two hexadecimal digits after it.
func Unescape(s string) (string, error) {
	if isPlain(s) {
		return s, nil
	}
	b, err := AppendUnescaped(make([]byte, 0, len(s)), s)
	return string(b), err
}

// AppendUnescaped appends the result of Unescape to b. After an error the returned slice is not
// valid.
func AppendUnescaped[T string | []byte](b []byte, s T) ([]byte, error) {
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) || digit(s[i+1]) < 0 || digit(s[i+2]) < 0 {
			return nil, fmt.Errorf("%% at byte %d of %q is not followed by two hexadecimal digits", i, s)
		}
		b = append(b, byte(digit(s[i+1])<<4|digit(s[i+2])))
		i += 2
	}
	return b, nil
}

func isPlain(s string) bool {
	for i := range len(s) {
		if !Plain(s[i]) {
			return false
		}
	}
	return true
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

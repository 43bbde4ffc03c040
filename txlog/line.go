package txlog

import (
	"strconv"
	"time"
)

// builder writes the body of a line: `kind\tkey=value value\tkey=…`.
type builder struct{ buf []byte }

func newLine(kind string) *builder { return &builder{buf: []byte(kind)} }

// add appends a field. No values, no field.
func (b *builder) add(key string, values ...string) *builder {
	if len(values) == 0 {
		return b
	}
	b.buf = append(append(append(b.buf, '\t'), key...), '=')
	for i, v := range values {
		if i > 0 {
			b.buf = append(b.buf, ' ')
		}
		b.buf = appendEscaped(b.buf, v)
	}
	return b
}

// addText appends a field only where the text is not empty.
func (b *builder) addText(key, value string) *builder {
	if value == "" {
		return b
	}
	return b.add(key, value)
}

func (b *builder) addTime(key string, t time.Time) *builder {
	if t.IsZero() {
		return b
	}
	return b.add(key, formatTime(t))
}

func (b *builder) addInt(key string, n int64) *builder {
	return b.add(key, strconv.FormatInt(n, 10))
}

// appendEscaped writes a value so that it holds no white space, no control
// character and nothing beyond ASCII. The empty value is a lone "-".
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	if s == "" {
		return append(dst, '-')
	}
	if s == "-" {
		return append(dst, "%2d"...)
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c > 0x20 && c < 0x7f && c != '%' {
			dst = append(dst, c)
			continue
		}
		dst = append(dst, '%', hex[c>>4], hex[c&15])
	}
	return dst
}

// appendUnescaped undoes appendEscaped, but for the empty value.
func appendUnescaped(dst, value []byte) (_ []byte, ok bool) {
	for {
		plain, rest, more := cut(value, '%')
		if dst = append(dst, plain...); !more {
			return dst, true
		}
		c, ok := unhex(rest)
		if !ok {
			return dst, false
		}
		dst, value = append(dst, c), rest[2:]
	}
}

// wellEscaped reports whether two digits stand behind every '%'.
func wellEscaped(values []byte) bool {
	_, rest, more := cut(values, '%')
	for more {
		if _, ok := unhex(rest); !ok {
			return false
		}
		_, rest, more = cut(rest[2:], '%')
	}
	return true
}

// unhex is the byte that the two digits at the beginning of a text mean.
func unhex(text []byte) (c byte, ok bool) {
	if len(text) < 2 {
		return 0, false
	}
	for _, digit := range text[:2] {
		switch {
		case digit >= '0' && digit <= '9':
			c = c<<4 | (digit - '0')
		case digit >= 'a' && digit <= 'f', digit >= 'A' && digit <= 'F':
			c = c<<4 | (digit&0xf + 9)
		default:
			return 0, false
		}
	}
	return c, true
}

package txlog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// timeForm is how every time stands in the log: UTC, to the millisecond.
const timeForm = "2006-01-02T15:04:05.000Z"

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

func unescape(s string) (string, error) {
	if s == "-" {
		return "", nil
	}
	if strings.IndexByte(s, '%') < 0 {
		return s, nil
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("cut escape in %q", s)
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("bad escape in %q", s)
		}
		out = append(out, byte(n))
		i += 2
	}
	return string(out), nil
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeForm)
}

package html

import "bytes"

// blank is the white space of HTML.
const blank = " \t\n\f\r"

// The meaning of the bytes in a tag.
const (
	isBlank   = 1 << iota
	endsName  // of an element
	endsKey   // the name of an attribute
	endsValue // without quotes
)

var class = func() (c [256]uint8) {
	for i := range len(blank) {
		c[blank[i]] = isBlank | endsName | endsKey | endsValue
	}
	c['/'] = endsName | endsKey
	c['>'] = endsName | endsKey | endsValue
	c['='] = endsKey
	return c
}()

func skipBlank(p []byte, i int) int {
	for i < len(p) && class[p[i]]&isBlank != 0 {
		i++
	}
	return i
}

// index returns the position of the next c from i on, or the end.
func index(p []byte, i int, c byte) int {
	if n := bytes.IndexByte(p[i:], c); n >= 0 {
		return i + n
	}
	return len(p)
}

// skipTo returns the position after the next c, or the end.
func skipTo(p []byte, i int, c byte) int {
	return min(index(p, i, c)+1, len(p))
}

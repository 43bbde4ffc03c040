package html

// blank is the white space of HTML.
const blank = " \t\n\f\r"

// What the bytes of a tag mean.
const (
	isBlank   = 1 << iota
	endsName  // of an element
	endsKey   // the name of an attribute
	endsValue // without quotes
	isLetter
)

var class = func() (c [256]uint8) {
	for i := range len(blank) {
		c[blank[i]] = isBlank | endsName | endsKey | endsValue
	}
	c['/'] = endsName | endsKey
	c['>'] = endsName | endsKey | endsValue
	c['='] = endsKey
	for i := range 'z' - 'a' + 1 {
		c['a'+i], c['A'+i] = isLetter, isLetter
	}
	return c
}()

func letter(c byte) bool { return class[c]&isLetter != 0 }

func skipBlank(p []byte, i int) int {
	for i < len(p) && class[p[i]]&isBlank != 0 {
		i++
	}
	return i
}

// lower gives name in lower case, in buf; nothing if it is longer, and so none that matters.
func lower(buf, name []byte) []byte {
	if len(name) > len(buf) {
		return nil
	}
	for i, c := range name {
		buf[i] = lowerCase(c)
	}
	return buf[:len(name)]
}

func lowerCase(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

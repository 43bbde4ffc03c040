package terms

import (
	"bytes"
	"html"
	"unicode"
)

// longestEntity is above the 33 bytes of the longest named entity there is,
// &CounterClockwiseContourIntegral; — and it bounds the digits of those by number.
const longestEntity = 64

// entity takes the character reference at the start of p, or what looks like one, and tells its
// length in p.
func (s *Splitter) entity(p []byte) int {
	n := 1
	for n < len(p) && n < longestEntity && (lower[p[n]] != 0 || '0' <= p[n] && p[n] <= '9' || p[n] == '#' && n == 1) {
		n++
	}
	if n < len(p) && p[n] == ';' {
		n++
	}
	switch string(p[:n]) {
	case "&", "&nbsp;", "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#34;", "&#160;":
		s.flush()
	default:
		text := []byte(html.UnescapeString(string(p[:n])))
		if s.ASCII {
			text = bytes.Map(blankBeyondASCII, text)
		}
		s.text(text, false)
	}
	return n
}

func blankBeyondASCII(r rune) rune {
	if r > unicode.MaxASCII {
		return ' '
	}
	return r
}

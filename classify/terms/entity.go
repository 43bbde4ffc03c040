package terms

import (
	"bytes"
	"html"
	"unicode"

	"multitext/classify/internal/ascii"
)

// longestEntity is the maximum length of an entity. The longest named entity,
// &CounterClockwiseContourIntegral;, has 33 bytes. The limit also bounds the digits of numeric
// entities.
const longestEntity = 64

// entity decodes the character reference at the start of p, or text that looks like one. It also
// returns the length of the reference in p.
func (s *Splitter) entity(p []byte) int {
	n := 1
	isOf := func(c byte) bool { return ascii.IsLetter(c) || '0' <= c && c <= '9' || c == '#' && n == 1 }
	for n < len(p) && n < longestEntity && isOf(p[n]) {
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

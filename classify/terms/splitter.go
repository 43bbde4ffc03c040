package terms

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"multitext/classify/html"
)

// Longest bounds a term, in bytes of UTF-8; a longer word is dropped.
const Longest = 64

// A Splitter finds terms. It holds the buffer of the term at hand, so it is for one goroutine, and
// for one sequence at a time; its zero value is ready.
type Splitter struct {
	// ASCII is the brute force of the thesis (4.2.1, 4.4.3): whatever the charset, a byte above
	// 0x7f stays in its term as it is, and an entity of a character above 0x7f parts terms.
	ASCII bool

	// Digits belong to terms, as letters do. They say nothing about a topic, but two texts that
	// differ by numbers are two.
	Digits bool

	term  [Longest + 8]byte      // letters are stored by eight
	n     int                    // the length of the term at hand; above Longest it is too long, and only this is known
	yield func(term []byte) bool // nil once the reader wants no more

	lexer html.Lexer
}

// HTML is the terms of a page, in its order. A term is valid until the next is asked for.
func (s *Splitter) HTML(page []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s.begin(yield)
		s.lexer.OpenShown(page)
		for s.yield != nil {
			text, escaped, ok := s.lexer.NextShown()
			if !ok {
				break
			}
			s.text(text, escaped)
			s.flush()
		}
		s.lexer.OpenShown(nil) // the page is not kept
	}
}

// Text is the terms of a plain text, in its order. A term is valid until the next is asked for.
func (s *Splitter) Text(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s.begin(yield)
		s.text(text, false)
		s.flush()
	}
}

func (s *Splitter) begin(yield func([]byte) bool) { s.n, s.yield = 0, yield }

// flush ends the term at hand.
func (s *Splitter) flush() {
	if s.n > 0 {
		s.end()
	}
}

func (s *Splitter) end() {
	if s.n <= Longest && s.yield != nil && !s.yield(s.term[:s.n]) {
		s.yield = nil
	}
	s.n = 0
}

// text reads on in the term at hand: an entity stands within a word as well as between two.
func (s *Splitter) text(p []byte, escaped bool) {
	for i := 0; i < len(p) && s.yield != nil; {
		switch c := p[i]; {
		case lower[c] != 0:
			i += s.letters(p[i:])
		case c >= utf8.RuneSelf && s.ASCII:
			s.byte(c)
			i++
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(p[i:])
			s.rune(r)
			i += size
		case c == '&' && escaped:
			i += s.entity(p[i:])
		case s.Digits && '0' <= c && c <= '9':
			s.byte(c)
			i++
		default:
			s.flush()
			i++
		}
	}
}

// letters takes the ASCII letters that p begins with, and tells how many. It looks at eight bytes
// at once.
func (s *Splitter) letters(p []byte) (n int) {
	for len(p)-n >= 8 {
		word := binary.LittleEndian.Uint64(p[n:])
		if s.n <= Longest {
			binary.LittleEndian.PutUint64(s.term[s.n:], word|allSpaces)
		}
		found := leadingLetters(word)
		s.n += found
		n += found
		if found < 8 {
			return n
		}
	}
	for ; n < len(p) && lower[p[n]] != 0; n++ {
		s.byte(lower[p[n]])
	}
	return n
}

func (s *Splitter) byte(c byte) {
	if s.n < Longest {
		s.term[s.n] = c
	}
	s.n++
}

// allSpaces makes ASCII letters lower case, eight at once; it is also a blank eight times.
const (
	allOnes   = 0x0101010101010101
	allSpaces = 0x20 * allOnes
	allHigh   = 0x80 * allOnes
)

// leadingLetters is how many of the eight bytes of word, the lowest first, are ASCII letters before
// one that is not. The highest bit of each byte tells: adding what is missing to it sets it for
// bytes from 'a' on, or beyond 'z'; it is set in those that are not ASCII.
func leadingLetters(word uint64) int {
	low := (word | allSpaces) &^ allHigh
	fromA, beyondZ := low+(0x80-'a')*allOnes, low+(0x80-'z'-1)*allOnes
	others := (^fromA | beyondZ | word) & allHigh
	return bits.TrailingZeros64(others) / 8
}

// lower maps ASCII letters to their lower case, and all other bytes to 0.
var lower = func() (t [256]byte) {
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return
}()

// firstUnparted is the first character of the scripts that put no blanks between words: Thai begins
// there.
const firstUnparted = 0x0e00

// rune takes a character above 0x7f. Bytes that are none of UTF-8 come as utf8.RuneError, which is
// no letter.
func (s *Splitter) rune(r rune) {
	switch {
	case r >= firstUnparted && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		s.flush()
		if unicode.IsLetter(r) || s.Digits && unicode.IsDigit(r) {
			s.append(r)
			s.flush()
		}
	case unicode.IsLetter(r), unicode.IsMark(r) && s.n > 0, s.Digits && unicode.IsDigit(r):
		s.append(unicode.ToLower(r))
	case unicode.Is(unicode.Cf, r):
	default:
		s.flush()
	}
}

func (s *Splitter) append(r rune) {
	size := utf8.RuneLen(r)
	if s.n+size <= Longest {
		utf8.EncodeRune(s.term[s.n:], r)
	}
	s.n += size
}

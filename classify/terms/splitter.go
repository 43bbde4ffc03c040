package terms

import (
	"encoding/binary"
	"iter"
	"unicode"
	"unicode/utf8"

	"multitext/classify/html"
	"multitext/classify/internal/ascii"
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

	term  [Longest + ascii.Size]byte // letters are stored by eight
	n     int                        // its length; above Longest it is too long, and only this is known
	yield func(term []byte) bool     // nil once the reader wants no more

	lexer html.Lexer
}

// HTML is the terms of a page, in its order. A term is valid until the next is asked for.
func (s *Splitter) HTML(page []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s.n, s.yield = 0, yield
		for s.lexer.Open(page, html.Shown); s.yield != nil && s.lexer.Next() == html.TextToken; {
			s.text(s.lexer.Text())
			s.flush()
		}
		s.lexer.Open(nil, 0) // the page is not kept
	}
}

// Text is the terms of a plain text, in its order. A term is valid until the next is asked for.
func (s *Splitter) Text(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s.n, s.yield = 0, yield
		s.text(text, false)
		s.flush()
	}
}

// flush ends the term at hand, if there is one.
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
		case ascii.IsLetter(c):
			i += s.letters(p[i:])
		case c <= ' ': // as most that are no letters
			s.flush()
			i++
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

// letters takes the ASCII letters that p begins with, and returns how many these are.
func (s *Splitter) letters(p []byte) (n int) {
	for len(p)-n >= ascii.Size {
		word := ascii.At(p, n)
		if s.n <= Longest {
			binary.LittleEndian.PutUint64(s.term[s.n:], uint64(word.Lower()))
		}
		found := word.Letters()
		s.n += found
		n += found
		if found < ascii.Size {
			return n
		}
	}
	for ; n < len(p) && ascii.IsLetter(p[n]); n++ {
		s.byte(ascii.Lower(p[n]))
	}
	return n
}

func (s *Splitter) byte(c byte) {
	if s.n < Longest {
		s.term[s.n] = c
	}
	s.n++
}

// unparted are the scripts that put no blanks between words, firstUnparted is their first
// character: Thai begins there.
const firstUnparted = 0x0e00

var unparted = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar}

// rune takes a character above 0x7f. Bytes that are none of UTF-8 come as utf8.RuneError, which is
// no letter.
func (s *Splitter) rune(r rune) {
	switch {
	case r >= firstUnparted && unicode.In(r, unparted...):
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

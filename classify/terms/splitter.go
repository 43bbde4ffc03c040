package terms

import (
	"encoding/binary"
	"iter"
	"unicode"
	"unicode/utf8"

	"multitext/classify/html"
	"multitext/classify/internal/ascii"
)

// Longest is the maximum length of a term, in bytes of UTF-8. Longer words are dropped.
const Longest = 64

// A Splitter finds terms. It contains the buffer of the current term, so only one goroutine may use
// it, for one sequence at a time. Its zero value is ready to use.
type Splitter struct {
	// ASCII selects the method of the thesis (4.2.1, 4.4.3), which ignores the charset. A byte
	// above 0x7f stays in its term unchanged, and an entity of a character above 0x7f separates
	// terms.
	ASCII bool

	// Digits makes digits parts of terms, like letters. Digits carry no information about a topic,
	// but two texts that differ only in numbers are different.
	Digits bool

	term  [Longest + ascii.Size]byte // eight letters are stored at a time
	n     int                        // its length; if above Longest, the term is too long and was not stored
	yield func(term []byte) bool     // nil when the caller wants no more terms

	lexer html.Lexer
}

// HTML returns the terms of a page, in order. A term is valid until the next one is requested.
func (s *Splitter) HTML(page []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s.n, s.yield = 0, yield
		for s.lexer.Open(page, html.Shown); s.yield != nil && s.lexer.Next() == html.TextToken; {
			s.text(s.lexer.Text())
			s.flush()
		}
		s.lexer.Open(nil, 0) // release the page
	}
}

// Text returns the terms of a plain text, in order. A term is valid until the next one is
// requested.
func (s *Splitter) Text(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s.n, s.yield = 0, yield
		s.text(text, false)
		s.flush()
	}
}

// flush ends the current term, if there is one.
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

// text continues the current term, because an entity may be within a word as well as between two
// words.
func (s *Splitter) text(p []byte, escaped bool) {
	for i := 0; i < len(p) && s.yield != nil; {
		switch c := p[i]; {
		case ascii.IsLetter(c):
			i += s.letters(p[i:])
		case c <= ' ': // most characters that are not letters
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

// letters takes the ASCII letters at the beginning of p, and returns their number.
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

// unparted are the scripts without blanks between words. firstUnparted is their first character,
// which is the beginning of Thai.
const firstUnparted = 0x0e00

var unparted = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar}

// rune takes a character above 0x7f. A byte that is not UTF-8 is passed as utf8.RuneError, which is
// not a letter.
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

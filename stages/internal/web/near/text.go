package near

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// visible calls do with each piece of text that a page shows; a piece is valid until do returns.
func visible(page []byte, do func([]byte)) {
	z := html.NewTokenizer(bytes.NewReader(page))
	hidden := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			if !hidden {
				do(z.Text())
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			hidden = isHidden(name)
		case html.EndTagToken:
			hidden = false
		}
	}
}

// isHidden tells whether the text behind a start tag, up to the next tag, is not shown.
func isHidden(tag []byte) bool {
	switch atom.Lookup(tag) {
	case atom.Script, atom.Style, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes, atom.Template:
		return true
	}
	return false
}

// longest bounds a word; what is longer is taken as several.
const longest = 256

// splitter cuts texts into words.
type splitter struct{ word []byte }

// words calls do with every word of the text: letters, digits and marks that stand together, in lower case.
// Of scripts that part no words by blanks each character is a word. Text of another encoding than UTF-8 is
// cut all the same, since every byte above 0x7f that is none of UTF-8 counts as a letter.
func (s *splitter) words(text []byte, do func([]byte)) {
	s.word = s.word[:0]
	flush := func() {
		if len(s.word) > 0 {
			do(s.word)
			s.word = s.word[:0]
		}
	}
	for len(text) > 0 {
		c := text[0]
		if c < utf8.RuneSelf {
			text = text[1:]
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
				s.word = append(s.word, c)
			} else {
				flush()
			}
		} else {
			r, n := utf8.DecodeRune(text)
			switch {
			case r == utf8.RuneError && n == 1:
				s.word = append(s.word, c)
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
				flush()
				do(text[:n])
			case unicode.In(r, unicode.Letter, unicode.Digit, unicode.Mark):
				s.word = utf8.AppendRune(s.word, unicode.ToLower(r))
			default:
				flush()
			}
			text = text[n:]
		}
		if len(s.word) >= longest {
			flush()
		}
	}
	flush()
}

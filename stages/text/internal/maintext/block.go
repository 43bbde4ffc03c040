package maintext

import (
	"bytes"
	"unicode/utf8"
)

// A block is a piece of text between two tags that begin a new line.
type block struct {
	from, to      int // its text in blocks.text
	words, linked int // how many words it has, and how many of these are in links
	region        int // the innermost region around it, or -1
	heading       bool
	main, article bool // it is in a MAIN, an ARTICLE
	kept          bool // it is of the main text
}

// blocks collects the text of a page.
type blocks struct {
	text    []byte // of all blocks, each with single blanks, or as it is if it is preserved
	all     []block
	regions []region
	inside  []int // the regions that are open, the outermost first

	open      block // the block that is being read
	gap       byte  // what goes in front of the next character: a blank, a new line or, if 0, nothing
	inWord    bool  // the current word has been counted
	unparted  int   // characters of scripts without blanks, of which two count as a word
	linked    bool  // the text is in a link
	preserved bool  // blanks are kept
}

func (b *blocks) reset() {
	*b = blocks{text: reusable(b.text), all: reusable(b.all), regions: reusable(b.regions), inside: b.inside[:0]}
	b.open.region = -1
}

// maxBlocks is how many blocks and regions of a page are read. Text behind the last is left out: a
// page of blocks of one letter would else take many times its size.
const maxBlocks = 1 << 17

// maxKept is the largest capacity of a buffer, in elements, that is kept for the next page.
const maxKept = 1 << 18

// reusable returns buf emptied, or nil if a large page has made it large.
func reusable[T any](buf []T) []T {
	if cap(buf) > maxKept {
		return nil
	}
	return buf[:0]
}

// The meaning of a byte in a text.
const (
	letter = iota // or a digit, or any byte of a character above ASCII but those below
	mark
	blank
	control // or part of one
	lead    // of a character that may be a control, a blank, or of a script without blanks
)

var kindOf = func() (kind [256]uint8) {
	for c := range kind {
		switch {
		case c == ' ', c == '\t', c == '\n', c == '\r', c == '\f':
			kind[c] = blank
		case c < ' ', c == 0x7f:
			kind[c] = control
		case c >= 0xe0, c == 0xc2:
			kind[c] = lead
		case c >= utf8.RuneSelf, '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
			kind[c] = letter
		default:
			kind[c] = mark
		}
	}
	return kind
}()

// add appends text to the open block.
func (b *blocks) add(p []byte) {
	if !utf8.Valid(p) {
		p = bytes.ToValidUTF8(p, []byte("\uFFFD"))
	}
	for i := 0; i < len(p); {
		start := i
		for i < len(p) && kindOf[p[i]] <= mark {
			if !b.inWord && kindOf[p[i]] == letter {
				b.word()
			}
			i++
		}
		if i > start {
			b.put(p[start:i])
			continue
		}
		switch kindOf[p[i]] {
		case blank:
			if !bytes.HasPrefix(p[i:], []byte("\r\n")) { // which is one line end
				b.blank(p[i])
			}
			i++
		case control:
			i++
		default:
			i += b.rune(p[i:])
		}
	}
}

// put appends bytes that are neither blank nor control.
func (b *blocks) put(p []byte) {
	if b.gap != 0 {
		if len(b.text) > b.open.from {
			b.text = append(b.text, b.gap)
		}
		b.gap = 0
	}
	b.text = append(b.text, p...)
}

func (b *blocks) word() {
	b.inWord = true
	b.open.words++
	if b.linked {
		b.open.linked++
	}
}

// blank ends a word.
func (b *blocks) blank(c byte) {
	b.inWord = false
	switch {
	case b.preserved:
		switch c {
		case '\r':
			c = '\n'
		case '\f':
			c = ' '
		}
		if len(b.text) > b.open.from || c != '\n' { // empty lines at its begin are dropped
			b.text = append(b.text, c)
		}
	case b.gap == 0:
		b.gap = ' '
	}
}

// newLine begins another line of the block.
func (b *blocks) newLine() {
	b.inWord, b.gap = false, '\n'
}

// rune appends a character of several bytes, and returns their number.
func (b *blocks) rune(p []byte) int {
	r, size := utf8.DecodeRune(p)
	switch {
	case r == 0xa0, r == 0x2028, r == 0x2029, r == 0x3000:
		b.blank(' ')
	case r < 0xa0, r == 0xfeff, r >= 0xe000 && r < 0xf900, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		// Controls, byte order marks, the icons of fonts, and what turns the direction of a text.
	case isUnparted(r):
		b.put(p[:size])
		b.inWord = false
		if b.unparted++; b.unparted%2 == 0 {
			b.word()
			b.inWord = false
		}
	default:
		if !b.inWord && !isMark(r) {
			b.word()
		}
		b.put(p[:size])
	}
	return size
}

// isUnparted reports whether a character is of a script without blanks between words: Thai to
// Tibetan, Burmese, Khmer, Chinese and Japanese.
func isUnparted(r rune) bool {
	return r >= 0x0e00 && (r < 0x1000+0xa0 || r >= 0x1780 && r < 0x1800 || r >= 0x2e80 && r < 0xac00 && r > 0x3000+2 ||
		r >= 0xf900 && r < 0xfb00 || r >= 0x20000 && r < 0x40000)
}

// isMark reports whether a character is punctuation or a symbol, such as the pilcrow in links to a
// heading.
func isMark(r rune) bool {
	return r < 0xc0 && r != 0xaa && r != 0xb5 && r != 0xba || r >= 0x2000 && r < 0x2c00 || r >= 0x3000 && r < 0x3003 ||
		r >= 0xff00 && r < 0xff10
}

// end ends the open block.
func (b *blocks) end() {
	if b.open.words > 0 && len(b.all) < maxBlocks {
		b.text = bytes.TrimRight(b.text, " \t\n") // of a text that keeps its blanks
		b.open.to = len(b.text)
		b.all = append(b.all, b.open)
	} else {
		b.text = b.text[:b.open.from]
	}
	b.open = block{from: len(b.text)}
	b.gap, b.inWord, b.unparted = 0, false, 0
}

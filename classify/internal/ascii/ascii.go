// Package ascii reads ASCII letters, eight bytes at a time. Most words and names are shorter than
// that. So they are found and read without a branch for each byte, which the processor could not
// predict.
package ascii

import (
	"encoding/binary"
	"math/bits"
)

// A Word is eight bytes of a text, the first one in the lowest bits.
type Word uint64

// Size is the number of bytes in a Word.
const Size = 8

// each, multiplied by a byte, is that byte eight times. high is the highest bit of each byte.
const (
	each Word = 0x0101010101010101
	high      = each << 7
)

// At returns the word at p[i:], which must have at least Size bytes.
func At(p []byte, i int) Word {
	return Word(binary.LittleEndian.Uint64(p[i : i+Size : i+Size]))
}

// Equal marks the first byte that equals c by its highest bit. It may also mark bytes after the
// first one. It returns 0 if no byte equals c.
func (w Word) Equal(c byte) Word {
	w ^= each * Word(c) // a zero byte for each c
	return (w - each) &^ w & high
}

// First returns the index of the first marked byte, or Size if there is none.
func (w Word) First() int { return bits.TrailingZeros64(uint64(w)) / 8 }

// Letters returns the number of letters at the beginning of the word.
func (w Word) Letters() int {
	low := (w | lowerCase*each) &^ high
	// Adding the difference between a byte and 0x80 sets its highest bit.
	fromA, beyondZ := low+(0x80-'a')*each, low+(0x80-'z'-1)*each
	return ((^fromA | beyondZ | w) & high).First()
}

// Lower returns the word with its letters in lower case. Other bytes may change.
func (w Word) Lower() Word { return w | lowerCase*each }

// lowerCase is the bit that makes a letter lower case.
const lowerCase = 0x20

// IsLetter reports whether c is a letter.
func IsLetter(c byte) bool { return c|lowerCase-'a' <= 'z'-'a' }

// Lower returns c in lower case.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | lowerCase
	}
	return c
}

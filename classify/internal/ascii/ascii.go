// Package ascii reads letters of ASCII, eight bytes at a time. Words and names are short: they are
// found and read at once, without a branch for each byte, which the processor could not predict.
package ascii

import (
	"encoding/binary"
	"math/bits"
)

// A Word is eight bytes of a text, the first one lowest.
type Word uint64

// Size is the number of bytes in a Word.
const Size = 8

// each, times a byte, is that byte eight times; high is the highest bit of each.
const (
	each Word = 0x0101010101010101
	high      = each << 7
)

// At returns the word at p[i:], which must have so many bytes.
func At(p []byte, i int) Word {
	return Word(binary.LittleEndian.Uint64(p[i : i+Size : i+Size]))
}

// Equal marks the first byte that is c by its highest bit, and perhaps some after it. It returns 0
// if there is none.
func (w Word) Equal(c byte) Word {
	w ^= each * Word(c) // a zero byte for each c
	return (w - each) &^ w & high
}

// First returns the place of the first byte that is marked, Size if there is none.
func (w Word) First() int { return bits.TrailingZeros64(uint64(w)) / 8 }

// Letters returns how many letters the word begins with.
func (w Word) Letters() int {
	low := (w | lowerCase*each) &^ high
	// Adding what a byte lacks to 0x80 sets its highest bit.
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

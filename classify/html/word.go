package html

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A word is eight bytes of a page, the first one lowest. Names, and what stands between two tags,
// are short: they are found and read at once, without a branch for each byte, of which the
// processor foresees none.
type word uint64

// wordSize is its bytes.
const wordSize = 8

// each, times a byte, is that byte eight times; high is the highest bit of each.
const (
	each word = 0x0101010101010101
	high      = each << 7
)

// wordAt gives the word at p[i:], which has so many bytes.
func wordAt(p []byte, i int) word {
	return word(binary.LittleEndian.Uint64(p[i : i+wordSize : i+wordSize]))
}

// equal marks the first byte that is c, by its highest bit, and perhaps some behind it; it gives 0
// if there is none.
func (w word) equal(c byte) word {
	w ^= each * word(c) // a zero byte for each c
	return (w - each) &^ w & high
}

// first gives the place of the first byte that is marked, wordSize if there is none.
func (w word) first() int { return bits.TrailingZeros64(uint64(w)) / 8 }

// letters gives how many bytes it begins with are between 0x40 and 0x7f: letters, and few others.
func (w word) letters() int {
	return ((^w<<1 | w) & high).first()
}

// lower gives the bytes in lower case, up to the first one above 0x7f.
func (w word) lower() word {
	capitals := (w + (0x80-'A')*each) &^ (w + (0x80-'Z'-1)*each) & high
	return w | capitals>>2
}

// index gives the place of the next c, from i on, or the end. Most are near: the first two words
// are looked at here.
func index(p []byte, i int, c byte) int {
	if len(p)-i >= 2*wordSize {
		one, two := wordAt(p, i).equal(c), wordAt(p, i+wordSize).equal(c)
		if one|two != 0 {
			n := one.first()
			if one == 0 {
				n += two.first()
			}
			return i + n
		}
		i += 2 * wordSize
	}
	if n := bytes.IndexByte(p[i:], c); n >= 0 {
		return i + n
	}
	return len(p)
}

// skipTo gives the place behind the next c, or the end.
func skipTo(p []byte, i int, c byte) int {
	return min(index(p, i, c)+1, len(p))
}

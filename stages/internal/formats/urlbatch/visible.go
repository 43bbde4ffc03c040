package urlbatch

import (
	"encoding/binary"
	"math/bits"
)

// visible returns how many bytes at the beginning of b are of 0x21 to 0x7e. It looks at eight at a
// time.
func visible(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		if out := invisible(binary.LittleEndian.Uint64(b[n:])); out != 0 {
			return n + bits.TrailingZeros64(out)/8
		}
	}
	for n < len(b) && b[n] >= 0x21 && b[n] <= 0x7e {
		n++
	}
	return n
}

// invisible returns a word whose lowest bit that is set is the top one of the first of x's eight
// bytes outside 0x21 to 0x7e; 0 if there is none. A byte below 0x21 has its top bit set when 0x21
// is taken from it, 0xff too, and one from 0x7f to 0xfe when 1 is added. Borrows and carries reach
// only the bytes after the first.
func invisible(x uint64) uint64 {
	const each = 0x0101010101010101
	return ((x - 0x21*each) | (x + each)) & (0x80 * each)
}

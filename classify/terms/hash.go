package terms

import (
	"encoding/binary"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// Hash is the hash by which terms are known: two terms with the same one are the same term to a
// Document, to a model and to a list of words. With 64 bits that befalls no honest page, and a
// forger only spoils the counts of his own. No file holds a hash.
//
// Long terms have their XXH64. For the others, which are nearly all, that would take as long as all
// else that counts a term does: theirs is one product of both halves, with all 128 bits of it
// folded.
func Hash(term []byte) uint64 {
	n := len(term)
	if n > 16 {
		return xxhash.Sum64(term)
	}
	if cap(term) < 16 {
		var padded [16]byte
		copy(padded[:], term)
		term = padded[:]
	}
	term = term[:16] // what is behind the term is shifted out
	low, high := binary.LittleEndian.Uint64(term), binary.LittleEndian.Uint64(term[8:])
	beyondLow, beyondHigh := 8*max(8-n, 0), 8*min(16-n, 8)
	low, high = low<<beyondLow>>beyondLow, high<<beyondHigh>>beyondHigh
	// Odd numbers of random bits, so that a half of zeros, or of one letter, is none for the
	// product.
	const one, other = 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03
	top, bottom := bits.Mul64(low^one, high^uint64(n)^other)
	return top ^ bottom
}

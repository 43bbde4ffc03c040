package terms

import (
	"encoding/binary"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// Hash returns the hash that identifies a term. A Document, a model and a list of words treat two
// terms with the same hash as the same term. With 64 bits this does not happen on honest pages, and
// a forger only spoils the counts of his own pages. No file contains a hash.
//
// The hash of a long term is its XXH64. Nearly all terms are short. For these, XXH64 would take as
// long as all other work for counting a term. Their hash is the product of both halves of the term,
// with all 128 bits of it folded.
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
	term = term[:16] // the bytes after the term are shifted out
	low, high := binary.LittleEndian.Uint64(term), binary.LittleEndian.Uint64(term[8:])
	beyondLow, beyondHigh := 8*max(8-n, 0), 8*min(16-n, 8)
	low, high = low<<beyondLow>>beyondLow, high<<beyondHigh>>beyondHigh
	// Odd numbers of random bits, so that a half of zeros, or of one repeated letter, does not make
	// the product trivial.
	const one, other = 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03
	top, bottom := bits.Mul64(low^one, high^uint64(n)^other)
	return top ^ bottom
}

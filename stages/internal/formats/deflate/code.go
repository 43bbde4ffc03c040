package deflate

import "math/bits"

// maxCode is the most bits of a code that is made here: 15 are allowed; with 12, four literals are
// put at once.
const maxCode = 12

// A code is what stands for a symbol: its number of bits in the lowest byte, and the bits behind
// it.
type code uint32

func (c code) bits() uint64 { return uint64(c >> 8) }
func (c code) n() uint      { return uint(c & 0xff) }

// codes are those of a block.
type codes struct {
	litLen  [numLit]uint8
	distLen [numDist]uint8
	lit     [numLit]code
	length  [256]code // of a length less 3, with its extra bits
	dist    [roomDist]code
}

// assign makes the canonical codes of the lengths (RFC 1951, section 3.2.2).
func (c *codes) assign() {
	assign(c.lit[:], c.litLen[:])
	assign(c.dist[:numDist], c.distLen[:])
	for length, sym := range lengthSymbol {
		of := c.lit[firstCopy+int(sym)]
		extra := uint32(length - int(lengthBase[sym]))
		c.length[length] = (of + code(lengthExtra[sym])) | code(extra<<(of.n()+8))
	}
}

func assign(codes []code, lengths []uint8) {
	var next [17]uint32 // code of each length
	for _, n := range lengths {
		next[n+1]++
	}
	next[1] = 0
	for n := 2; n < len(next); n++ {
		next[n] = (next[n] + next[n-1]) << 1
	}
	for s, n := range lengths {
		codes[s] = 0
		if n != 0 {
			codes[s] = code(bits.Reverse16(uint16(next[n]))>>(16-n))<<8 | code(n)
			next[n]++
		}
	}
}

// lengthSymbol returns the symbol of a length less 3, less that of the shortest.
var lengthSymbol = func() (symbols [256]uint8) {
	for sym, base := range lengthBase {
		for length := int(base); length < len(symbols); length++ {
			symbols[length] = uint8(sym)
		}
	}
	return symbols
}()

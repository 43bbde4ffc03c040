package deflate

import "sync"

// The bits of input that lead into a table without a second step.
const (
	litBits  = 11
	distBits = 8
)

// Room for the worst codes that RFC 1951 permits: the first tables, and all second ones behind
// them. It is what zlib's program enough finds for 288 symbols with 11 bits and for 32 with 8, both
// of codes up to 15 bits.
const (
	litRoom  = 2342
	distRoom = 402
)

// An cell of a table says what the code means that led to it:
//
//	bits 0-5    bits to take from the input, those of a number behind the code included
//	bits 8-11   bits of the code alone; in a link, those that lead into the second table
//	bit 12      a literal
//	bit 13      a link to a second table
//	bit 14      the end of the block
//	bits 16-31  the literal, the length or distance without its number, or where the second table begins
//
// An cell without a meaning, that is zero, is of a code that no symbol has.
type cell = uint32

const (
	literal  cell = 1 << 12
	link     cell = 1 << 13
	blockEnd cell = 1 << 14
	special       = link | blockEnd

	takeMask = 1<<6 - 1
)

// tables are those of the two codes of a block.
type tables struct {
	lit  [litRoom]cell
	dist [distRoom]cell
}

// litMeaning and distMeaning give the cell of a symbol without the bits of its code; 0 is a symbol
// that has no meaning.
func litMeaning(symbol int) cell {
	switch {
	case symbol < endOfBlock:
		return cell(symbol)<<16 | literal
	case symbol == endOfBlock:
		return blockEnd
	case symbol < usedLit:
		i := symbol - firstCopy
		return (minLength+cell(lengthBase[i]))<<16 | cell(lengthExtra[i])
	}
	return 0
}

func distMeaning(symbol int) cell {
	switch {
	case symbol < 4:
		return cell(symbol+1) << 16
	case symbol < numDist:
		extra := distExtra[symbol]
		return cell(1+(2+symbol%2)<<extra)<<16 | cell(extra)
	}
	return 0
}

// litMeanings and distMeanings are those of all symbols, so that making a table reckons none.
var litMeanings, distMeanings = func() (lit [numLit]cell, dist [roomDist]cell) {
	for i := range lit {
		lit[i] = litMeaning(i)
	}
	for i := range dist {
		dist[i] = distMeaning(i)
	}
	return lit, dist
}()

// fixedTables returns those of the fixed codes, made when they are first met.
var fixedTables = sync.OnceValue(func() *tables {
	t := &tables{}
	build(t.lit[:], litBits, fixedLit[:], litMeanings[:])
	build(t.dist[:], distBits, fixedDist[:], distMeanings[:])
	return t
})

package deflate

import "sync"

// The bits of input that lead into a table without a second step.
const (
	litBits  = 11
	distBits = 8
)

// Room for the worst codes that RFC 1951 permits: the first tables, and behind them the second
// ones. Each of these has two symbols at least, and at most as many cells as the longest code has
// bits for.
const (
	litRoom  = 1<<litBits + numLit/2<<(maxCodeBits-litBits)
	distRoom = 1<<distBits + roomDist/2<<(maxCodeBits-distBits)
)

// A cell of a table says what the code means that led to it:
//
//	bits 0-5    bits to take from the input, those of a number behind the code included
//	bits 8-11   bits of the code alone; in a link, those that lead into the second table
//	bit 12      a literal
//	bit 13      a link to a second table
//	bit 14      the end of the block
//	bits 16-31  the literal, the length or distance without its number, or where the second table begins
//
// A cell without a meaning, that is zero, is of a code that no symbol has.
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

// litMeanings and distMeanings are the cells of the symbols without the bits of their codes; 0 is
// a symbol that has no meaning.
var litMeanings, distMeanings = func() (lit [numLit]cell, dist [roomDist]cell) {
	for symbol := range endOfBlock {
		lit[symbol] = cell(symbol)<<16 | literal
	}
	lit[endOfBlock] = blockEnd
	for i, base := range lengthBase {
		lit[firstCopy+i] = (minLength+cell(base))<<16 | cell(lengthExtra[i])
	}
	for symbol := range cell(numDist) {
		dist[symbol] = (symbol + 1) << 16
		if extra := distExtra[symbol]; extra > 0 {
			dist[symbol] = (1+(2+symbol%2)<<extra)<<16 | cell(extra)
		}
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

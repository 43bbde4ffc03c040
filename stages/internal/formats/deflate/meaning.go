package deflate

import "sync"

// The bits of input that lead into a table without a second step.
const (
	litBits  = 11
	distBits = 8
)

// Room for the worst codes that RFC 1951 permits: the first tables, and behind them the second
// ones. Each of these has two symbols at least, and at most as many entries as the longest code has
// bits for.
const (
	litRoom  = 1<<litBits + numLit/2<<(maxCodeBits-litBits)
	distRoom = 1<<distBits + roomDist/2<<(maxCodeBits-distBits)
)

// An entry of a table says what the code means that led to it:
//
//	bits 0-5    bits to take from the input, those of a number behind the code included
//	bits 8-11   bits of the code alone; in a link, those that lead into the second table
//	bit 12      a literal
//	bit 13      a link to a second table
//	bit 14      the end of the block
//	bits 16-31  the literal, the length or distance without its number, or where the second table begins
//
// An entry without a meaning, that is zero, is of a code that no symbol has.
type entry = uint32

const (
	literal  entry = 1 << 12
	link     entry = 1 << 13
	blockEnd entry = 1 << 14
	special        = link | blockEnd

	takeMask = 1<<6 - 1
)

// tables are those of the two codes of a block.
type tables struct {
	lit  [litRoom]entry
	dist [distRoom]entry
}

// litMeanings and distMeanings are the entries of the symbols without the bits of their codes; 0 is
// a symbol that has no meaning.
var litMeanings, distMeanings = func() (lit [numLit]entry, dist [roomDist]entry) {
	for symbol := range endOfBlock {
		lit[symbol] = entry(symbol)<<16 | literal
	}
	lit[endOfBlock] = blockEnd
	for i, base := range lengthBase {
		lit[firstCopy+i] = (minLength+entry(base))<<16 | entry(lengthExtra[i])
	}
	for symbol := range entry(numDist) {
		dist[symbol] = (symbol + 1) << 16
		if extra := distExtra[symbol]; extra > 0 {
			dist[symbol] = (1+(2+symbol%2)<<extra)<<16 | entry(extra)
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

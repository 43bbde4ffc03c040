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

// litMeaning and distMeaning give the entry of a symbol without the bits of its code; 0 is a symbol
// that has no meaning.
func litMeaning(symbol int) entry {
	switch {
	case symbol < endOfBlock:
		return entry(symbol)<<16 | literal
	case symbol == endOfBlock:
		return blockEnd
	case symbol < usedLit:
		i := symbol - firstCopy
		return (minLength+entry(lengthBase[i]))<<16 | entry(lengthExtra[i])
	}
	return 0
}

func distMeaning(symbol int) entry {
	switch {
	case symbol < 4:
		return entry(symbol+1) << 16
	case symbol < numDist:
		extra := distExtra[symbol]
		return entry(1+(2+symbol%2)<<extra)<<16 | entry(extra)
	}
	return 0
}

// litMeanings and distMeanings are those of all symbols, so that making a table reckons none.
var litMeanings, distMeanings = func() (lit [numLit]entry, dist [roomDist]entry) {
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

package inflate

// The bits of input that lead into a table without a second step.
const (
	litBits  = 11
	distBits = 8
)

// Room for the worst codes that RFC 1951 permits: the first tables, and all second ones behind them. It is what
// zlib's program enough finds for 288 symbols with 11 bits and for 32 with 8, both of codes up to 15 bits.
const (
	litRoom  = 2342
	distRoom = 402
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
	literal    entry = 1 << 12
	link       entry = 1 << 13
	endOfBlock entry = 1 << 14
	special          = link | endOfBlock

	takeMask = 1<<6 - 1
)

// codes are the two codes of a block.
type codes struct {
	lit  [litRoom]entry
	dist [distRoom]entry
}

// What symbols mean (RFC 1951, section 3.2.5).
const (
	symbolEnd   = 256
	maxLitSyms  = 286
	maxDistSyms = 30
	maxCodeBits = 15
)

// symbolRoom is room for all symbols of a code, and distSyms for those of distances, in eights.
const (
	symbolRoom = 288
	distSyms   = 32
)

// litMeaning and distMeaning give the entry of a symbol without the bits of its code; 0 is a symbol that has no meaning.
func litMeaning(symbol int) entry {
	switch {
	case symbol < symbolEnd:
		return entry(symbol)<<16 | literal
	case symbol == symbolEnd:
		return endOfBlock
	case symbol < 265:
		return entry(symbol-254) << 16
	case symbol < 285:
		extra := uint(symbol-261) / 4
		return entry(3+(4+(symbol-261)%4)<<extra)<<16 | entry(extra)
	case symbol == 285:
		return 258 << 16
	}
	return 0
}

func distMeaning(symbol int) entry {
	if symbol < 4 {
		return entry(symbol+1) << 16
	}
	if symbol >= maxDistSyms {
		return 0
	}
	extra := uint(symbol)/2 - 1
	return entry(1+(2+symbol%2)<<extra)<<16 | entry(extra)
}

// meanings are those of all symbols, so that a table is made without reckoning.
type meanings struct {
	lit  [symbolRoom]entry
	dist [distSyms]entry
}

// meanings gives them, made when the first table is.
func (z *Inflater) meanings() *meanings {
	if z.means == nil {
		z.means = newMeanings()
	}
	return z.means
}

func newMeanings() *meanings {
	m := &meanings{}
	for i := range m.lit {
		m.lit[i] = litMeaning(i)
	}
	for i := range m.dist {
		m.dist[i] = distMeaning(i)
	}
	return m
}

// fixedCodes gives the codes of RFC 1951, section 3.2.6.
func (z *Inflater) fixedCodes() *codes {
	if z.fixed != nil {
		return z.fixed
	}
	var lengths [symbolRoom]uint8
	for symbol := range lengths {
		switch {
		case symbol < 144, symbol >= 280:
			lengths[symbol] = 8
		case symbol < 256:
			lengths[symbol] = 9
		default:
			lengths[symbol] = 7
		}
	}
	var dist [distSyms]uint8
	for symbol := range dist {
		dist[symbol] = 5
	}
	z.fixed = &codes{}
	m := z.meanings()
	build(z.fixed.lit[:], litBits, lengths[:], m.lit[:])
	build(z.fixed.dist[:], distBits, dist[:], m.dist[:])
	return z.fixed
}

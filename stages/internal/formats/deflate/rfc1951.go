package deflate

// Kinds of blocks (RFC 1951, section 3.2.3).
const (
	stored  = 0
	fixed   = 1
	dynamic = 2
)

// The alphabets of literals and lengths, and of distances (section 3.2.5).
const (
	endOfBlock = 256
	firstCopy  = 257 // symbol of the shortest length
	usedLit    = 286 // symbols that a block may use
	numLit     = 288 // the last two have their place in the fixed code
	numDist    = 30  // symbols that a block may use
	roomDist   = 32  // as above

	minLength   = 3 // of a copy
	maxLength   = 258
	maxDistance = 32 << 10
	maxCodeBits = 15
)

// What a symbol of a length begins with, less 3, and its extra bits. The longest length has a
// symbol of its own.
var (
	lengthBase = [...]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112,
		128, 160, 192, 224, 255}
	lengthExtra = [...]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
)

// distExtra is the number of extra bits of each symbol of a distance.
var distExtra = [roomDist]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12,
	12, 13, 13}

// fixedLit and fixedDist are the lengths of the fixed codes (section 3.2.6).
var fixedLit, fixedDist = func() (lit [numLit]uint8, dist [roomDist]uint8) {
	for symbol := range lit {
		switch {
		case symbol < 144, symbol >= 280:
			lit[symbol] = 8
		case symbol < 256:
			lit[symbol] = 9
		default:
			lit[symbol] = 7
		}
	}
	for symbol := range dist {
		dist[symbol] = 5
	}
	return lit, dist
}()

// Symbols that repeat a length of a code, and their extra bits (section 3.2.7).
const (
	repeatLast  = 16 // 3 to 6 times
	repeatZero  = 17 // 3 to 10 times
	repeatZeros = 18 // 11 to 138 times
	numRepeat   = 19
	maxRepeat   = 7 // bits of the code of these symbols
)

var repeatExtra = [numRepeat]uint8{repeatLast: 2, repeatZero: 3, repeatZeros: 7}

// lengthOrder is the order in which the lengths of the code of code lengths stand.
var lengthOrder = [numRepeat]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

package deflate

import (
	"encoding/binary"
	"math/bits"
)

const (
	blockSize = 32 << 10 // bytes of input that a block has at most
	maxPlaces = maxDistance + blockSize
	tableBits = 13
	skipLog   = 5  // where nothing matches, the steps grow by one for every 32 bytes
	margin    = 16 // no match is looked for closer to the end of a block, so that words can be loaded
)

// A window is the text that matches are looked for in, with room to load a word of its last bytes.
// A place in it is 16 bits.
type window [maxPlaces + word]byte

func (w *window) load64(at int) uint64 {
	at &= maxPlaces - 1
	return binary.LittleEndian.Uint64(w[at : at+8])
}

func (w *window) load32(at uint16) uint32 {
	return binary.LittleEndian.Uint32(w[int(at) : int(at)+4])
}

// A match is a run of literals, and what is copied behind them.
//
//	bits  0 to 15  number of literals
//	     16 to 23  length of the copy less 3
//	     24 to 28  symbol of its distance
//	     32 to 44  and the extra bits
type match uint64

func newMatch(run, length, distance int) match {
	d := uint32(distance - 1)
	extra := uint32(bits.Len32(d|3)-2) & 31 // number of extra bits
	return match(run) | match(length-minLength)<<16 | match(2*extra+d>>extra)<<24 | match(d&(1<<extra-1))<<32
}

func (m match) run() int      { return int(m & 0xffff) }
func (m match) length() uint8 { return uint8(m >> 16) }
func (m match) dist() int     { return int(m >> 24 & 31) }
func (m match) extra() uint64 { return uint64(m >> 32) }

// hash takes the five bytes that v begins with. Four would find more matches, but such as save
// little.
func hash(v uint64) uint64 { return v << 24 * 889523592379 >> (64 - tableBits) }

// find makes e.matches and e.literals of the text from there to the end of the window.
func (e *Encoder) find(from int) {
	w, table := &e.window, &e.table
	e.literals.n = 0
	matches, to := e.matches[:0], e.filled
	done, s := from, max(from, 1) // 0 in the table means none
	for s < to-margin {
		v, at := w.load64(s), uint16(s)
		h0, h1, h2, h3 := hash(v), hash(v>>8), hash(v>>16), hash(v>>24)
		t0 := table[h0]
		table[h0] = at
		t1 := table[h1]
		table[h1] = at + 1
		t2 := table[h2]
		table[h2] = at + 2
		t3 := table[h3]
		table[h3] = at + 3
		same := bit(w.load32(t0) == uint32(v)) | bit(w.load32(t1) == uint32(v>>8))<<1 |
			bit(w.load32(t2) == uint32(v>>16))<<2 | bit(w.load32(t3) == uint32(v>>24))<<3
		i := bits.TrailingZeros8(same) & 3
		t := int([4]uint16{t0, t1, t2, t3}[i])
		if same == 0 || s+i-t > maxDistance {
			s += 4 + (s-done)>>skipLog
			continue
		}
		s += i
		x := w.load64(s+4) ^ w.load64(t+4)
		n := 4 + bits.TrailingZeros64(x)>>3
		if x == 0 {
			n += w.same(s+12, t+12, to)
		}
		e.literals.add(w, done, s-done)
		if n <= maxLength {
			matches = append(matches, newMatch(s-done, n, s-t))
		} else {
			matches = appendLong(matches, s-done, n, s-t)
		}
		s += n
		done = s
		if s < to-margin {
			table[hash(w.load64(s-2))] = uint16(s - 2)
		}
	}
	e.literals.add(w, done, to-done)
	e.matches = matches
}

// appendLong appends a match that the format has no single length for.
func appendLong(matches []match, run, length, distance int) []match {
	for length > 0 {
		piece := min(length, maxLength)
		if left := length - piece; 0 < left && left < minLength {
			piece -= minLength
		}
		matches = append(matches, newMatch(run, piece, distance))
		run, length = 0, length-piece
	}
	return matches
}

// same returns the number of bytes that are alike at a and at b before it, up to the place to.
func (w *window) same(a, b, to int) (n int) {
	for ; a+n+8 <= to; n += 8 {
		if x := w.load64(a+n) ^ w.load64(b+n); x != 0 {
			return n + bits.TrailingZeros64(x)>>3
		}
	}
	for a+n < to && w[a+n] == w[b+n] {
		n++
	}
	return n
}

func bit(b bool) uint8 {
	var x uint8
	if b {
		x = 1
	}
	return x
}

// literals are those of a block, without the matches between them.
type literals struct {
	bytes [blockSize + 2*word]byte
	n     int
}

// add appends n bytes of the window, of which most runs have fewer than two words.
func (l *literals) add(w *window, from, n int) {
	binary.LittleEndian.PutUint64(l.bytes[l.n:l.n+8], w.load64(from))
	binary.LittleEndian.PutUint64(l.bytes[l.n+8:l.n+16], w.load64(from+8))
	if n > 16 {
		copy(l.bytes[l.n+16:], w[from+16:from+n])
	}
	l.n += n
}

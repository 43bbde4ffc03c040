package deflate

import (
	"encoding/binary"
	"math/bits"
)

// A tableBuilder makes the table of one code.
type tableBuilder struct {
	table   []cell
	first   uint
	meaning []cell
	longest uint
	count   [maxCodeBits + 1]uint16
}

// build makes the table of a code whose symbols have these lengths, in bits; there are zeros behind
// them to a multiple of eight. The first bits of the code lead into the first 1<<first cells. ok
// is false for lengths that are no code: all places must be taken, and none twice. A code of one
// symbol with one bit is one for RFC 1951 as well, and so is one without symbols, as long as nobody
// uses it.
func build(table []cell, first uint, lengths []uint8, meaning []cell) (ok bool) {
	b := tableBuilder{table: table, first: first, meaning: meaning}
	b.counts(lengths)
	b.longest = maxCodeBits
	for b.longest > 0 && b.count[b.longest] == 0 {
		b.longest--
	}
	free := 1 // places of the length that are not taken
	for n := uint(1); n <= b.longest; n++ {
		if free = free<<1 - int(b.count[n]); free < 0 {
			return false
		}
	}
	if free > 0 {
		return few(table[:1<<first], b.longest, lengths, meaning)
	}
	var sorted [numLit]uint16
	b.sort(lengths, &sorted)
	return b.fill(sorted[:])
}

// counts counts how many symbols have each length but 0. Most symbols have none, and stand
// together; of others two neighbours are counted apart, since often they have one length, and a
// count waits for the one before.
func (b *tableBuilder) counts(lengths []uint8) {
	var other [maxCodeBits + 1]uint16
	for ; len(lengths) >= 8; lengths = lengths[8:] {
		if binary.LittleEndian.Uint64(lengths) == 0 {
			continue
		}
		for i := 0; i < 8; i += 2 {
			b.count[lengths[i]&maxCodeBits]++
			other[lengths[i+1]&maxCodeBits]++
		}
	}
	for n := range other {
		b.count[n] += other[n]
	}
	b.count[0] = 0
}

// sort sorts the symbols by the lengths of their codes. Of those without one some come behind all
// others: it is faster to write them than to ask.
func (b *tableBuilder) sort(lengths []uint8, sorted *[numLit]uint16) {
	var at [maxCodeBits + 2]uint16 // where the next symbol of a length goes
	for n := 1; n <= maxCodeBits; n++ {
		at[n+1] = at[n] + b.count[n]
	}
	at[0] = at[maxCodeBits+1]
	for i := 0; i+8 <= len(lengths); i += 8 {
		if binary.LittleEndian.Uint64(lengths[i:]) == 0 {
			continue
		}
		for symbol, n := range lengths[i : i+8] {
			to := &at[n&maxCodeBits]
			sorted[*to] = uint16(i + symbol)
			*to++
		}
	}
}

// few makes the table of a code that leaves places free: with one symbol of one bit, or with none.
func few(table []cell, longest uint, lengths []uint8, meaning []cell) (ok bool) {
	if longest > 1 {
		return false
	}
	clear(table)
	for symbol, n := range lengths {
		for i := 0; n == 1 && i < len(table); i += 2 {
			table[i] = of(meaning[symbol], 1)
		}
	}
	return true
}

// of returns the cell of a symbol whose code has n bits, in this table.
func of(meaning cell, n uint) cell {
	if meaning == 0 {
		return 0
	}
	return meaning + cell(n) + cell(n)<<8
}

// fill writes the cells in the order of the codes. Bits come in with the first bit of a code
// lowest, so a code is kept reversed; what is above a code in the index is the next code's, so each
// cell stands at every place that ends in its code. Short codes are first: while codes get longer
// the table doubles, which writes those places.
func (b *tableBuilder) fill(sorted []uint16) (ok bool) {
	code, n := uint(0), uint(1)
	for ; n <= min(b.first, b.longest); n++ {
		if n > 1 {
			copy(b.table[1<<(n-1):1<<n], b.table[:1<<(n-1)])
		}
		for range b.count[n] {
			b.table[code] = of(b.meaning[sorted[0]], n)
			sorted = sorted[1:]
			code = next(code, n)
		}
	}
	for ; n <= b.first; n++ {
		copy(b.table[1<<(n-1):1<<n], b.table[:1<<(n-1)])
	}
	return b.seconds(sorted, code)
}

// seconds makes the second tables, of the codes longer than first bits; code is the first one's.
func (b *tableBuilder) seconds(sorted []uint16, code uint) (ok bool) {
	end := uint(1) << b.first // of what is used of table
	prefix, start, width := ^uint(0), uint(0), uint(0)
	for n := b.first + 1; n <= b.longest; n++ {
		for left := b.count[n]; left > 0; left-- {
			if p := code & (1<<b.first - 1); p != prefix {
				prefix, start = p, end
				width = b.width(n, left)
				if end += 1 << width; end > uint(len(b.table)) {
					return false
				}
				b.table[p] = cell(start)<<16 | link | cell(width)<<8 | cell(b.first)
			}
			e := of(b.meaning[sorted[0]], n-b.first)
			for i := code >> b.first; i < 1<<width; i += 1 << (n - b.first) {
				b.table[start+i] = e
			}
			sorted = sorted[1:]
			code = next(code, n)
		}
	}
	return true
}

// width returns the bits that lead into a second table which begins with a code of n bits, where
// left codes of n bits are to come: as many as its longest code has.
func (b *tableBuilder) width(n uint, left uint16) uint {
	w := n - b.first
	for taken := uint(left); taken < 1<<w && n < b.longest; {
		w, n = w+1, n+1
		taken = taken<<1 + uint(b.count[n])
	}
	return w
}

// next returns the code behind code, both of n bits and reversed; behind the last one, any.
func next(code, n uint) uint {
	zeros := ^code & (1<<n - 1)
	if zeros == 0 {
		return code
	}
	bit := uint(1) << (bits.Len(zeros) - 1)
	return code&(bit-1) | bit
}

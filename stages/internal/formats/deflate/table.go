package deflate

import "math/bits"

// build makes the table of the code whose symbols have these lengths, in bits. The first bits of
// the input lead into the first 1<<first cells, and those of longer codes on into second tables
// behind them. ok is false for lengths that make no code.
//
// Bits come in with the first bit of a code lowest, so a code is kept reversed. What is above a
// code in the index are the bits of the next code, so a cell stands at every place that ends in
// its code. Short codes are first: while codes get longer the table doubles, which writes those
// places.
func build(table []cell, first uint, lengths []uint8, meaning []cell) (ok bool) {
	var count [maxCodeBits + 1]uint16
	for _, n := range lengths {
		count[n]++
	}
	longest, ok := complete(&count)
	if !ok {
		return false
	}
	var sorted [numLit]uint16
	sortByLength(&sorted, lengths, &count)
	symbols, code := sorted[:], uint(0)
	table[0], table[1] = 0, 0
	for n := uint(1); n <= first; n++ {
		if n > 1 {
			copy(table[1<<(n-1):1<<n], table[:1<<(n-1)])
		}
		for _, s := range symbols[:count[n]] {
			table[code] = of(meaning[s], n)
			code = next(code, n)
		}
		symbols = symbols[count[n]:]
	}
	second, end := table[:0], uint(1)<<first // the second table at hand, what is used of table
	for n := first + 1; n <= longest; n++ {
		for _, s := range symbols[:count[n]] {
			if to := code & (1<<first - 1); code>>first == 0 {
				second = table[end : end+1<<(longest-first)]
				table[to] = cell(end)<<16 | link | cell(longest-first)<<8 | cell(first)
				end += uint(len(second))
			}
			for i := code >> first; i < uint(len(second)); i += 1 << (n - first) {
				second[i] = of(meaning[s], n-first)
			}
			code = next(code, n)
		}
		symbols = symbols[count[n]:]
	}
	return true
}

// complete returns the length of the longest code. ok is false if the lengths leave codes over, or
// would need more than there are. A code of one symbol with one bit is one for RFC 1951 as well,
// and so is one without symbols, as long as nobody uses it.
func complete(count *[maxCodeBits + 1]uint16) (longest uint, ok bool) {
	free := 1 << maxCodeBits
	for n, symbols := range count[1:] {
		if symbols > 0 {
			longest = uint(n) + 1
		}
		free -= int(symbols) << maxCodeBits >> (n + 1)
	}
	return longest, free == 0 || free > 0 && longest <= 1
}

// sortByLength makes sorted of the symbols that have a code.
func sortByLength(sorted *[numLit]uint16, lengths []uint8, count *[maxCodeBits + 1]uint16) {
	var at [maxCodeBits + 2]uint16 // where the next symbol of a length goes
	for n := 1; n <= maxCodeBits; n++ {
		at[n+1] = at[n] + count[n]
	}
	for symbol, n := range lengths {
		if n > 0 {
			sorted[at[n]] = uint16(symbol)
			at[n]++
		}
	}
}

// of returns the cell of a symbol whose code has n bits, in this table.
func of(meaning cell, n uint) cell {
	if meaning == 0 {
		return 0
	}
	return meaning + cell(n) + cell(n)<<8
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

package deflate

// A header says the codes of a dynamic block.
type header struct {
	lit, dist int // lengths of each code that are said
	runs      []repeat
	order     int // lengths that are said of the code of the runs
	lengths   [numRepeat]uint8
	size      int // bits
}

// A repeat is a symbol for code lengths, with its extra bits.
type repeat struct{ symbol, extra uint8 }

// plan finds how to say the codes.
func (h *header) plan(b *builder, c *codes) {
	var all [numLit + numDist]uint8
	h.lit, h.dist = said(c.litLen[:], firstCopy), said(c.distLen[:], 1)
	copy(all[copy(all[:], c.litLen[:h.lit]):], c.distLen[:h.dist])
	h.repeats(all[:h.lit+h.dist])

	var freq [numRepeat]uint32
	for _, r := range h.runs {
		freq[r.symbol]++
	}
	b.lengths(h.lengths[:], freq[:], maxRepeat)
	h.order = numRepeat
	for h.order > 4 && h.lengths[lengthOrder[h.order-1]] == 0 {
		h.order--
	}
	h.size = 5 + 5 + 4 + 3*h.order
	for s, f := range freq {
		h.size += int(f) * int(h.lengths[s]+repeatExtra[s])
	}
}

// said returns the number of lengths without the zeros at their end, but no less than least.
func said(lengths []uint8, least int) int {
	n := len(lengths)
	for n > least && lengths[n-1] == 0 {
		n--
	}
	return n
}

// repeats makes runs of the lengths.
func (h *header) repeats(lengths []uint8) {
	h.runs = h.runs[:0]
	for len(lengths) > 0 {
		length, n := lengths[0], 1
		for n < len(lengths) && lengths[n] == length {
			n++
		}
		lengths = lengths[n:]
		if length != 0 {
			h.runs = append(h.runs, repeat{symbol: length})
			n--
		}
		for n > 0 {
			r, k := repeat{symbol: length}, 1
			switch {
			case n < 3:
			case length != 0:
				k = min(n, 6)
				r = repeat{repeatLast, uint8(k - 3)}
			case n <= 10:
				k = n
				r = repeat{repeatZero, uint8(k - 3)}
			default:
				k = min(n, 138)
				r = repeat{repeatZeros, uint8(k - 11)}
			}
			h.runs = append(h.runs, r)
			n -= k
		}
	}
}

// write appends what was planned.
func (h *header) write(w *bitWriter) {
	w.put(uint64(h.lit-firstCopy)|uint64(h.dist-1)<<5|uint64(h.order-4)<<10, 14)
	for _, s := range lengthOrder[:h.order] {
		w.put(uint64(h.lengths[s]), 3)
	}
	var codes [numRepeat]code
	assign(codes[:], h.lengths[:])
	for _, r := range h.runs {
		c := codes[r.symbol]
		w.put(c.bits()|uint64(r.extra)<<c.n(), c.n()+uint(repeatExtra[r.symbol]))
	}
}

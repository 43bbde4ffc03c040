package deflate

// readCodes reads the header of a dynamic block (RFC 1951, section 3.2.7) and makes the tables of
// its codes.
func (z *Inflater) readCodes(s *stream, c *tables) error {
	s.refill()
	if s.n < 14 {
		return ErrShort
	}
	lits, dists, sizes := int(s.bits&31)+firstCopy, int(s.bits>>5&31)+1, int(s.bits>>10&15)+4
	s.take(14)
	if lits > usedLit || dists > numDist {
		return ErrCorrupt
	}
	var ofLengths [24]uint8
	for _, symbol := range lengthOrder[:sizes] {
		if s.n < 3 {
			if s.refill(); s.n < 3 {
				return ErrShort
			}
		}
		ofLengths[symbol] = uint8(s.bits & 7)
		s.take(3)
	}
	var table [1 << maxRepeat]cell
	if !build(table[:], maxRepeat, ofLengths[:], lengthMeaning[:]) {
		return ErrCorrupt
	}
	var lengths [numLit + roomDist]uint8
	if err := s.lengths(&table, lengths[:lits+dists]); err != nil {
		return err
	}
	var ofDists [roomDist]uint8
	copy(ofDists[:], lengths[lits:lits+dists])
	clear(lengths[lits : lits+dists])
	if !build(c.lit[:], litBits, lengths[:numLit], litMeanings[:]) ||
		!build(c.dist[:], distBits, ofDists[:], distMeanings[:]) {
		return ErrCorrupt
	}
	return nil
}

// lengthMeaning makes cells of the symbols of the code of lengths: the length, or how often one
// is repeated. They are marked as literals, so that no cell is 0.
var lengthMeaning = func() (m [numRepeat]cell) {
	for symbol := range m {
		m[symbol] = cell(symbol)<<16 | literal
	}
	return m
}()

// lengths reads the lengths of the codes' symbols to where zeros are.
func (s *stream) lengths(table *[1 << maxRepeat]cell, lengths []uint8) error {
	for i := 0; i < len(lengths); {
		if s.n < maxRepeat+7 {
			s.refill()
		}
		e := table[s.bits&(1<<maxRepeat-1)]
		if e == 0 {
			return s.broken()
		}
		symbol := uint8(e >> 16)
		bits := uint64(e & takeMask)
		if symbol < repeatLast {
			if s.n < bits {
				return ErrShort
			}
			s.take(bits)
			lengths[i] = symbol
			i++
			continue
		}
		times, extra := 3, uint64(repeatExtra[symbol])
		switch {
		case symbol == repeatLast && i == 0:
			return s.broken()
		case symbol == repeatZeros:
			times = 11
		}
		if s.n < bits+extra {
			return ErrShort
		}
		times += int(s.bits >> bits & (1<<extra - 1))
		s.take(bits + extra)
		if times > len(lengths)-i {
			return ErrCorrupt
		}
		if symbol == repeatLast {
			for j := range times {
				lengths[i+j] = lengths[i-1]
			}
		}
		i += times // over zeros, where it is no other length
	}
	return nil
}

// broken returns the error of a code that no symbol has: where bits are missing, their zeros may
// have led there.
func (s *stream) broken() error {
	if s.n < maxRepeat {
		return ErrShort
	}
	return ErrCorrupt
}

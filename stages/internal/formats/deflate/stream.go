package deflate

import (
	"encoding/binary"
	"errors"
	"slices"
)

var (
	// ErrShort says that the input ends before the stream does.
	ErrShort = errors.New("inflate: input ends too soon")
	// ErrLimit says that the stream inflates to more than the limit.
	ErrLimit = errors.New("inflate: more output than the limit")
	// ErrCorrupt says that the input is no deflate stream, or no gzip member.
	ErrCorrupt = errors.New("inflate: corrupt input")
)

// An Inflater holds what streams have in common: the tables of codes. It is not safe for concurrent
// use, and serves any number of streams in turn, block by block. Its zero value is ready.
type Inflater struct {
	own tables // of the block at hand
}

// A stream is a deflate stream that lies in memory, inflated up to the end of some block. What it
// needs to be one is src alone, which must not change.
type stream struct {
	src  []byte
	pos  int    // of the next byte of src that goes into bits
	bits uint64 // read from src and not used; the next is the lowest
	n    uint64 // how many bits of bits count; those above are zero, or are what comes next
	last bool   // the last block was inflated, or its inflation was begun
}

// rest returns what stands behind the stream when it is done.
func (s *stream) rest() []byte { return s.src[s.used():] }

// used returns the bytes of src that were looked at.
func (s *stream) used() int { return s.pos - int(s.n>>3) }

// block inflates the next block and appends it to dst, which holds what was inflated of the stream
// before. What it returns is at most limit bytes. After an error it may end in anything, and the
// stream is of no use.
func (z *Inflater) block(s *stream, dst []byte, limit int) ([]byte, error) {
	s.refill()
	if s.n < 3 {
		return dst, ErrShort
	}
	s.last = s.bits&1 != 0
	kind := s.bits >> 1 & 3
	s.take(3)
	switch kind {
	case stored:
		return s.stored(dst, limit)
	case fixed:
		return s.coded(fixedTables(), dst, limit)
	case dynamic:
		if err := z.readCodes(s, &z.own); err != nil {
			return dst, err
		}
		return s.coded(&z.own, dst, limit)
	}
	return dst, ErrCorrupt
}

// refill brings n to 56 and more, as far as the input goes.
func (s *stream) refill() {
	if len(s.src)-s.pos >= 8 {
		s.bits |= binary.LittleEndian.Uint64(s.src[s.pos:]) << (s.n & 63)
		s.pos += int(63-s.n) >> 3
		s.n |= 56
		return
	}
	for s.n < 56 && s.pos < len(s.src) {
		s.bits |= uint64(s.src[s.pos]) << (s.n & 63)
		s.pos++
		s.n += 8
	}
}

// take uses up bits; the caller knows that they are there.
func (s *stream) take(bits uint64) {
	s.bits >>= bits & 63
	s.n -= bits
}

// stored copies a block that is not compressed (RFC 1951, section 3.2.4).
func (s *stream) stored(dst []byte, limit int) ([]byte, error) {
	at := s.used() // the rest of a byte is not used
	s.pos, s.bits, s.n = at, 0, 0
	b := s.src[at:]
	if len(b) < 4 {
		return dst, ErrShort
	}
	size := int(binary.LittleEndian.Uint16(b))
	if size^0xffff != int(binary.LittleEndian.Uint16(b[2:])) {
		return dst, ErrCorrupt
	}
	if b = b[4:]; len(b) < size {
		return dst, ErrShort
	}
	if len(dst)+size > limit {
		return dst, ErrLimit
	}
	s.pos += 4 + size
	return append(dst, b[:size]...), nil
}

// coded inflates the symbols of a block.
func (s *stream) coded(c *tables, dst []byte, limit int) ([]byte, error) {
	for {
		dst = slices.Grow(dst, 2*slack)
		var why outcome
		if len(s.src)-s.pos >= inMargin {
			dst, why = s.symbols(c, s.src, dst, limit)
		} else {
			dst, why = s.lastSymbols(c, dst, limit)
		}
		switch {
		case !s.giveBack():
			return dst, ErrShort
		case why == corrupt:
			return dst, ErrCorrupt
		case len(dst) > limit:
			return dst[:limit], ErrLimit
		case why == ended:
			return dst, nil
		}
	}
}

// lastSymbols is symbols for the last bytes of the input, which get zeros behind them: enough that
// symbols stops only when it has taken some of them, or is at an end.
func (s *stream) lastSymbols(c *tables, dst []byte, limit int) ([]byte, outcome) {
	var padded [2*inMargin + 16]byte
	rest := copy(padded[:], s.src[s.pos:])
	from := s.pos
	s.pos = 0
	dst, why := s.symbols(c, padded[:rest+8+inMargin], dst, limit)
	s.pos += from
	return dst, why
}

// giveBack takes out of bits what was loaded of the zeros behind the input. ok is false where some
// of them were taken.
func (s *stream) giveBack() (ok bool) {
	zeros := 8 * uint64(max(0, s.pos-len(s.src)))
	if s.n < zeros {
		return false
	}
	s.n -= zeros
	s.pos = min(s.pos, len(s.src))
	return true
}

package deflate

import "encoding/binary"

// An outcome says why symbols stopped.
type outcome int

const (
	bounded outcome = iota // there is little left of the input, or little room for output
	ended                  // at the end of the block
	corrupt
)

// inMargin is how many bytes of input one turn of symbols may load, slack how many bytes of output
// it may write, with what is written too much and then written over.
const (
	inMargin = 16
	slack    = 3 + 258 + 32
)

// symbols decodes symbols of a block with the codes c from src, and appends to dst what they stand
// for: until the block ends, or little is left of src, of the capacity of dst, or dst has more than
// limit bytes. Most of the time of inflating is spent here. A turn of the loop takes up to three
// literals and a match, whose bits are loaded at once: a literal has at most 11 bits in the first
// table, of the 56 that are there, and a match at most 48. Of n the loop keeps only the lowest six
// bits right: an cell is subtracted as it is, and 63-n is ^n.
func (s *stream) symbols(c *tables, src, dst []byte, limit int) ([]byte, outcome) {
	bits, n, pos := s.bits, s.n, s.pos
	o := len(dst)
	dst = dst[:cap(dst)]
	lastIn, lastOut := len(src)-inMargin, min(len(dst)-slack, limit)
	why := bounded
	for pos <= lastIn && o <= lastOut {
		bits |= binary.LittleEndian.Uint64(src[pos:pos+8:pos+8]) << (n & 63)
		pos += int(^n & 63 >> 3)
		n |= 56

		e := c.lit[bits&(1<<litBits-1)]
		if e&literal != 0 {
			dst[o] = byte(e >> 16)
			o++
			bits >>= e & takeMask
			n -= uint64(e)
			e = c.lit[bits&(1<<litBits-1)]
			if e&literal != 0 {
				dst[o] = byte(e >> 16)
				o++
				bits >>= e & takeMask
				n -= uint64(e)
				e = c.lit[bits&(1<<litBits-1)]
				if e&literal != 0 {
					dst[o] = byte(e >> 16)
					o++
					bits >>= e & takeMask
					n -= uint64(e)
					continue
				}
			}
			bits |= binary.LittleEndian.Uint64(src[pos:pos+8:pos+8]) << (n & 63)
			pos += int(^n & 63 >> 3)
			n |= 56
		}
		if e&special != 0 {
			if e&link != 0 {
				bits >>= e & takeMask
				n -= uint64(e)
				e = c.lit[uint64(e>>16)+bits&(1<<(e>>8&15)-1)]
				if e&literal != 0 {
					dst[o] = byte(e >> 16)
					o++
					bits >>= e & takeMask
					n -= uint64(e)
					continue
				}
			}
			if e&blockEnd != 0 {
				bits >>= e & takeMask
				n -= uint64(e)
				why = ended
				break
			}
		}
		length := int(e>>16) + int(bits&(1<<(e&takeMask)-1)>>(e>>8&15))
		bits >>= e & takeMask
		n -= uint64(e)

		d := c.dist[bits&(1<<distBits-1)]
		if d&link != 0 {
			bits >>= d & takeMask
			n -= uint64(d)
			d = c.dist[uint64(d>>16)+bits&(1<<(d>>8&15)-1)]
		}
		distance := int(d>>16) + int(bits&(1<<(d&takeMask)-1)>>(d>>8&15))
		bits >>= d & takeMask
		n -= uint64(d)
		if e == 0 || d == 0 || distance > o {
			why = corrupt
			break
		}
		from := o - distance
		if distance < 16 {
			copyNear(dst, o, from, length)
			o += length
			continue
		}
		// Most matches have at most 32 bytes: the processor foresees that there is no second turn.
		end := o + length
		for copy32(dst, o, from); o+32 < end; copy32(dst, o, from) {
			o, from = o+32, from+32
		}
		o = end
	}
	s.bits, s.n, s.pos = bits, n&63, pos
	return dst[:o], why
}

// copyNear writes at dst[o:] what stands at dst[from:], less than 16 bytes before, length bytes of
// it, and up to 7 more, which are anything. What is repeated is doubled and more until it is eight
// bytes, which go at once.
func copyNear(dst []byte, o, from, length int) {
	distance, end := o-from, o+length
	for o < end && o-from < 8 {
		for range distance {
			dst[o] = dst[o-distance]
			o++
		}
	}
	for ; o < end; o, from = o+8, from+8 {
		*(*[8]byte)(dst[o:]) = *(*[8]byte)(dst[from:])
	}
}

// copy32 writes at dst[o:] the 32 bytes that stand at dst[from:], at least 16 before: the second
// half may repeat the first. The capacity of the slices is given since that is cheaper to check
// than that one is left.
func copy32(dst []byte, o, from int) {
	*(*[16]byte)(dst[o : o+16 : o+16]) = *(*[16]byte)(dst[from : from+16 : from+16])
	*(*[16]byte)(dst[o+16 : o+32 : o+32]) = *(*[16]byte)(dst[from+16 : from+32 : from+32])
}

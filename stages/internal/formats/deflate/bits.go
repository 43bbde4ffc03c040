package deflate

import (
	"encoding/binary"
	"slices"
)

// A bitWriter packs bits into bytes, the first into the lowest place.
type bitWriter struct {
	out  []byte
	bits uint64 // not yet in out
	n    uint   // their number, below 8 between two calls
}

// word is the room that put needs behind the end of out.
const word = 8

// grow makes room for size more bytes.
func (w *bitWriter) grow(size int) { w.out = slices.Grow(w.out, size+2*word) }

// put appends the n lowest bits of b, of which the others are zero; n is at most 56. There must be
// room.
func (w *bitWriter) put(b uint64, n uint) { w.out, w.bits, w.n = put(w.out, w.bits, w.n, b, n) }

// put is the method put for the parts of a bitWriter.
func put(out []byte, bits uint64, n uint, b uint64, more uint) ([]byte, uint64, uint) {
	bits |= b << (n & 63)
	n += more
	at := len(out)
	binary.LittleEndian.PutUint64(out[at:at+word], bits)
	return out[:at+int(n>>3)], bits >> (n & 56), n & 7
}

// align fills the last byte with zeros.
func (w *bitWriter) align() {
	w.grow(1)
	w.put(0, -w.n&7)
}

// store appends b, of no more than a block, as a stored block.
func (w *bitWriter) store(b []byte, last bool) {
	w.grow(len(b) + 8)
	w.begin(stored, last)
	w.align()
	w.put(uint64(len(b))|uint64(^uint16(len(b)))<<16, 32)
	w.out = append(w.out, b...)
}

// begin appends what every block begins with.
func (w *bitWriter) begin(blockType uint64, last bool) {
	if last {
		w.put(1|blockType<<1, 3)
		return
	}
	w.put(blockType<<1, 3)
}

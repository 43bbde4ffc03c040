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
func (w *bitWriter) put(b uint64, n uint) {
	w.bits |= b << (w.n & 63)
	w.n += n
	at := len(w.out)
	binary.LittleEndian.PutUint64(w.out[at:at+word], w.bits)
	w.out = w.out[:at+int(w.n>>3)]
	w.bits >>= w.n & 56
	w.n &= 7
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
func (w *bitWriter) begin(kind uint64, last bool) {
	if last {
		w.put(1|kind<<1, 3)
		return
	}
	w.put(kind<<1, 3)
}

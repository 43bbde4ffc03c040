package deflate

import "encoding/binary"

// block appends the text from there to the end of the window as one block.
func (e *Encoder) block(from int) {
	e.find(from)
	literals := e.literals.bytes[:e.literals.n]
	e.count.take(e.matches, literals)
	c := &e.codes
	e.build.lengths(c.litLen[:], e.count.lit[:], maxCode)
	e.build.lengths(c.distLen[:], e.count.dist[:numDist], maxCode)
	e.header.plan(&e.build, c)
	size := (e.header.size + e.count.size(c)) / 8
	if text := e.window[from:e.filled]; size >= len(text) {
		e.w.store(text, false)
		return
	}
	c.assign()
	e.w.grow(size + word)
	e.w.begin(dynamic, false)
	e.header.write(&e.w)
	e.w.tokens(c, e.matches, &e.literals)
}

// tokens appends the content of a block, and its end. The loop is the hottest beside find: what it keeps in
// registers is taken out of w.
func (w *bitWriter) tokens(c *codes, matches []match, l *literals) {
	out, at := w.out[:cap(w.out)], len(w.out)
	bits, n := w.bits, w.n
	literal := 0
	for _, m := range matches {
		run := m.run()
		for ; run > 4; run -= 4 {
			b, k := c.four(binary.LittleEndian.Uint32(l.bytes[literal:literal+4]), &masks[4])
			bits |= b << (n & 63)
			n += k
			binary.LittleEndian.PutUint64(out[at:at+word], bits)
			at += int(n >> 3)
			bits >>= n & 56
			n &= 7
			literal += 4
		}
		b, k := c.four(binary.LittleEndian.Uint32(l.bytes[literal:literal+4]), &masks[run])
		literal += run
		bits |= b << (n & 63)
		n += k
		binary.LittleEndian.PutUint64(out[at:at+word], bits)
		at += int(n >> 3)
		bits >>= n & 56
		n &= 7

		length, dist := c.length[m.length()], c.dist[m.dist()]
		b = length.bits() | dist.bits()<<(length&63)
		length += dist & 0xff
		b |= m.extra() << (length & 63)
		bits |= b << (n & 63)
		n += length.n() + uint(distExtra[m.dist()])
		binary.LittleEndian.PutUint64(out[at:at+word], bits)
		at += int(n >> 3)
		bits >>= n & 56
		n &= 7
	}
	w.out, w.bits, w.n = out[:at], bits, n
	for _, b := range l.bytes[literal:l.n] {
		w.put(c.lit[b].bits(), c.lit[b].n())
	}
	w.put(c.lit[endOfBlock].bits(), c.lit[endOfBlock].n())
}

// four gives the codes of four literals, as far as the mask lets them through.
func (c *codes) four(run uint32, mask *[4]code) (b uint64, n uint) {
	c0, c1 := c.lit[run&0xff]&mask[0], c.lit[run>>8&0xff]&mask[1]
	c2, c3 := c.lit[run>>16&0xff]&mask[2], c.lit[run>>24]&mask[3]
	b01 := c0.bits() | c1.bits()<<(c0&63)
	b23 := c2.bits() | c3.bits()<<(c2&63)
	c0 += c1
	return b01 | b23<<(c0&63), uint((c0 + c2 + c3) & 0xff)
}

// masks let through as many codes of four as there are literals.
var masks = [5][4]code{{}, {all}, {all, all}, {all, all, all}, {all, all, all, all}}

const all = 1<<32 - 1

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

// tokens appends the content of a block, and its end. The loop is the hottest beside find: what it
// keeps in registers is taken out of w.
func (w *bitWriter) tokens(c *codes, matches []match, l *literals) {
	out, at := w.out[:cap(w.out)], len(w.out)
	bits, n := w.bits, w.n
	literal := 0
	for _, m := range matches {
		for run := m.run(); ; run -= 4 {
			four, mask := l.bytes[literal:literal+4], &masks[min(run, 4)]
			c0, c1 := c.lit[four[0]]&mask[0], c.lit[four[1]]&mask[1]
			c2, c3 := c.lit[four[2]]&mask[2], c.lit[four[3]]&mask[3]
			b01 := c0.bits() | c1.bits()<<(c0&63)
			b23 := c2.bits() | c3.bits()<<(c2&63)
			c0 += c1
			bits |= (b01 | b23<<(c0&63)) << (n & 63)
			n += uint((c0 + c2 + c3) & 0xff)
			if run <= 4 {
				literal += run
				break
			}
			literal += 4
			binary.LittleEndian.PutUint64(out[at:at+word], bits)
			at += int(n >> 3)
			bits >>= n & 56
			n &= 7
		}

		length, dist := c.length[m.length()], c.dist[m.dist()]
		b := length.bits() | dist.bits()<<(length&63)
		length += dist & 0xff
		b |= m.extra() << (length & 63)
		k := length.n() + uint(distExtra[m.dist()])
		if n+k > 63 { // seldom: most runs are short
			binary.LittleEndian.PutUint64(out[at:at+word], bits)
			at += int(n >> 3)
			bits >>= n & 56
			n &= 7
		}
		bits |= b << (n & 63)
		n += k
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

// masks let through as many codes of four as there are literals.
var masks = [5][4]code{{}, {all}, {all, all}, {all, all, all}, {all, all, all, all}}

const all = 1<<32 - 1

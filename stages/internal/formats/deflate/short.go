package deflate

import "encoding/binary"

const (
	maxShort  = 4 << 10
	shortBits = 10
)

// text appends b, of at most maxShort bytes, as one block of the fixed code. What it finds goes out at once, since
// the code is known. That code has many bits for a letter, so copies of three bytes pay, too.
func (e *Encoder) text(b []byte, last bool) {
	if e.filled > 0 {
		e.forget() // b is not in the window, so distances over it would be wrong
	}
	w, c, table := &e.w, &fixedCodes, &e.short
	clear(table[:])
	w.grow(len(b)*9/8 + word)
	w.begin(fixed, last)
	done := 0
	for s := 1; s+4 <= len(b); s++ {
		v := binary.LittleEndian.Uint32(b[s:s+4]) << 8 // three bytes
		h := v * 2654435761 >> (32 - shortBits)
		t := int(table[h])
		table[h] = uint16(s)
		if binary.LittleEndian.Uint32(b[t:t+4])<<8 != v {
			continue
		}
		n := minLength
		for s+n < len(b) && n < maxLength && b[s+n] == b[t+n] {
			n++
		}
		w.text(c, b[done:s])
		m := newMatch(0, n, s-t)
		length, dist := c.length[m.length()], c.dist[m.dist()]
		w.put(length.bits()|dist.bits()<<length.n(), length.n()+dist.n())
		w.put(m.extra(), uint(distExtra[m.dist()]))
		s += n - 1
		done = s + 1
	}
	w.text(c, b[done:])
	w.put(c.lit[endOfBlock].bits(), c.lit[endOfBlock].n())
}

// text appends literals.
func (w *bitWriter) text(c *codes, b []byte) {
	for ; len(b) >= 4; b = b[4:] {
		c0, c1, c2, c3 := c.lit[b[0]], c.lit[b[1]], c.lit[b[2]], c.lit[b[3]]
		b01 := c0.bits() | c1.bits()<<(c0&63)
		b23 := c2.bits() | c3.bits()<<(c2&63)
		w.put(b01|b23<<((c0+c1)&63), c0.n()+c1.n()+c2.n()+c3.n())
	}
	for _, l := range b {
		w.put(c.lit[l].bits(), c.lit[l].n())
	}
}

// fixedCodes are those that the format knows (RFC 1951, 3.2.6).
var fixedCodes = func() (c codes) {
	fill := func(lengths []uint8, n uint8) {
		for i := range lengths {
			lengths[i] = n
		}
	}
	fill(c.litLen[:144], 8)
	fill(c.litLen[144:256], 9)
	fill(c.litLen[256:280], 7)
	fill(c.litLen[280:], 8)
	fill(c.distLen[:], 5)
	c.assign()
	return c
}()

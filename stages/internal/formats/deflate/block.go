package deflate

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
	e.w.tokens(c, e.matches, literals)
}

// tokens appends the content of a block, and its end. The loop is the hottest beside find: what it
// keeps in registers is taken out of w.
func (w *bitWriter) tokens(c *codes, matches []match, literals []byte) {
	out, bits, n := w.out, w.bits, w.n
	for _, m := range matches {
		for _, b := range literals[:m.literals()] {
			out, bits, n = put(out, bits, n, c.lit[b].bits(), c.lit[b].n())
		}
		literals = literals[m.literals():]
		length, dist := c.length[m.length()], c.dist[m.dist()]
		out, bits, n = put(out, bits, n, length.bits()|dist.bits()<<(length&63), length.n()+dist.n())
		out, bits, n = put(out, bits, n, m.extra(), uint(distExtra[m.dist()]))
	}
	w.out, w.bits, w.n = out, bits, n
	for _, b := range literals {
		w.put(c.lit[b].bits(), c.lit[b].n())
	}
	w.put(c.lit[endOfBlock].bits(), c.lit[endOfBlock].n())
}

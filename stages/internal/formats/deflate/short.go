package deflate

const maxShort = 4 << 10

// short appends b, of at most maxShort bytes, as one block of the fixed code.
func (e *Encoder) short(b []byte, last bool) {
	if e.filled+len(b) > maxPlaces {
		e.forget()
	}
	from := e.filled
	e.filled += copy(e.window[from:], b)
	e.find(from)
	e.w.grow(len(b)*9/8 + 2*word) // no literal has more than nine bits, and no copy more than its literals
	e.w.begin(fixed, last)
	e.w.tokens(&fixedCodes, e.matches, &e.literals)
}

var fixedCodes = func() (c codes) {
	c.litLen = fixedLit
	copy(c.distLen[:], fixedDist[:])
	c.assign()
	return c
}()

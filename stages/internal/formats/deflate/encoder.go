package deflate

// An Encoder makes one stream after another. It holds some 200 KB, whatever it is given, and is not
// safe for concurrent use. The zero Encoder is ready for Reset.
type Encoder struct {
	w bitWriter

	window   window
	filled   int                    // bytes of window
	table    [1 << tableBits]uint16 // where in window what has a hash was last
	matches  []match                // of the block at hand
	literals literals
	count    counts
	codes    codes
	header   header
	build    builder
}

// Reset begins a stream, which is appended to dst.
func (e *Encoder) Reset(dst []byte) {
	e.w = bitWriter{out: dst}
	e.forget()
}

// forget keeps matches from what was written so far.
func (e *Encoder) forget() {
	e.filled = 0
	clear(e.table[:])
}

// Write appends b in blocks of its own, each with codes of its own.
func (e *Encoder) Write(b []byte) {
	for len(b) > 0 {
		if e.filled > maxPlaces-blockSize {
			e.slide()
		}
		from := e.filled
		n := copy(e.window[from:from+blockSize], b)
		e.filled += n
		e.block(from)
		b = b[n:]
	}
}

// slide makes room in the window, and forgets what no match can reach any more.
func (e *Encoder) slide() {
	by := e.filled - maxDistance
	copy(e.window[:], e.window[by:e.filled])
	e.filled -= by
	for i, t := range e.table {
		e.table[i] = uint16(max(int(t)-by, 0))
	}
}

// Short appends b, a text of a few hundred bytes as the header of a record, in the fixed code of
// the format. What is longer than 4 KiB is written as by Write.
func (e *Encoder) Short(b []byte) {
	if len(b) > maxShort {
		e.Write(b)
		return
	}
	e.short(b, false)
}

// Flush ends a byte, so that a reader of what is there so far can read all of it.
func (e *Encoder) Flush() { e.w.store(nil, false) }

// Close appends b as Short does and ends the stream. It gives what Reset got, with the stream
// behind it, and keeps nothing of it.
func (e *Encoder) Close(b []byte) []byte {
	if len(b) > maxShort {
		e.Write(b)
		b = nil
	}
	e.short(b, true)
	e.w.align()
	out := e.w.out
	e.w = bitWriter{}
	return out
}

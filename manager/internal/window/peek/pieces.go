package peek

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// pieces reads a file line by line, and a long line in pieces.
type pieces struct {
	in     *bufio.Reader
	piece  []byte // without the end of the line; valid until next
	begins bool   // the line begins with this piece
	ends   bool   // the line ends with this piece
	line   int    // the number of the line, counted from 1
	err    error  // what ended it; nil at the end of the file
}

// pieceSize is the greatest size of a piece, in bytes.
const pieceSize = 256 << 10

// newPieces begins with a file. in is a buffer of pieceSize bytes.
func newPieces(in *bufio.Reader, file io.Reader) *pieces {
	in.Reset(file)
	return &pieces{in: in, ends: true}
}

// next goes on to the next piece. It returns false at the end, and then sets err.
func (p *pieces) next() bool {
	if p.err != nil {
		return false
	}
	piece, err := p.in.ReadSlice('\n')
	if p.begins = p.ends; p.begins {
		p.line++
	}
	p.ends = !errors.Is(err, bufio.ErrBufferFull)
	if p.piece = bytes.TrimSuffix(piece, []byte("\n")); err == nil {
		p.piece = bytes.TrimSuffix(p.piece, []byte("\r"))
	}
	if p.ends && !errors.Is(err, io.EOF) {
		p.err = err
	}
	return len(piece) > 0
}

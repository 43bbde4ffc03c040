package waiting

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/s2"

	"multitext/stages/internal/formats/urlbatch"
)

// chunkBytes is the length of lines up to which neighbours are joined to one chunk.
const chunkBytes = 8 << 10

// packFrom is the length of lines from which on a chunk is compressed; below it gains little.
const packFrom = 128

// longest is the bound on the lines of a chunk: those of a full one, and one line behind them.
const longest = chunkBytes + urlbatch.MaxLine + 2

// maxChunkHead is the most bytes of a chunk in front of its lines.
const maxChunkHead = 1 + 2*binary.MaxVarintLen64

// Forms of a chunk.
const (
	plain  = 0
	packed = 1 // by s2
)

// A chunk is URLs of a queue, one behind the other.
type chunk struct {
	n     uint64 // URLs
	last  uint64 // position of the last one
	form  byte
	size  int // of its lines
	lines []byte
	room  []byte // of one that is made in this run: room for a head, and the lines
}

func (c *chunk) first() uint64 { return c.last - c.n + 1 }

var errChunk = errors.New("chunk is malformed")

// parseChunk reads the value of a chunk, which ends at the position last.
func parseChunk(last uint64, value []byte) (c chunk, err error) {
	if len(value) == 0 || value[0] > packed {
		return c, errChunk
	}
	n, a := binary.Uvarint(value[1:])
	if a <= 0 || n == 0 || n > last+1 {
		return c, errChunk
	}
	size, b := binary.Uvarint(value[1+a:])
	if b <= 0 || size > longest || n > size {
		return c, errChunk
	}
	c = chunk{n: n, last: last, form: value[0], size: int(size), lines: value[1+a+b:]}
	if c.form == plain && len(c.lines) != c.size {
		return c, errChunk
	}
	return c, nil
}

// append writes the value of the chunk.
func (c *chunk) append(b []byte) []byte {
	b = append(b, c.form)
	b = binary.AppendUvarint(b, c.n)
	b = binary.AppendUvarint(b, uint64(c.size))
	return append(b, c.lines...)
}

// add appends a line to a chunk that is made in this run.
func (c *chunk) add(line []byte, at uint64) {
	c.room = append(c.room, line...)
	c.lines = c.room[maxChunkHead:]
	c.n, c.last, c.size = c.n+1, at, len(c.lines)
}

// value is that of a chunk that was made in this run: its head is put in front of its lines.
func (c *chunk) value() []byte {
	var head [maxChunkHead]byte
	b := (&chunk{form: c.form, n: c.n, size: c.size}).append(head[:0])
	from := maxChunkHead - len(b)
	copy(c.room[from:], b)
	return c.room[from:]
}

// A packer packs and unpacks chunks. Its memory serves one chunk after the other.
type packer struct{ lines, packed []byte }

// text returns the lines of c, valid until the next call where they are packed.
func (p *packer) text(c *chunk) ([]byte, error) {
	if c.form == plain {
		return c.lines, nil
	}
	if n, err := s2.DecodedLen(c.lines); err != nil || n != c.size {
		return nil, fmt.Errorf("%w: %d bytes of lines, want %d; %v", errChunk, n, c.size, err)
	}
	lines, err := s2.Decode(p.lines[:cap(p.lines)], c.lines)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errChunk, err)
	}
	p.lines = lines
	return lines, nil
}

// pack packs c where that pays. What it returns is valid until the next call.
func (p *packer) pack(c chunk) chunk {
	if c.form != plain || c.size < packFrom {
		return c
	}
	if n := s2.MaxEncodedLen(c.size); cap(p.packed) < n {
		p.packed = make([]byte, n)
	}
	if b := s2.Encode(p.packed[:cap(p.packed)], c.lines); len(b) < c.size {
		c.form, c.lines = packed, b
	}
	return c
}

// The bytes of a line that stand for scheme and host. No record has them.
const (
	onHTTP  = 1
	onHTTPS = 2
)

// appendLine appends a record of the host, shortened, and a newline. What a page links to is mostly
// on its own host, so the URL and the attribute via both begin with the host's name.
func appendLine(b, host, line []byte) []byte {
	const mark = "://"
	for {
		at := bytes.Index(line, []byte(mark))
		if at < 0 {
			return append(append(b, line...), '\n')
		}
		scheme, rest := line[:at], line[at+len(mark):]
		behind, ok := bytes.CutPrefix(rest, host)
		switch {
		case ok && bytes.HasSuffix(scheme, []byte("http")):
			b = append(append(b, scheme[:at-len("http")]...), onHTTP)
		case ok && bytes.HasSuffix(scheme, []byte("https")):
			b = append(append(b, scheme[:at-len("https")]...), onHTTPS)
		default:
			b, behind = append(b, line[:at+len(mark)]...), rest
		}
		line = behind
	}
}

// longLine appends the record that appendLine made short; line is without its newline.
func longLine(b []byte, host string, line []byte) []byte {
	for {
		at := bytes.IndexFunc(line, func(r rune) bool { return r <= onHTTPS })
		if at < 0 {
			return append(b, line...)
		}
		scheme := [...]string{onHTTP: "http://", onHTTPS: "https://"}[line[at]]
		b = append(append(append(b, line[:at]...), scheme...), host...)
		line = line[at+1:]
	}
}

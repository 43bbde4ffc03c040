package warc

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/gzip"
)

// DefaultLevel is the gzip level of what is written. On pages of real sites level 1 gives 3.8 : 1
// at nearly twice the speed of level 6, which gives 4.4 : 1; the crawl is bound by CPU, and a
// finished archive can be compressed again.
const DefaultLevel = 1

// Packed is an answer as it stands in a file: compressed, complete, ready to be written.
type Packed struct {
	Response []byte // member of the response or revisit record
	Request  []byte // member of its request; nil if there is none
}

// An Encoder makes members. It is not safe for use by several goroutines at once.
type Encoder struct {
	z      *gzip.Writer
	header []byte
}

// NewEncoder returns an Encoder of the gzip level, 1 (fast) to 9 (small).
func NewEncoder(level int) (*Encoder, error) {
	if level < gzip.BestSpeed || level > gzip.BestCompression {
		return nil, fmt.Errorf("gzip level %d: want 1 to 9", level)
	}
	z, err := gzip.NewWriterLevel(nil, level)
	return &Encoder{z: z}, err
}

// The subfield "sl" of a gzip header: two bytes of name, two of length, two uint32.
const (
	skipName   = "sl"
	skipLength = 8
	skipOffset = 10 + 2 + 4 // of the first uint32: behind header, length of extra, head of subfield
)

// recordEnd stands behind every block.
const recordEnd = "\r\n\r\n"

// member compresses a record whose first head bytes of block are to be readable without the rest.
func (e *Encoder) member(f Fields, block []byte, head int) ([]byte, error) {
	e.header = appendHeader(e.header[:0], f, len(block))
	var b bytes.Buffer
	b.Grow(len(e.header) + len(block)/3 + 64)
	e.z.Reset(&b)
	e.z.Extra = append([]byte(skipName), skipLength, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	// Errors are kept by the compressor, and its Close tells them.
	e.z.Write(e.header)
	e.z.Write(block[:head])
	if head < len(block) {
		e.z.Flush()
		e.z.Write(block[head:])
	}
	e.z.Write([]byte(recordEnd))
	if err := e.z.Close(); err != nil {
		return nil, fmt.Errorf("compress record: %w", err)
	}
	m := b.Bytes()
	binary.LittleEndian.PutUint32(m[skipOffset:], uint32(len(m)))
	binary.LittleEndian.PutUint32(m[skipOffset+4:], uint32(len(e.header)+len(block)+len(recordEnd)))
	return m, nil
}

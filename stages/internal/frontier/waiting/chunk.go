package waiting

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"multitext/stages/internal/formats/urlbatch"
)

// chunkBytes is the length of lines up to which neighbours are joined to one chunk.
const chunkBytes = 8 << 10

// packFrom is the length of lines from which on a chunk is compressed; below it gains little.
const packFrom = 256

// longest is the bound on the lines of a chunk: those of a full one, and one line behind them.
const longest = chunkBytes + urlbatch.MaxLine + 2

// Forms of a chunk.
const (
	plain  = 0
	packed = 1 // by zstd
)

// A chunk is URLs of a queue, one behind the other.
type chunk struct {
	n     uint64 // URLs
	last  uint64 // position of the last one
	form  byte
	size  int // of its lines
	lines []byte
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

// A packer packs and unpacks chunks. Its memory serves one chunk after the other.
type packer struct {
	enc   *zstd.Encoder
	dec   *zstd.Decoder
	lines []byte
}

func newPacker() (*packer, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(64<<10), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("set up zstd: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(longest))
	if err != nil {
		return nil, fmt.Errorf("set up zstd: %w", err)
	}
	return &packer{enc: enc, dec: dec}, nil
}

// text returns the lines of c, valid until the next call where they are packed.
func (p *packer) text(c *chunk) ([]byte, error) {
	if c.form == plain {
		return c.lines, nil
	}
	lines, err := p.dec.DecodeAll(c.lines, p.lines[:0])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errChunk, err)
	}
	if p.lines = lines; len(lines) != c.size {
		return nil, fmt.Errorf("%w: %d bytes of lines, want %d", errChunk, len(lines), c.size)
	}
	return lines, nil
}

// pack packs c where that pays, into memory of its own.
func (p *packer) pack(c chunk) chunk {
	if c.form != plain || c.size < packFrom {
		return c
	}
	if b := p.enc.EncodeAll(c.lines, nil); len(b) < c.size {
		c.form, c.lines = packed, b
	}
	return c
}

// The beginnings of a line that stand for scheme and host. No URL begins so.
const (
	onHTTP  = 1
	onHTTPS = 2
)

// appendLine appends a record of the host, shortened, and a newline.
func appendLine(b []byte, host string, line []byte) []byte {
	for i, scheme := range [...]string{"http://", "https://"} {
		rest, ok := bytes.CutPrefix(line, []byte(scheme))
		if !ok {
			continue
		}
		if rest, ok = bytes.CutPrefix(rest, []byte(host)); ok && len(rest) > 0 && rest[0] == '/' {
			return append(append(append(b, byte(onHTTP+i)), rest...), '\n')
		}
	}
	return append(append(b, line...), '\n')
}

// longLine appends the record that appendLine made short; line is without its newline.
func longLine(b []byte, host string, line []byte) []byte {
	if len(line) > 0 && line[0] <= onHTTPS {
		b = append(append(b, [...]string{"http://", "https://"}[line[0]-onHTTP]...), host...)
		line = line[1:]
	}
	return append(b, line...)
}

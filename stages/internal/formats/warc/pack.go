package warc

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"multitext/stages/internal/formats/deflate"
	"multitext/stages/internal/web/httphead"
)

// Packed is an answer as stored in a file: compressed, complete, ready to be written.
type Packed struct {
	Response []byte // member of the response or revisit record
	Request  []byte // member of its request; nil if there is none
}

// An Encoder makes members with package deflate. On pages of real sites the compression is 4.1 : 1;
// level 6 of gzip reaches 4.5 : 1 at several times the cost. A crawl is limited by CPU, and a
// finished archive can be compressed again. An Encoder uses about 200 KB, and is not safe for
// concurrent use. The zero Encoder is ready for use.
type Encoder struct {
	deflate deflate.Encoder
	text    []byte // of a record: its header and the head of its block
	out     []byte
	fields  httphead.Fields
}

// The subfield "sl" of a gzip header: two bytes of name, two of length, two uint32.
const (
	skipName   = "sl"
	skipLength = 8
	skipOffset = 10 + 2 + 4 // of the first uint32: behind header, length of extra, head of subfield
)

// gzipHeader is that of a member (RFC 1952, 2.3), its skip lengths not yet known.
const gzipHeader = "\x1f\x8b\x08" + // gzip, deflate
	"\x04" + // with an extra field
	"\x00\x00\x00\x00\x00\xff" + // no time; no word on level and system
	"\x0c\x00" + skipName + "\x08\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00"

// recordEnd stands behind every block.
const recordEnd = "\r\n\r\n"

// member compresses a record whose first head bytes of block are to be readable without the rest.
func (e *Encoder) member(f httphead.Fields, block []byte, head int) []byte {
	e.text = append(appendHeader(e.text[:0], f, len(block)), block[:head]...)
	body := block[head:]
	z := &e.deflate
	z.Reset(append(e.out[:0], gzipHeader...))
	sum := uint32(0)
	size := len(e.text) + len(body) + len(recordEnd)
	if len(body) == 0 {
		e.text = append(e.text, recordEnd...)
		sum = crc32.ChecksumIEEE(e.text)
		e.out = z.Close(e.text)
	} else {
		sum = crc32.ChecksumIEEE(e.text)
		sum = crc32.Update(sum, crc32.IEEETable, body)
		sum = crc32.Update(sum, crc32.IEEETable, []byte(recordEnd))
		z.Short(e.text)
		z.Flush()
		z.Write(body)
		e.out = z.Close([]byte(recordEnd))
	}
	e.out = binary.LittleEndian.AppendUint32(e.out, sum)
	e.out = binary.LittleEndian.AppendUint32(e.out, uint32(size))
	binary.LittleEndian.PutUint32(e.out[skipOffset:], uint32(len(e.out)))
	binary.LittleEndian.PutUint32(e.out[skipOffset+4:], uint32(size))
	return e.take()
}

// maxKept is how large a buffer may be to be used again: most members fit in, and one large answer
// does not take its memory for the rest of the batch.
const maxKept = 256 << 10

// take returns the member in e.out, which is the caller's then.
func (e *Encoder) take() []byte {
	if cap(e.text) > maxKept {
		e.text = nil
	}
	if m := e.out; cap(m) > maxKept {
		e.out = nil
		return m
	}
	return bytes.Clone(e.out)
}

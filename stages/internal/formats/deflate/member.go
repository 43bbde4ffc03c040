package deflate

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// ErrHeader says that what stands there is no gzip header, or one with a name, a comment or a checksum of its own,
// which this package does not read.
var ErrHeader = errors.New("inflate: no plain gzip header")

// A Member is a gzip member that lies in memory, inflated up to the end of some block. Its memory is used again
// when it is opened again.
type Member struct {
	stream stream
	plain  []byte
	ended  bool
}

// The parts of a member (RFC 1952, section 2.3).
const (
	headerSize = 10
	sizeOfSize = 2 // of an extra field
	flagText   = 1
	flagExtra  = 4
	trailer    = 8
)

// Open begins with the member that raw begins with. Raw must not change as long as the Member is used.
func (m *Member) Open(raw []byte) error {
	*m = Member{plain: m.plain[:0]}
	if len(raw) < headerSize {
		return ErrShort
	}
	if raw[0] != 0x1f || raw[1] != 0x8b || raw[2] != 8 || raw[3]&^(flagText|flagExtra) != 0 {
		return ErrHeader
	}
	at := headerSize
	if raw[3]&flagExtra != 0 {
		if len(raw) < at+sizeOfSize {
			return ErrShort
		}
		at += sizeOfSize + int(binary.LittleEndian.Uint16(raw[at:]))
	}
	if len(raw) < at {
		return ErrShort
	}
	m.stream = newStream(raw[at:])
	return nil
}

// Plain gives what is inflated so far. It is valid until the Member is opened again.
func (m *Member) Plain() []byte { return m.plain }

// Rest gives what stands behind the member, once Next gave io.EOF.
func (m *Member) Rest() []byte { return m.stream.rest()[trailer:] }

// Next inflates the next block of m. There may be at most limit bytes in all. Behind the last block it gives io.EOF; with
// it comes the check of the whole.
func (z *Inflater) Next(m *Member, limit int) (err error) {
	if m.stream.done() {
		return m.end()
	}
	m.plain, err = z.block(&m.stream, m.plain, limit)
	return err
}

// end holds what was inflated against the checksum and length behind it.
func (m *Member) end() error {
	if m.ended {
		return io.EOF
	}
	b := m.stream.rest()
	if len(b) < trailer {
		return ErrShort
	}
	if binary.LittleEndian.Uint32(b) != crc32.ChecksumIEEE(m.plain) || binary.LittleEndian.Uint32(b[4:]) != uint32(len(m.plain)) {
		return ErrCorrupt
	}
	m.ended = true
	return io.EOF
}

// All inflates the rest of m, to at most limit bytes in all, and checks it.
func (z *Inflater) All(m *Member, limit int) error {
	for {
		if err := z.Next(m, limit); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

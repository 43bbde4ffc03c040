package deflate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

var (
	// ErrHeader says that what stands there is no gzip header.
	ErrHeader = errors.New("inflate: no gzip header")
	// ErrChecksum says that a member inflates to other bytes than those that its writer had.
	ErrChecksum = errors.New("inflate: wrong checksum or length")
)

// A Member is a gzip member that lies in memory, inflated up to the end of some block. Its memory
// is used again when it is opened again.
type Member struct {
	stream stream
	plain  []byte
	ended  bool
}

// The parts of a member (RFC 1952, section 2.3).
const (
	headerSize = 10
	trailer    = 8

	flagCheck   = 2 // flags of the header
	flagExtra   = 4
	flagName    = 8
	flagComment = 16
)

// Open begins with the member that raw begins with. Raw must not change as long as the Member is
// used.
func (m *Member) Open(raw []byte) error {
	*m = Member{plain: m.plain[:0]}
	size, err := sizeOfHeader(raw)
	if err != nil {
		return err
	}
	m.stream = newStream(raw[size:])
	return nil
}

// sizeOfHeader gives the length of the header that raw begins with.
func sizeOfHeader(raw []byte) (int, error) {
	if len(raw) < headerSize {
		return 0, ErrShort
	}
	if raw[0] != 0x1f || raw[1] != 0x8b || raw[2] != 8 {
		return 0, ErrHeader
	}
	at := headerSize
	if raw[3]&flagExtra != 0 {
		if len(raw) < at+2 {
			return 0, ErrShort
		}
		at += 2 + int(binary.LittleEndian.Uint16(raw[at:]))
	}
	for _, text := range []byte{flagName, flagComment} {
		if raw[3]&text == 0 {
			continue
		}
		n := bytes.IndexByte(raw[min(at, len(raw)):], 0)
		if n < 0 {
			return 0, ErrShort
		}
		at += n + 1
	}
	if raw[3]&flagCheck != 0 {
		if len(raw) < at+2 {
			return 0, ErrShort
		}
		if binary.LittleEndian.Uint16(raw[at:]) != uint16(crc32.ChecksumIEEE(raw[:at])) {
			return 0, ErrHeader
		}
		at += 2
	}
	if len(raw) < at {
		return 0, ErrShort
	}
	return at, nil
}

// Plain gives what is inflated so far. It is valid until the Member is opened again.
func (m *Member) Plain() []byte { return m.plain }

// Rest gives what stands behind the member, once Next gave io.EOF.
func (m *Member) Rest() []byte { return m.stream.rest()[trailer:] }

// Next inflates the next block of m. There may be at most limit bytes in all: where the block has
// more, Plain gives these, and the error is ErrLimit; who wants more opens m again. Behind the last
// block Next gives io.EOF, unless the checksum is wrong.
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
		return ErrChecksum
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

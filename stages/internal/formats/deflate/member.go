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
	Plain []byte // what is inflated so far, valid until the Member is opened again

	raw    []byte
	head   int // bytes of the header
	stream stream
	cut    bool // Plain ends within a block
	ended  bool // Plain is all of it, and has its checksum
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
func (m *Member) Open(raw []byte) (err error) {
	*m = Member{Plain: m.Plain[:0], raw: raw}
	if m.head, err = sizeOfHeader(raw); err == nil {
		m.stream = stream{src: raw[m.head:]}
	}
	return err
}

// sizeOfHeader returns the length of the header that raw begins with.
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

// Size returns the bytes of the member as it lies in memory, once Next has returned io.EOF.
func (m *Member) Size() int { return m.head + m.stream.used() + trailer }

// Next inflates the next block of m, to at most limit bytes in all. If there are more, Plain holds
// the first of them and the error is ErrLimit; a later call may have a larger limit. Behind the
// last block Next returns io.EOF, unless the checksum is wrong.
func (z *Inflater) Next(m *Member, limit int) (err error) {
	if m.ended {
		return io.EOF
	}
	seen := len(m.Plain)
	if m.cut { // inflating cannot go on within a block
		m.Open(m.raw)
	}
	for err == nil {
		if m.stream.last {
			return m.end()
		}
		if m.Plain, err = z.block(&m.stream, m.Plain, limit); len(m.Plain) >= seen {
			break
		}
	}
	m.cut = err == ErrLimit
	return err
}

// end compares what was inflated with the checksum and length behind it.
func (m *Member) end() error {
	b := m.stream.rest()
	if len(b) < trailer {
		return ErrShort
	}
	if binary.LittleEndian.Uint32(b) != crc32.ChecksumIEEE(m.Plain) ||
		binary.LittleEndian.Uint32(b[4:]) != uint32(len(m.Plain)) {
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

package warc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"multitext/stages/internal/formats/deflate"
)

// splitter cuts a file into its gzip members.
type splitter struct {
	src    *source
	offset int64
}

// fixedHeader is a gzip header without its extra fields; with FEXTRA two bytes of length follow.
const (
	fixedHeader = 10
	flagExtra   = 4
	trailer     = 8
)

func newSplitter(src io.Reader) *splitter { return &splitter{src: &source{file: src}} }

// next reads the next member to m and opens it. At the end of the file it gives io.EOF. A member
// that inflates to more than limit bytes, or claims to, is an error.
func (s *splitter) next(m *member, limit int64) error {
	head, err := s.src.peek(fixedHeader)
	if err == io.EOF && len(head) == 0 {
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("read gzip header: %w", cutShort(err))
	}
	if head[0] != 0x1f || head[1] != 0x8b || head[2] != 8 {
		return fmt.Errorf("no gzip member here, but %q", head)
	}
	packed, plain, err := s.skipLengths(head[3])
	if err != nil {
		return err
	}
	m.raw = m.raw[:0]
	if packed == 0 {
		err = s.find(m, limit)
	} else if m.raw, err = s.take(m.raw, packed, plain, limit); err == nil {
		err = m.Open(m.raw)
	}
	s.offset += int64(len(m.raw))
	return err
}

// skipLengths looks for the subfield "sl" in the gzip header ahead: bytes of the member and bytes
// it inflates to, 0 and 0 if it is absent.
func (s *splitter) skipLengths(flags byte) (packed, plain uint32, err error) {
	if flags&flagExtra == 0 {
		return 0, 0, nil
	}
	b, err := s.src.peek(fixedHeader + 2)
	if err == nil {
		b, err = s.src.peek(len(b) + int(binary.LittleEndian.Uint16(b[fixedHeader:])))
	}
	if err != nil {
		return 0, 0, fmt.Errorf("read gzip header: %w", cutShort(err))
	}
	for b = b[fixedHeader+2:]; len(b) >= 4; {
		n := int(binary.LittleEndian.Uint16(b[2:]))
		if n > len(b)-4 {
			break
		}
		if string(b[:2]) == skipName && n == skipLength {
			return binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:]), nil
		}
		b = b[4+n:]
	}
	return 0, 0, nil
}

// take reads a member by its skip lengths. They are a claim: the member's own
// count of what it inflates to, its last four bytes, must agree.
func (s *splitter) take(buf []byte, packed, plain uint32, limit int64) ([]byte, error) {
	if int64(max(packed, plain)) > limit {
		return nil, fmt.Errorf("member of %d bytes that inflates to %d, more than the bound of %d",
			packed, plain, limit)
	}
	if packed < fixedHeader+trailer {
		return nil, fmt.Errorf("skip lengths give the member %d bytes", packed)
	}
	// The buffer grows as bytes come, so that a false claim costs no memory.
	for left := int(packed); left > 0; {
		b, err := s.src.peek(min(left, usualRoom))
		if err != nil {
			return nil, fmt.Errorf("read member: %w", cutShort(err))
		}
		buf = append(buf, b...)
		left -= len(b)
		s.src.use(len(b))
	}
	if size := binary.LittleEndian.Uint32(buf[len(buf)-4:]); size != plain {
		return nil, errors.New("skip lengths do not lead to the end of the member")
	}
	return buf, nil
}

var errEndless = errors.New("member has more compressed bytes than the bound on what it inflates to")

// find reads a member without skip lengths, whose end is where it ends to inflate. It tries the
// bytes that are at hand, then twice as many, and so on.
func (s *splitter) find(m *member, limit int64) error {
	for n := max(fixedHeader, s.src.buffered()); ; n = max(2*n, s.src.buffered()) {
		b, ended := s.src.peek(n)
		err := m.Open(b)
		if err == nil {
			err = m.tables.All(&m.Member, int(limit))
		}
		switch {
		case err == nil:
			m.raw = append(m.raw, b[:m.Size()]...)
			s.src.use(len(m.raw))
			return nil
		case err == deflate.ErrLimit:
			return fmt.Errorf("member inflates to more than the bound of %d bytes", limit)
		case err != deflate.ErrShort:
			return err
		case ended != nil:
			return fmt.Errorf("read member: %w", cutShort(ended))
		case int64(n) > limit:
			return errEndless
		}
	}
}

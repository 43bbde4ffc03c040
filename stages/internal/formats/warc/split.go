package warc

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"multitext/stages/internal/formats/deflate"
)

// splitter cuts a file into its gzip members.
type splitter struct {
	src    *bufio.Reader
	offset int64
}

// fixedHeader is a gzip header without its extra fields; with FEXTRA two bytes of length follow.
const (
	fixedHeader = 10
	flagExtra   = 4
	trailer     = 8
)

func newSplitter(src io.Reader) *splitter {
	// A gzip header with the longest extra field must fit.
	return &splitter{src: bufio.NewReaderSize(src, 128<<10)}
}

// next reads the next member to m.raw. At the end of the file it gives io.EOF. A member that
// inflates to more than limit bytes, or claims to, is an error.
func (s *splitter) next(m *member, limit int64) error {
	head, err := s.src.Peek(fixedHeader)
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
	m.raw, m.done = m.raw[:0], false
	if packed == 0 {
		err = s.find(m, limit)
	} else {
		m.raw, err = s.take(m.raw, packed, plain, limit)
	}
	s.offset += int64(len(m.raw))
	return err
}

// skipLengths looks for the subfield "sl" in the gzip header ahead: bytes of the member and bytes it
// inflates to, 0 and 0 if it is absent.
func (s *splitter) skipLengths(flags byte) (packed, plain uint32, err error) {
	if flags&flagExtra == 0 {
		return 0, 0, nil
	}
	b, err := s.src.Peek(fixedHeader + 2)
	if err == nil {
		b, err = s.src.Peek(len(b) + int(binary.LittleEndian.Uint16(b[fixedHeader:])))
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
		return nil, fmt.Errorf("member of %d bytes that inflates to %d, more than the bound of %d", packed, plain, limit)
	}
	if packed < fixedHeader+trailer {
		return nil, fmt.Errorf("skip lengths give the member %d bytes", packed)
	}
	// The buffer grows as bytes come, so that a false claim costs no memory.
	for left := int(packed); left > 0; {
		n := min(left, s.src.Size())
		buf = slices.Grow(buf, n)
		got, err := io.ReadFull(s.src, buf[len(buf):len(buf)+n])
		if buf = buf[:len(buf)+got]; err != nil {
			return nil, fmt.Errorf("read member: %w", cutShort(err))
		}
		left -= n
	}
	if size := binary.LittleEndian.Uint32(buf[len(buf)-4:]); size != plain {
		return nil, errors.New("skip lengths do not lead to the end of the member")
	}
	return buf, nil
}

// find reads a member without skip lengths, whose end is where it ends to inflate: among the bytes that are at hand, or among as
// many as there is room for. One that is longer, or broken, is read as a stream.
func (s *splitter) find(m *member, limit int64) error {
	for _, n := range []int{s.src.Buffered(), s.src.Size()} {
		b, _ := s.src.Peek(n)
		err := m.unzip.find(b, int(limit))
		if err == nil {
			_, err = s.src.Discard(len(m.raw))
			return err
		}
		if err != deflate.ErrShort {
			break
		}
	}
	return m.stream(&recorder{src: s.src, seen: m.raw, limit: limit}, limit)
}

// recorder keeps what is read through it, up to limit bytes: a member may go on for ever and inflate
// to nothing. It has ReadByte, so that the decompressor reads no byte too many.
type recorder struct {
	src   *bufio.Reader
	seen  []byte
	limit int64
}

var errEndless = errors.New("member has more compressed bytes than the bound on what it inflates to")

func (r *recorder) Read(p []byte) (int, error) {
	if int64(len(r.seen)) > r.limit {
		return 0, errEndless
	}
	n, err := r.src.Read(p)
	r.seen = append(r.seen, p[:n]...)
	return n, err
}

func (r *recorder) ReadByte() (byte, error) {
	if int64(len(r.seen)) > r.limit {
		return 0, errEndless
	}
	c, err := r.src.ReadByte()
	if err == nil {
		r.seen = append(r.seen, c)
	}
	return c, err
}

package urlbatch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Reader reads the records of one batch. Its memory does not depend on the batch's size.
type Reader struct {
	// MaxSize is the maximum decompressed size of a batch in bytes; 0 means no limit. It may be
	// changed before the first call of Next.
	MaxSize int64

	name  string
	lines *bufio.Reader
	plain bool
	close func() error
	n     int64
	rec   Record
}

// LineError says that a line is not a record. The reader continues after the line.
type LineError struct {
	Name string // of the file
	Line int64  // from 1
	Text []byte // the line, cut to 1 KiB; valid until the next call of Next
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// Open opens the batch at path; "-" is stdin.
func Open(path string, stdin io.Reader) (*Reader, error) {
	if path == "-" {
		return NewReader("standard input", stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open batch: %w", err)
	}
	r, err := NewReader(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	inner := r.close
	r.close = func() error { return errors.Join(inner(), f.Close()) }
	return r, nil
}

// NewReader returns a Reader for the batch in src. name is used in errors.
func NewReader(name string, src io.Reader) (*Reader, error) {
	r := &Reader{name: name, close: func() error { return nil }}
	head := bufio.NewReaderSize(src, MaxLine+2)
	from, packed, err := Inflate(head)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read batch %s: %w", name, err)
	case packed:
		r.lines, r.close = bufio.NewReaderSize(&bounded{src: from, by: r}, MaxLine+2), from.Close
	default:
		r.lines, r.plain = head, true
	}
	return r, nil
}

// Inflate returns the bytes of src decompressed, if they begin as those of zstd or gzip, and else src
// itself. packed tells which.
func Inflate(src *bufio.Reader) (from io.ReadCloser, packed bool, err error) {
	magic, err := src.Peek(4)
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return nil, false, err
		}
		return z.IOReadCloser(), true, nil
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(src)
		return z, true, err
	}
	return io.NopCloser(src), false, nil
}

// bounded reads the decompressed batch up to the limit of its Reader, because a few bytes may
// decompress to an endless line.
type bounded struct {
	src  io.Reader
	by   *Reader
	size int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	b.size += int64(n)
	if max := b.by.MaxSize; max > 0 && b.size > max {
		return n, fmt.Errorf("it unfolds to more than the bound of %d bytes", max)
	}
	return n, err
}

// Next returns the next record, valid until the next call. At the end it returns io.EOF. For a line
// that is not a record it returns a *LineError; then Next may be called again.
func (r *Reader) Next() (*Record, error) {
	for {
		line, err := r.line()
		if err != nil {
			return nil, err
		}
		if r.plain {
			if line = tidy(line); len(line) == 0 || line[0] == '#' {
				continue
			}
		}
		if err := r.rec.parse(line); err != nil {
			return nil, &LineError{r.name, r.n, line[:min(len(line), 1<<10)], err}
		}
		return &r.rec, nil
	}
}

// line returns the next line without its newline; of one that is too long, the beginning,
// still longer than MaxLine.
func (r *Reader) line() ([]byte, error) {
	line, err := r.lines.ReadSlice('\n')
	switch {
	case err == nil:
		r.n++
		return line[:len(line)-1], nil
	case err == io.EOF && len(line) > 0:
		r.n++
		return line, nil
	case err == io.EOF:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrBufferFull):
		r.n++
		return r.skip(bytes.Clone(line))
	}
	return nil, fmt.Errorf("read batch %s behind line %d: %w", r.name, r.n, err)
}

// skip drops the rest of an overlong line and returns its beginning.
func (r *Reader) skip(line []byte) ([]byte, error) {
	for {
		_, err := r.lines.ReadSlice('\n')
		switch {
		case err == nil || err == io.EOF:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("read batch %s in line %d: %w", r.name, r.n, err)
		}
	}
}

// tidy converts a line that a user wrote to the line of a record.
func tidy(line []byte) []byte {
	line = bytes.Trim(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), " \r")
	return escape(line, func(c byte) bool { return c < 0x80 })
}

// Close releases the reader.
func (r *Reader) Close() error { return r.close() }

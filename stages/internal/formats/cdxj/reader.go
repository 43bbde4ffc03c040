package cdxj

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// Reader reads the lines of one index and checks their order. It keeps one line in memory.
type Reader struct {
	name  string
	lines *bufio.Reader
	close func() error
	n     int64
	last  []byte
}

// Open opens the index at path; "-" is stdin.
func Open(path string, stdin io.Reader) (*Reader, error) {
	if path == "-" {
		return NewReader("standard input", stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	r := NewReader(path, f)
	r.close = f.Close
	return r, nil
}

// NewReader returns a Reader for the index in src. name is used in errors.
func NewReader(name string, src io.Reader) *Reader {
	return &Reader{name: name, lines: bufio.NewReader(src), close: func() error { return nil }}
}

// Close releases the reader.
func (r *Reader) Close() error { return r.close() }

// Next returns the next line without its newline, valid until the next call. At the end it returns
// io.EOF. For an invalid line, or a line in the wrong order, it returns an error with the position.
func (r *Reader) Next() ([]byte, error) {
	line, err := readLine(r.lines)
	if err == io.EOF {
		return nil, io.EOF
	}
	r.n++
	if err == nil {
		_, _, _, err = split(line)
	}
	if err == nil && bytes.Compare(line, r.last) < 0 {
		err = errors.New("it should stand in front of the one before: the index is not sorted by bytes (LC_ALL=C sort)")
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", r.name, r.n, err)
	}
	r.last = append(r.last[:0], line...)
	return r.last, nil
}

// readLine returns the next line without its newline, or io.EOF at the end. It reads a line that is
// too long only as far as needed to detect this.
func readLine(src *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := src.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case len(line) > MaxLine:
			return nil, errLong
		case err == io.EOF && len(line) > 0:
			return line, nil // the last newline may be missing
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

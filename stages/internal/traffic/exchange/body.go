package exchange

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

var (
	errTooLong = errors.New("body longer than the limit")
	errGarbled = errors.New("broken chunks")
)

// A framing says where a body ends (RFC 9112 section 6.3).
type framing int

const (
	noBody framing = iota
	byLength
	byChunks
	byClose
)

// framingOf returns how the body after h ends, and its length if h has one. A length that is not a
// number, or several different ones, are ignored: then the end of the connection decides. Chunks
// have priority over a length.
func framingOf(h *head) (framing, int64) {
	if h.status == http.StatusNoContent || h.status == http.StatusNotModified {
		return noBody, 0
	}
	switch coding := h.header.LastWord("Transfer-Encoding"); {
	case strings.EqualFold(coding, "chunked"):
		return byChunks, 0
	case coding != "" && !strings.EqualFold(coding, "identity"): // which RFC 2616 defined
		return byClose, 0
	}
	length := h.header.LastWord("Content-Length")
	for _, l := range h.header.Words("Content-Length") {
		if l != length {
			return byClose, 0
		}
	}
	n, err := strconv.ParseUint(length, 10, 63)
	if err != nil {
		return byClose, 0
	}
	return byLength, int64(n)
}

// A bodyReader copies the bytes of a body unchanged from the connection to a spool.
type bodyReader struct {
	from  *bufio.Reader
	to    *Spool
	limit int64
}

// read copies a body with the given framing. The error is errTooLong, errGarbled, a *spoolError or
// the connection's.
func (b *bodyReader) read(f framing, length int64) error {
	switch f {
	case noBody:
		return nil
	case byLength:
		b.to.expect(min(length, b.limit))
		return unexpected(b.move(length))
	case byChunks:
		return unexpected(b.moveChunks())
	}
	err := b.move(1<<63 - 1)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// unexpected marks an end of file before the end of the body.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// move copies n bytes. If most of them are not in the buffer yet, it reads them directly into the
// spool.
func (b *bodyReader) move(n int64) error {
	for n > 0 {
		room := b.limit - b.to.Len()
		if room == 0 {
			if _, err := b.from.Peek(1); err != nil {
				return err
			}
			return errTooLong
		}
		space, err := b.to.space(min(n, room))
		if err != nil {
			return err
		}
		k, err := b.from.Read(space)
		b.to.take(k)
		if n -= int64(k); n > 0 && err != nil {
			return err
		}
	}
	return nil
}

// moveChunks copies all chunks and the trailer after them.
func (b *bodyReader) moveChunks() error {
	for {
		line, err := b.moveLine()
		if err != nil {
			return err
		}
		digits, _, _ := strings.Cut(line, ";")
		size, err := strconv.ParseUint(strings.TrimSpace(digits), 16, 63)
		if err != nil {
			return fmt.Errorf("%w: chunk size %.20q", errGarbled, digits)
		}
		if size == 0 {
			return b.moveTrailer()
		}
		if err := b.move(int64(size)); err != nil {
			return err
		}
		if line, err = b.moveLine(); err != nil {
			return err
		}
		if line != "" {
			return fmt.Errorf("%w: %.20q behind a chunk", errGarbled, line)
		}
	}
}

// moveTrailer copies lines up to an empty one. They count as part of the body, so they are limited.
func (b *bodyReader) moveTrailer() error {
	for {
		line, err := b.moveLine()
		if err != nil || line == "" {
			return err
		}
	}
}

// moveLine copies a line and returns it without its line end.
func (b *bodyReader) moveLine() (string, error) {
	line, err := b.from.ReadSlice('\n')
	if kerr := b.keep(line); kerr != nil {
		return "", kerr
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", fmt.Errorf("%w: a line of over %d bytes", errGarbled, len(line))
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"), err
}

// keep appends piece to the spool, as far as the limit allows.
func (b *bodyReader) keep(piece []byte) error {
	room := b.limit - b.to.Len()
	cut := int64(len(piece)) > room
	if cut {
		piece = piece[:room]
	}
	if _, err := b.to.Write(piece); err != nil {
		return err
	}
	if cut {
		return errTooLong
	}
	return nil
}

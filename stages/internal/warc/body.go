package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// ErrEncoding is wrapped when a body has a content encoding that this package does not undo.
var ErrEncoding = errors.New("content encoding not known")

// maxEncodings bounds how often a body may have been compressed: honest servers do it once.
const maxEncodings = 2

// dechunk undoes the chunked transfer encoding, where h names it; h may be nil. whole is false when
// the body breaks off. Archives of others keep the header of chunks that they have undone: what
// does not begin as a chunk is taken as it is.
func dechunk(h *HTTP, body []byte) (payload []byte, whole bool) {
	if h == nil || !isChunked(h) {
		return body, true
	}
	size, rest, ok := chunkSize(body)
	if !ok {
		return body, len(body) > 0
	}
	for ; ok && size > 0; size, rest, ok = chunkSize(rest) {
		if size > uint64(len(rest)) {
			return append(payload, rest...), false
		}
		payload, rest = append(payload, rest[:size]...), rest[size:]
		if rest, ok = cutNewline(rest); !ok {
			return payload, false
		}
	}
	return payload, ok
}

func isChunked(h *HTTP) bool {
	for _, v := range h.Header.All("Transfer-Encoding") {
		if strings.Contains(strings.ToLower(v), "chunked") {
			return true
		}
	}
	return false
}

// chunkSize reads the line in front of a chunk; extensions are dropped.
func chunkSize(b []byte) (size uint64, rest []byte, ok bool) {
	line, rest, found := bytes.Cut(b, []byte("\n"))
	digits, _, _ := bytes.Cut(line, []byte(";"))
	digits = bytes.TrimSpace(digits)
	if !found || len(digits) == 0 || len(digits) > 15 {
		return 0, nil, false
	}
	for _, c := range digits {
		d := unhex(c)
		if d < 0 {
			return 0, nil, false
		}
		size = size<<4 | uint64(d)
	}
	return size, rest, true
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func cutNewline(b []byte) ([]byte, bool) {
	if rest, ok := bytes.CutPrefix(b, []byte("\r\n")); ok {
		return rest, true
	}
	return bytes.CutPrefix(b, []byte("\n"))
}

// decode undoes the content encoding of a payload, up to limit bytes. whole is false when there is
// more, or when the compressed data breaks off: what came before is given all the same.
func decode(h *HTTP, payload []byte, limit int64) (body []byte, whole bool, err error) {
	names := encodings(h)
	if len(names) > maxEncodings {
		return nil, false, fmt.Errorf("%w: %d layers", ErrEncoding, len(names))
	}
	if len(names) == 0 {
		return payload[:min(int64(len(payload)), limit)], int64(len(payload)) <= limit, nil
	}
	var r io.Reader = bytes.NewReader(payload)
	for i := len(names) - 1; i >= 0; i-- {
		if r, err = inflater(names[i], r); errors.Is(err, ErrEncoding) {
			return nil, false, err
		} else if err != nil {
			return nil, false, nil
		}
	}
	body, err = io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(body)) > limit {
		return body[:limit], false, nil
	}
	return body, err == nil, nil
}

// encodings gives the content encodings in the order in which they were applied.
func encodings(h *HTTP) []string {
	var names []string
	for _, v := range h.Header.All("Content-Encoding") {
		for name := range strings.SplitSeq(v, ",") {
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
				names = append(names, name)
			}
		}
	}
	return names
}

func inflater(name string, r io.Reader) (io.Reader, error) {
	switch name {
	case "gzip", "x-gzip":
		return gzip.NewReader(r)
	case "deflate":
		return deflateReader(r)
	}
	return nil, fmt.Errorf("%w: %.40q", ErrEncoding, name)
}

// deflateReader reads zlib's format, as RFC 9110 has it, or bare deflate, as some servers do.
func deflateReader(r io.Reader) (io.Reader, error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, fmt.Errorf("read deflate header: %w", err)
	}
	r = io.MultiReader(bytes.NewReader(head[:]), r)
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

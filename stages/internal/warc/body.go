package warc

import (
	"bytes"
	"strconv"
	"strings"

	"multitext/stages/internal/coding"
)

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

// maxChunkLine bounds the line in front of a chunk, in bytes, as package exchange does.
const maxChunkLine = 16 << 10

// chunkSize reads the line in front of a chunk; extensions are dropped. ok is false for what package
// exchange takes for no size.
func chunkSize(b []byte) (size uint64, rest []byte, ok bool) {
	line, rest, found := bytes.Cut(b, []byte("\n"))
	if !found || len(line) >= maxChunkLine {
		return 0, nil, false
	}
	digits, _, _ := bytes.Cut(line, []byte(";"))
	size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 63)
	return size, rest, err == nil
}

func cutNewline(b []byte) ([]byte, bool) {
	if rest, ok := bytes.CutPrefix(b, []byte("\r\n")); ok {
		return rest, true
	}
	return bytes.CutPrefix(b, []byte("\n"))
}

// decode undoes the content coding of a payload, up to limit bytes. whole is false when there is
// more, or when the coded data breaks off: what came before is given all the same. The error wraps
// coding.ErrUnknown.
func decode(h *HTTP, payload []byte, limit int64) (body []byte, whole bool, err error) {
	names := coding.Names(h.Header.All("Content-Encoding"))
	if len(names) == 0 {
		return payload[:min(int64(len(payload)), limit)], int64(len(payload)) <= limit, nil
	}
	return coding.Undo(bytes.NewReader(payload), names, limit)
}

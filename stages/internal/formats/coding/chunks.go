package coding

import (
	"bytes"
	"strconv"
)

// maxChunkLine is the maximum length of the line before a chunk, in bytes, as in package exchange.
const maxChunkLine = 16 << 10

// Dechunk undoes the chunked transfer coding of body. whole is false if body breaks off. Some
// archives keep the header field of a chunked body after they have decoded it, so a body that does
// not begin with a chunk is returned unchanged.
func Dechunk(body []byte) (payload []byte, whole bool) {
	payload = make([]byte, 0, len(body))
	whole = EachChunk(body, func(piece []byte) { payload = append(payload, piece...) })
	return payload, whole
}

// EachChunk calls do with the pieces of the payload that Dechunk would return, without a copy.
func EachChunk(body []byte, do func(piece []byte)) (whole bool) {
	size, rest, ok := chunkSize(body)
	if !ok {
		do(body)
		return len(body) > 0
	}
	for ; ok && size > 0; size, rest, ok = chunkSize(rest) {
		if size > uint64(len(rest)) {
			do(rest)
			return false
		}
		do(rest[:size])
		if rest, ok = cutNewline(rest[size:]); !ok {
			return false
		}
	}
	return ok
}

// chunkSize parses the line before a chunk and ignores extensions. ok is false if package exchange
// would reject the size.
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

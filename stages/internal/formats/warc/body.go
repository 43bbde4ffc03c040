package warc

import (
	"strings"

	"multitext/stages/internal/formats/coding"
)

// dechunk undoes the chunked transfer coding, where h names it; h may be nil. whole is false when
// the body breaks off.
func dechunk(h *HTTP, body []byte) (payload []byte, whole bool) {
	if h == nil || !isChunked(h) {
		return body, true
	}
	return coding.Dechunk(body)
}

func isChunked(h *HTTP) bool {
	for _, v := range h.Header.Values("Transfer-Encoding") {
		if strings.Contains(strings.ToLower(v), "chunked") {
			return true
		}
	}
	return false
}

// decode undoes the content coding of a payload, up to limit bytes. whole is false when there is
// more, or when the coded data breaks off: what came before is given all the same. The error wraps
// coding.ErrUnknown.
func decode(u *coding.Undoer, h *HTTP, payload []byte, limit int64) (body []byte, whole bool, err error) {
	names := coding.Names(h.Header.Values("Content-Encoding"))
	if len(names) == 0 {
		return payload[:min(int64(len(payload)), limit)], int64(len(payload)) <= limit, nil
	}
	return u.Undo(payload, names, limit)
}

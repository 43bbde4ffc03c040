package warc

import (
	"errors"
	"strings"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/web/httphead"
)

// HTTP is the head of an answer.
type HTTP struct {
	Status int             // 100 to 999
	Header httphead.Fields // as sent; names are compared without regard to case
}

// MaxHead is the maximum size of an answer's head, in bytes. A parsed head needs many times its
// size.
const MaxHead = 256 << 10

var errNoHTTP = errors.New("no HTTP head")

// splitHTTP separates the head of an answer from its body. If there is no status line, or the head
// is larger than MaxHead, it returns no head and everything as body. A head without its empty line
// has an empty body.
func splitHTTP(b []byte) (*HTTP, []byte) {
	end := httphead.End(b[:min(len(b), MaxHead)])
	if end < 0 {
		end = len(b)
	}
	h := &HTTP{}
	if err := h.parse(b[:end]); err != nil {
		return nil, b
	}
	return h, b[end:]
}

// parse reads a head.
func (h *HTTP) parse(head []byte) error {
	status, fields, err := cutStatus(head)
	if err != nil {
		return err
	}
	h.Status, h.Header = status, h.Header[:0].Parse(string(fields))
	return nil
}

// cutStatus reads the first line of a head and returns the others.
func cutStatus(head []byte) (status int, fields []byte, err error) {
	if len(head) > MaxHead {
		return 0, nil, errNoHTTP
	}
	_, status, fields, ok := httphead.CutStatus(head)
	if !ok {
		return 0, nil, errNoHTTP
	}
	return status, fields, nil
}

// isChunked reports whether the head names the chunked transfer coding.
func (h *HTTP) isChunked() bool {
	for _, v := range h.Header.Values("Transfer-Encoding") {
		if strings.Contains(strings.ToLower(v), "chunked") {
			return true
		}
	}
	return false
}

// dechunk undoes the chunked transfer coding of body, if the head names it. whole is false when the
// body breaks off.
func (h *HTTP) dechunk(body []byte) (payload []byte, whole bool) {
	if !h.isChunked() {
		return body, true
	}
	return coding.Dechunk(body)
}

package exchange

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"multitext/stages/internal/formats/coding"
)

// Content returns at most limit bytes of the body without chunk framing and content codings
// (package coding). If the body breaks off, Content returns the bytes before that and an error. The
// whole body is in memory meanwhile.
func (a *Answer) Content(limit int64) ([]byte, error) {
	body, err := io.ReadAll(a.Body.Reader())
	if err != nil {
		return nil, err
	}
	unchunked := true
	if strings.EqualFold(a.Header.LastWord("Transfer-Encoding"), "chunked") {
		body, unchunked = coding.Dechunk(body)
	}
	content, whole, err := new(coding.Undoer).Undo(body, coding.Names(a.Header.Values("Content-Encoding")), limit)
	if err == nil && int64(len(content)) < limit && !(whole && unchunked) {
		err = errors.New("it breaks off")
	}
	if err != nil {
		err = fmt.Errorf("undo the coding of a body: %w", err)
	}
	return content, err
}

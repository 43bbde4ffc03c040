package exchange

import (
	"errors"
	"fmt"
	"net/http/httputil"

	"multitext/stages/internal/coding"
)

// Content returns at most limit bytes of the body with its chunk framing and its content
// codings taken off (package coding). Where either breaks off before that, what came is
// returned with an error.
func (a *Answer) Content(limit int64) ([]byte, error) {
	in := a.Body.Reader()
	if hasToken(a.Header["Transfer-Encoding"], "chunked") {
		in = httputil.NewChunkedReader(in)
	}
	content, whole, err := coding.Undo(in, coding.Names(a.Header["Content-Encoding"]), limit)
	if err == nil && !whole && int64(len(content)) < limit {
		err = errors.New("it breaks off")
	}
	if err != nil {
		err = fmt.Errorf("undo the coding of a body: %w", err)
	}
	return content, err
}

package exchange

import "errors"

// A talk is HTTP of one version over one link. Its methods are called in turn, for one request
// after the other.
type talk interface {
	// ready tells whether a link that was kept can still take a request.
	ready() bool
	// ask sends a request, of which text is what HTTP/1.1 says, and reads the head of its answer, of at most limit bytes. got is how
	// many bytes of a head had come when there is an error, which wraps one of those of head.go
	// or is the connection's.
	ask(m *message, text []byte, limit int) (h *head, got int, err error)
	// body moves the body behind h to s, at most limit bytes. again tells whether the link can take
	// another request. The error is errTooLong, errGarbled, a *spoolError or the connection's.
	body(h *head, s *Spool, limit int64) (again bool, err error)
}

var (
	// errRefused says that the server has not begun with the request, and that it may be sent again.
	errRefused = errors.New("the server refused the request unread")
	// errEnded says that the server has read the request, and will not answer it.
	errEnded = errors.New("the server ended the stream")
)

package site

import (
	"net/http"
	"time"
)

// writeWithin is the time in which a browser must take a piece of an answer. One that takes nothing
// is given up: it would keep what is made for it for ever.
const writeWithin = 10 * time.Second

// piece is the size of these pieces.
const piece = 64 << 10

// A timely writer gives up a browser that does not take a piece in time.
type timely struct {
	http.ResponseWriter
	within time.Duration
}

// Unwrap is for http.ResponseController.
func (t *timely) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *timely) Write(p []byte) (n int, err error) {
	control := http.NewResponseController(t.ResponseWriter)
	for first := true; err == nil && (first || len(p) > 0); first = false {
		control.SetWriteDeadline(time.Now().Add(t.within)) // a recorder of tests has none
		var took int
		took, err = t.ResponseWriter.Write(p[:min(len(p), piece)])
		n, p = n+took, p[took:]
	}
	return n, err
}

// atMost answers by a handler while a slot is free. Other requests wait until their browsers leave.
func atMost(slots chan struct{}, answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			answer(w, r)
		case <-r.Context().Done():
		}
	}
}

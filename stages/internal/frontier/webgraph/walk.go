package webgraph

import (
	"errors"

	"multitext/stages/internal/state/ordered"
)

var errNoURL = errors.New("a page has no URL")

// names gives the URLs of pages whose numbers ascend.
type names struct {
	urls  *walk
	lines [][]byte // URLs of the entry that was read last
	text  []byte
}

// of is the URL of a page, valid until the next call.
func (n *names) of(page uint64) ([]byte, error) {
	if len(n.lines) == 0 || page > n.urls.of {
		ok, err := n.urls.to(page)
		if err == nil && !ok {
			err = errNoURL
		}
		if err != nil {
			return nil, err
		}
		if n.lines, n.text, err = unpackURLs(n.urls.of, n.urls.value, n.text); err != nil {
			return nil, err
		}
	}
	behind := n.urls.of - page // lines
	if behind >= uint64(len(n.lines)) {
		return nil, errNoURL
	}
	return n.lines[uint64(len(n.lines))-1-behind], nil
}

// A walk goes through the entries of one kind, in order.
type walk struct {
	kind   uint64
	cursor *ordered.Cursor
	begun  bool
	of     uint64 // the lower half of the key of the entry where it is
	value  []byte // of that
	ended  bool
}

func (s *State) walk(kind uint64) *walk { return &walk{kind: kind, cursor: s.set.Cursor()} }

// to goes on to the first entry that is of a number or behind it; ok is false where there is none.
func (w *walk) to(of uint64) (ok bool, err error) {
	if w.begun && (w.ended || w.of >= of) {
		return !w.ended, nil
	}
	if err := w.cursor.Seek(keyOf(w.kind, of)); err != nil {
		return false, err
	}
	key, value, ok, err := w.cursor.Next()
	if err != nil {
		return false, err
	}
	w.begun, w.of, w.value, w.ended = true, key.Lo, value, !ok || key.Hi != w.kind
	return !w.ended, nil
}

// is goes on to the entry of a number, and tells whether there is one.
func (w *walk) is(of uint64) (bool, error) {
	ok, err := w.to(of)
	return ok && w.of == of, err
}

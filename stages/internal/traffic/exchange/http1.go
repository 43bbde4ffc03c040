package exchange

// A http1 talks HTTP/1.1.
type http1 struct{ l *link }

// ready is false where something has come since the last answer: the end of the connection, or what
// would pass for an answer to the next request, as the 408 by which some servers say goodbye.
func (t http1) ready() bool { return !t.l.hasMore() }

func (t http1) ask(_ *message, text []byte, limit int) (*head, int, error) {
	if _, err := t.l.Write(text); err != nil {
		return nil, 0, err
	}
	return readHead(t.l.in, limit)
}

func (t http1) body(h *head, s *Spool, limit int64) (again bool, err error) {
	how, length := framingOf(h)
	err = (&bodyReader{t.l.in, s, limit}).read(how, length)
	return err == nil && how != byClose && h.keepsAlive() && t.l.in.Buffered() == 0, err
}

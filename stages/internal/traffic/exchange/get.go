package exchange

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"time"
)

// get makes the request over a kept connection, or over a new one.
func (x *exchange) get() (*Answer, error) {
	if l := x.client.kept(x.request); l != nil {
		answer, err := x.ask(l)
		if !isStale(err) {
			return answer, err
		}
		// The server closed the kept connection while the request was being sent. This is not an
		// answer, so the request is sent once more.
	}
	l, err := x.connect()
	if err != nil {
		return nil, err
	}
	return x.ask(l)
}

// isStale reports whether err shows that the server has closed an idle connection.
func isStale(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.silent && (e.Reason == NoAnswer || e.Reason == Reset)
}

// orContext returns the error of ctx if ctx is done, else err.
func orContext(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// ask sends the request over l and reads the answer. Afterwards l is kept or closed.
func (x *exchange) ask(l *link) (*Answer, error) {
	c, keep := x.client, false
	defer func() {
		if keep {
			c.idle.put(x.request, l, c.MaxIdle, time.Now())
		} else {
			l.conn.Close()
		}
	}()
	if err := x.await(l); err != nil {
		return nil, orContext(x.ctx, err)
	}
	in := c.reader(x)
	defer c.release(in)
	x.link = l
	answer := &Answer{Remote: l.remote, Protocols: l.protocols, Request: x.text, Body: x.spool()}
	answer.Started = x.start(l.expire, c.Limits.Total)
	h, got, err := x.head(in)
	if err != nil {
		return nil, x.errorOf(err, func(err error) error { return headError(err, got) })
	}
	answer.Head, answer.Status, answer.Header = h.raw, h.status, h.header
	x.inBody = true
	again, err := readBody(in, h, answer.Body, c.Limits.Body)
	cut := x.stop()
	keep = err == nil && cut == nil && again && x.request.Keep
	return x.finish(answer, err)
}

// spool returns an empty spool for the answer.
func (x *exchange) spool() *Spool { return &Spool{pool: &x.client.memory, apart: x.apart} }

// head sends the request and reads the head of its answer. If there is an error, got bytes of the
// head had come.
func (x *exchange) head(in *bufio.Reader) (h *head, got int, err error) {
	if _, err := x.link.conn.Write(x.text); err != nil {
		return nil, 0, err
	}
	return readHead(in, x.client.Limits.Head)
}

// readBody copies the head h and the body after it to an empty spool. again reports whether the
// connection can be used for another request.
func readBody(in *bufio.Reader, h *head, to *Spool, limit int64) (again bool, err error) {
	if err := to.begin(h.raw); err != nil {
		return false, err
	}
	how, length := framingOf(h)
	err = (&bodyReader{in, to, limit}).read(how, length)
	return err == nil && how != byClose && h.keepsAlive() && in.Buffered() == 0, err
}

// finish returns the answer, with how its body ended.
func (x *exchange) finish(answer *Answer, err error) (*Answer, error) {
	var disk *spoolError
	switch {
	case err == nil:
	case x.withdrawn() != nil || errors.As(err, &disk):
		answer.Close()
		return nil, cmp.Or(x.withdrawn(), err)
	case errors.Is(err, errTooLong):
		answer.Truncated = CutLength
	case errors.Is(err, errGarbled):
		answer.Truncated = CutGarbled
	case isTimeout(err):
		answer.Truncated = CutTime
	default:
		answer.Truncated = CutDisconnect
	}
	return answer, nil
}

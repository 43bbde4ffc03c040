package exchange

import (
	"bufio"
	"container/list"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"
)

// readBuffer is the piece in which a connection is read.
const readBuffer = 16 << 10

// A link is a connection to a server, with the deadlines of the exchange that uses it.
type link struct {
	conn      net.Conn
	remote    netip.AddrPort
	in        *bufio.Reader   // nil while nobody reads
	used      *sync.Pool      // of readers that nobody uses
	protocols []string        // of Answer
	raw       syscall.RawConn // nil: not of the system

	ctx    context.Context
	done   <-chan struct{} // its end closes the link
	forget func() bool     // ends that
	pace   func(ctx context.Context, n int) error
	piece  int           // the most that is read before pace is called; 0: the buffer
	last   time.Time     // the exchange ends then, whatever it does
	step   time.Time     // the step that is under way ends then; zero: each read or write is a step
	wait   time.Duration // how long such a one may take
	breaks time.Time     // the deadline that the connection has
	waited time.Duration // in this exchange, for pace
	errand *errand       // the exchange

	key    poolKey       // while it is idle
	older  *link         // idle under the same key for longer
	place  *list.Element // in the pool's order
	parked time.Time     // when it became idle
}

// newLink returns a link over conn. Its buffer is that of a link which is done with it, if used has one.
func newLink(conn net.Conn, remote netip.AddrPort, used *sync.Pool, pace func(context.Context, int) error) *link {
	l := &link{conn: conn, remote: remote, used: used, pace: pace, raw: rawConn(conn), errand: &errand{}}
	l.resume()
	return l
}

// resume gives l a buffer to read with, if it has none.
func (l *link) resume() {
	if l.in != nil {
		return
	}
	if l.in, _ = l.used.Get().(*bufio.Reader); l.in == nil {
		l.in = bufio.NewReaderSize(nil, readBuffer)
	}
	l.in.Reset((*linkReader)(l))
}

// rest lets go of the buffer until l resumes, unless there is something in it: most links of a polite crawler are idle.
func (l *link) rest() {
	if l.in.Buffered() == 0 {
		l.release()
	}
}

func (l *link) release() {
	l.in.Reset(nil)
	l.used.Put(l.in)
	l.in = nil
}

// rawConn gives what the system knows of a connection, under TLS if need be; nil if it knows nothing.
func rawConn(conn net.Conn) syscall.RawConn {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if tcp, ok := conn.(syscall.Conn); ok {
		if raw, err := tcp.SyscallConn(); err == nil {
			return raw
		}
	}
	return nil
}

// bind makes the end of ctx close the link, until it is bound to another context. Most exchanges of a connection
// are of one.
func (l *link) bind(ctx context.Context) {
	l.ctx = ctx
	if l.forget != nil {
		if l.done == ctx.Done() {
			return
		}
		l.forget()
	}
	l.done, l.forget = ctx.Done(), context.AfterFunc(ctx, l.close)
}

// begin starts an exchange that ends within total.
func (l *link) begin(now time.Time, total time.Duration) { l.last, l.waited = now.Add(total), 0 }

// allow gives all reads and writes from now on d together.
func (l *link) allow(now time.Time, d time.Duration) { l.step, l.wait = now.Add(d), d }

// allowEach gives each read and write from now on d.
func (l *link) allowEach(d time.Duration) { l.step, l.wait = time.Time{}, d }

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// deadline is that of a read or write that begins now.
func (l *link) deadline() time.Time {
	if l.step.IsZero() {
		return earlier(time.Now().Add(l.wait), l.last)
	}
	return earlier(l.step, l.last)
}

// lateness is by what share of its time a step may end late. So the connection's deadline, which costs more to
// move than a small page to read, has to be moved once for many steps.
const lateness = 1. / 16

// limit gives the connection a deadline for a read or write that begins now.
func (l *link) limit() {
	by := l.deadline()
	late := by.Add(time.Duration(lateness * float64(l.wait)))
	if l.breaks.Before(by) || l.breaks.After(late) {
		l.conn.SetDeadline(late)
		l.breaks = late
		if l.errand.wasCut() { // meanwhile
			l.expire()
		}
	}
}

// expire ends the read or write that is under way, and all that come, as if their time was up. It
// may be called by any goroutine.
func (l *link) expire() { l.conn.SetDeadline(time.Unix(1, 0)) }

// close ends the connection. It may be called at any time, by any goroutine.
func (l *link) close() { l.conn.Close() }

// drop closes a link that nobody will use again.
func (l *link) drop() {
	if l.forget != nil {
		l.forget()
	}
	l.close()
	if l.in != nil {
		l.release()
	}
}

// Write sends p.
func (l *link) Write(p []byte) (int, error) {
	l.limit()
	return l.conn.Write(p)
}

// hasMore tells whether bytes wait to be read, or the connection has ended: a kept connection on which
// that is so takes no other request, for its answer would be what came, as the 408 by which some
// servers say goodbye. It waits for nothing.
func (l *link) hasMore() bool {
	if l.raw == nil {
		return false
	}
	more := true
	l.raw.Control(func(fd uintptr) {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		more = err != syscall.EAGAIN
	})
	return more || l.hasMoreOfRecord()
}

// hasMoreOfRecord tells whether TLS has bytes that it took from the system and has not given out: a record is taken whole,
// and read in pieces. It is asked for one after a deadline, when the system gives it nothing.
func (l *link) hasMoreOfRecord() bool {
	secure, ok := l.conn.(*tls.Conn)
	if !ok {
		return false
	}
	secure.SetReadDeadline(time.Unix(1, 0))
	l.breaks = time.Time{} // the next read sets another
	var one [1]byte
	_, err := secure.Read(one[:])
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// A linkReader is a link as the source of its buffer.
type linkReader link

func (r *linkReader) Read(p []byte) (int, error) {
	l := (*link)(r)
	if l.piece > 0 {
		p = p[:min(len(p), l.piece)]
	}
	l.limit()
	n, err := l.conn.Read(p)
	if n > 0 {
		if perr := l.paced(n); err == nil {
			err = perr
		}
	}
	return n, err
}

// paced waits as long as the caller's bound on the rate wants. That is not the server's
// slowness, so the deadlines move by it.
func (l *link) paced(n int) error {
	began := l.errand.pause(n)
	if l.pace == nil {
		l.errand.resume(began, 0)
		return nil
	}
	start := time.Now()
	err := l.pace(l.ctx, n)
	waited := time.Since(start)
	l.errand.resume(began, waited)
	l.waited += waited
	l.last = l.last.Add(waited)
	if !l.step.IsZero() {
		l.step = l.step.Add(waited)
	}
	return err
}

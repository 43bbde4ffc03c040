package exchange

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"
	"net/netip"
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
	in        *bufio.Reader
	talk      talk
	protocols []string // of Answer

	ctx   context.Context
	pace  func(ctx context.Context, n int) error
	piece int           // the most that is read before pace is called; 0: the buffer
	last  time.Time     // the exchange ends then, whatever it does
	step  time.Time     // the step that is under way ends then; zero: each read or write is a step
	wait  time.Duration // how long such a one may take
}

func newLink(conn net.Conn, remote netip.AddrPort, pace func(context.Context, int) error) *link {
	l := &link{conn: conn, remote: remote, pace: pace}
	l.in = bufio.NewReaderSize((*linkReader)(l), readBuffer)
	return l
}

// begin starts an exchange that ends within total.
func (l *link) begin(ctx context.Context, total time.Duration) {
	l.ctx, l.last = ctx, time.Now().Add(total)
}

// allow gives all reads and writes from now on d together.
func (l *link) allow(d time.Duration) { l.step = time.Now().Add(d) }

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

func (l *link) close() { l.conn.Close() }

// Write sends p.
func (l *link) Write(p []byte) (int, error) {
	l.conn.SetWriteDeadline(l.deadline())
	return l.conn.Write(p)
}

// hasMore tells whether bytes wait to be read, or the connection has ended. It waits for nothing.
func (l *link) hasMore() bool {
	conn := l.conn
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	tcp, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return true
	}
	more := true
	raw.Control(func(fd uintptr) {
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		more = err != syscall.EAGAIN
	})
	return more
}

// A linkReader is a link as the source of its buffer.
type linkReader link

func (r *linkReader) Read(p []byte) (int, error) {
	l := (*link)(r)
	if l.piece > 0 {
		p = p[:min(len(p), l.piece)]
	}
	l.conn.SetReadDeadline(l.deadline())
	n, err := l.conn.Read(p)
	if n > 0 && l.pace != nil {
		if perr := l.paced(n); err == nil {
			err = perr
		}
	}
	return n, err
}

// paced waits as long as the caller's bound on the rate wants. That is not the server's
// slowness, so the deadlines move by it.
func (l *link) paced(n int) error {
	start := time.Now()
	err := l.pace(l.ctx, n)
	waited := time.Since(start)
	l.last = l.last.Add(waited)
	if !l.step.IsZero() {
		l.step = l.step.Add(waited)
	}
	return err
}

// An idlePool holds connections on which no request is under way.
type idlePool struct {
	mu    sync.Mutex
	links []pooled // the one idle for longest first
}

type pooled struct {
	key  string
	link *link
}

// take returns the newest connection under key, nil if there is none.
func (p *idlePool) take(key string) *link {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.links) - 1; i >= 0; i-- {
		if p.links[i].key == key {
			l := p.links[i].link
			p.links = append(p.links[:i], p.links[i+1:]...)
			return l
		}
	}
	return nil
}

// put keeps l, and closes the one idle for longest if that makes more than limit.
func (p *idlePool) put(key string, l *link, limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.links = append(p.links, pooled{key, l})
	if len(p.links) > limit {
		p.links[0].link.close()
		p.links = append(p.links[:0], p.links[1:]...)
	}
}

func (p *idlePool) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, idle := range p.links {
		idle.link.close()
	}
	p.links = nil
}

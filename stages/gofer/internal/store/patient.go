package store

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// tries is how often insist tries.
const tries = 4

// insist does something until it is done, fails for good, or was tried often enough. Of several
// gofers that come on the same tick each waits for a time of its own before it tries again.
func insist(ctx context.Context, timeout time.Duration, do func() (again bool, err error)) error {
	wait := min(250*time.Millisecond, timeout/10)
	for try := 1; ; try++ {
		again, err := do()
		if err == nil || !again || try == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait + rand.N(wait)):
			wait *= 2
		}
	}
}

// A patient is a connection that breaks off when somebody waits for the other side and no byte goes
// either way for a time. Between two waits it may be silent for as long as it likes.
type patient struct {
	net.Conn
	timeout time.Duration

	mu      sync.Mutex
	waiting bool
	left    int64  // bytes that may go either way before over is called
	over    func() // nil: any number
}

// defaultTimeout is the bound on silence where Options name none.
const defaultTimeout = time.Minute

func (o Options) timeout() time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	return defaultTimeout
}

// await says that somebody waits from now on until done is called. The end of ctx closes the
// connection.
func (p *patient) await(ctx context.Context) (done func()) {
	p.wait(true)
	stop := context.AfterFunc(ctx, func() { p.Conn.Close() })
	return func() {
		stop()
		p.wait(false)
	}
}

func (p *patient) wait(waiting bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = waiting
	if waiting {
		p.Conn.SetDeadline(time.Now().Add(p.timeout))
	} else {
		p.Conn.SetDeadline(time.Time{})
	}
}

// bound begins to count: over is called when more than n bytes have gone either way. Nil ends it.
func (p *patient) bound(n int64, over func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.over = n, over
}

// moved starts the time anew, and counts.
func (p *patient) moved(n int, err error) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting && n > 0 {
		p.Conn.SetDeadline(time.Now().Add(p.timeout))
	}
	if p.left -= int64(n); p.over != nil && p.left < 0 {
		p.over()
	}
	return n, err
}

// Read implements net.Conn.
func (p *patient) Read(b []byte) (int, error) { return p.moved(p.Conn.Read(b)) }

// Write implements net.Conn.
func (p *patient) Write(b []byte) (int, error) { return p.moved(p.Conn.Write(b)) }

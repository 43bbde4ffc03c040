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

// insist does something until it is done, fails for good, or was tried often enough. Of several gofers that come on the
// same tick each waits for a time of its own before it tries again.
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
}

// defaultTimeout is the bound on silence where Options name none.
const defaultTimeout = time.Minute

func (o Options) timeout() time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	return defaultTimeout
}

// await says that somebody waits from now on until done is called. The end of ctx closes the connection.
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

// moved starts the time anew.
func (p *patient) moved(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting && n > 0 {
		p.Conn.SetDeadline(time.Now().Add(p.timeout))
	}
}

// Read implements net.Conn.
func (p *patient) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	p.moved(n)
	return n, err
}

// Write implements net.Conn.
func (p *patient) Write(b []byte) (int, error) {
	n, err := p.Conn.Write(b)
	p.moved(n)
	return n, err
}

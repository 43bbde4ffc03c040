package store

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// tries is the maximum number of tries of insist.
const tries = 4

// insist calls do until it succeeds, fails for good, or was called tries times. Between calls it
// waits for a random time, so that gofers that start at the same time do not try again at the same
// time.
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

// A patient is a connection with a timeout for silence. It closes if somebody waits for the other
// side and no byte moves in either direction for a time. While nobody waits, it may be silent for
// any time.
type patient struct {
	net.Conn
	timeout time.Duration

	mu      sync.Mutex
	waiting bool
	left    int64  // number of bytes that may move before over is called
	over    func() // nil: no limit
}

// defaultTimeout is the timeout for silence if Options has none.
const defaultTimeout = time.Minute

func (o Options) timeout() time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	return defaultTimeout
}

// await marks that somebody waits from now until done is called. When ctx is done, the connection
// is closed.
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

// bound starts to count bytes: over is called when more than n bytes have moved in either
// direction. A nil over ends the count.
func (p *patient) bound(n int64, over func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.over = n, over
}

// moved resets the timeout and counts the bytes.
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

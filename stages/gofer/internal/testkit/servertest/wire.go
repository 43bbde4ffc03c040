package servertest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A Wire is a line to a server that can be cut, and that can fall silent without being cut.
type Wire struct {
	Address string
	server  string
	listen  net.Listener

	mu     sync.Mutex
	moved  *sync.Cond // broadcast at every change of what follows
	ends   map[net.Conn]bool
	silent bool
	calls  int
	cuts   int
	budget int64 // bytes from the server that pass before all is cut; negative: any number
}

// NewWire lays a line to the server at address.
func NewWire(t testing.TB, address string) *Wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Wire{Address: l.Addr().String(), server: address, listen: l, ends: map[net.Conn]bool{}, budget: -1}
	w.moved = sync.NewCond(&w.mu)
	go w.serve()
	t.Cleanup(func() {
		l.Close()
		w.Silence(false)
		w.Cut()
	})
	return w
}

// Cut ends all connections that there are; new ones are let through.
func (w *Wire) Cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut()
}

func (w *Wire) cut() {
	w.cuts += len(w.ends) / 2
	for c := range w.ends {
		c.Close()
	}
	clear(w.ends)
	w.moved.Broadcast()
}

// Open is how many connections there are.
func (w *Wire) Open() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.ends) / 2
}

// Cuts is how many connections were cut.
func (w *Wire) Cuts() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cuts
}

// CutAfter cuts once, when n more bytes have come from the server.
func (w *Wire) CutAfter(n int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.budget = n
}

// Silence lets nothing through in either direction, or everything again.
func (w *Wire) Silence(silent bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silent = silent
	w.moved.Broadcast()
}

// Calls is how many connections there have been.
func (w *Wire) Calls() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls
}

func (w *Wire) serve() {
	for {
		client, err := w.listen.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", w.server)
		if err != nil {
			client.Close()
			continue
		}
		w.mu.Lock()
		w.ends[client], w.ends[server] = true, true
		w.calls++
		w.mu.Unlock()
		go w.carry(server, client, false)
		go w.carry(client, server, true)
	}
}

// carry copies until either end closes. back: from the server.
func (w *Wire) carry(to, from net.Conn, back bool) {
	defer w.hangUp(to, from)
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if n = w.pass(n, from, back); n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err == io.EOF || err != nil {
			return
		}
	}
}

// hangUp ends a connection of which one end has closed.
func (w *Wire) hangUp(ends ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range ends {
		end.Close()
		delete(w.ends, end)
	}
}

// pass waits while the line is silent, and says how many of n bytes go on.
func (w *Wire) pass(n int, from net.Conn, back bool) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.silent && w.ends[from] {
		w.moved.Wait()
	}
	if !back || w.budget < 0 {
		return n
	}
	if w.budget -= int64(n); w.budget <= 0 {
		w.budget = -1
		w.cut()
		return 0
	}
	return n
}

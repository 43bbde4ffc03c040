package main

import (
	"net"
	"sync"
	"time"
)

// ledger holds what was asked of the web. Its methods may be called at once.
type ledger struct {
	mu         sync.Mutex
	started    time.Time // the first start, by the clock on the wall
	hosts      map[string]*hostLedger
	addresses  map[string]*meter     // by the local end of a connection, 127.0.0.1:8480
	conns      map[net.Conn][]*meter // the hosts that a connection was used for, and its address
	violations int
	changes    int // counts up; tells the saver that there is something new
}

// hostLedger holds what was asked of one host.
type hostLedger struct {
	meter
	urls map[string]*urlCount // by target
}

type urlCount struct {
	kind  kind
	count int
}

func newLedger() *ledger {
	l := &ledger{started: time.Now()}
	l.forget()
	return l
}

func (l *ledger) forget() {
	l.hosts, l.addresses, l.conns = map[string]*hostLedger{}, map[string]*meter{}, map[net.Conn][]*meter{}
	l.violations = 0
}

func (l *ledger) host(name string) *hostLedger {
	h := l.hosts[name]
	if h == nil {
		h = &hostLedger{newMeter(), map[string]*urlCount{}}
		l.hosts[name] = h
	}
	return h
}

func (l *ledger) address(name string) *meter {
	m := l.addresses[name]
	if m == nil {
		fresh := newMeter()
		m = &fresh
		l.addresses[name] = m
	}
	return m
}

// request is one under way.
type request struct {
	ledger *ledger
	host   *hostLedger
	meters []*meter // of its host and of the address that it came to
	robots bool
	began  time.Time
}

// begin notes that a request to host has come in on conn; robots tells that it is for
// robots.txt.
func (l *ledger) begin(conn net.Conn, host string, robots bool) request {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.host(host)
	r := request{l, h, []*meter{&h.meter}, robots, now}
	if conn != nil {
		r.meters = append(r.meters, l.address(conn.LocalAddr().String()))
	}
	for _, m := range r.meters {
		if m.use(conn, robots) {
			l.conns[conn] = append(l.conns[conn], m)
		}
		m.begin(now, robots)
	}
	return r
}

// end notes that the answer is complete: to what target, of which kind,
// and whether robots.txt forbade it.
func (r request) end(target string, k kind, violation bool) {
	now := time.Now()
	r.ledger.mu.Lock()
	defer r.ledger.mu.Unlock()
	for _, m := range r.meters {
		m.end(r.began, now, r.robots)
	}
	r.host.count(target, k)
	if violation {
		r.ledger.violations++
	}
	r.ledger.changes++
}

func (h *hostLedger) count(target string, k kind) {
	u := h.urls[target]
	if u == nil {
		u = &urlCount{}
		h.urls[target] = u
	}
	u.kind = k
	u.count++
}

// closed notes that conn is gone.
func (l *ledger) closed(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.conns[conn] {
		m.drop(conn)
	}
	delete(l.conns, conn)
}

// reset forgets all counts.
func (l *ledger) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget()
	l.changes++
}

// age is the time since the first start.
func (l *ledger) age() time.Duration { return time.Since(l.started) }

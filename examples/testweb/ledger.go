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
	conns      map[net.Conn][]*hostLedger // the hosts that a connection was used for
	violations int
	changes    int // counts up; tells the saver that there is something new
}

// hostLedger holds what was asked of one host. The pairs are
// indexed by all, robots.txt included, and pages, all but robots.txt.
type hostLedger struct {
	urls      map[string]*urlCount // by target
	conns     map[net.Conn]bool    // open ones; true when it carried more than robots.txt
	open      [2]int               // requests under way
	mostConns [2]int
	mostOpen  [2]int
	lastEnd   [2]time.Time // of everything, of pages
	lastRobot time.Time    // the end of the last robots.txt
	gap       gap
	robotsGap gap
}

const (
	all = iota
	pages
)

type urlCount struct {
	kind  kind
	count int
}

// gap is the shortest time seen.
type gap struct {
	time.Duration
	known bool
}

func (g *gap) see(since, now time.Time) {
	if since.IsZero() {
		return
	}
	if d := max(0, now.Sub(since)); !g.known || d < g.Duration {
		*g = gap{d, true}
	}
}

func newLedger() *ledger {
	return &ledger{started: time.Now(), hosts: map[string]*hostLedger{}, conns: map[net.Conn][]*hostLedger{}}
}

func newHostLedger() *hostLedger {
	return &hostLedger{urls: map[string]*urlCount{}, conns: map[net.Conn]bool{}}
}

func (l *ledger) host(name string) *hostLedger {
	h := l.hosts[name]
	if h == nil {
		h = newHostLedger()
		l.hosts[name] = h
	}
	return h
}

// request is one under way.
type request struct {
	ledger *ledger
	host   *hostLedger
	robots bool
}

// begin notes that a request to host has come in on conn; robots tells that it is for
// robots.txt.
func (l *ledger) begin(conn net.Conn, host string, robots bool) request {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.host(host)
	l.use(conn, h, robots)
	robotsOpen := h.open[all] > h.open[pages]
	h.open[all]++
	h.mostOpen[all] = max(h.mostOpen[all], h.open[all])
	switch {
	case robots:
		h.robotsGap.see(h.since(all, now), now)
		return request{l, h, true}
	case robotsOpen:
		h.robotsGap.see(now, now)
	default:
		h.robotsGap.see(h.lastRobot, now)
	}
	h.open[pages]++
	h.mostOpen[pages] = max(h.mostOpen[pages], h.open[pages])
	h.gap.see(h.since(pages, now), now)
	return request{l, h, false}
}

// since is the end of the last answer, or now while one is under way; begin has already
// counted the request itself, so one alone is not under way.
func (h *hostLedger) since(which int, now time.Time) time.Time {
	if h.open[which] > 1 {
		return now
	}
	return h.lastEnd[which]
}

// use notes that conn carries a request to h.
func (l *ledger) use(conn net.Conn, h *hostLedger, robots bool) {
	if _, ok := h.conns[conn]; !ok {
		l.conns[conn] = append(l.conns[conn], h)
	}
	h.conns[conn] = h.conns[conn] || !robots
	if n := h.countConns(); n[all] > h.mostConns[all] || n[pages] > h.mostConns[pages] {
		for c := range h.conns {
			if c != conn && peerClosed(c) {
				delete(h.conns, c)
			}
		}
		n = h.countConns()
		h.mostConns[all] = max(h.mostConns[all], n[all])
		h.mostConns[pages] = max(h.mostConns[pages], n[pages])
	}
}

func (h *hostLedger) countConns() (n [2]int) {
	n[all] = len(h.conns)
	for _, carriedPages := range h.conns {
		if carriedPages {
			n[pages]++
		}
	}
	return n
}

// end notes that the answer is complete: to what target, of which kind,
// and whether robots.txt forbade it.
func (r request) end(target string, k kind, violation bool) {
	now := time.Now()
	l, h := r.ledger, r.host
	l.mu.Lock()
	defer l.mu.Unlock()
	h.open[all]--
	h.lastEnd[all] = now
	if r.robots {
		h.lastRobot = now
	} else {
		h.open[pages]--
		h.lastEnd[pages] = now
	}
	h.count(target, k)
	if violation {
		l.violations++
	}
	l.changes++
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
	for _, h := range l.conns[conn] {
		delete(h.conns, conn)
	}
	delete(l.conns, conn)
}

// reset forgets all counts.
func (l *ledger) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hosts, l.conns, l.violations = map[string]*hostLedger{}, map[net.Conn][]*hostLedger{}, 0
	l.changes++
}

// age is the time since the first start.
func (l *ledger) age() time.Duration { return time.Since(l.started) }

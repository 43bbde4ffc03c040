package main

import (
	"net"
	"time"
)

// meter watches how densely one server is asked: a host, or an address that many hosts
// share. The pairs are indexed by all, robots.txt included, and pages, all but robots.txt.
type meter struct {
	conns     map[net.Conn]bool // open ones; true when it carried more than robots.txt
	numConns  [2]int            // of these
	open      [2]int            // requests under way
	mostConns [2]int
	mostOpen  [2]int
	lastEnd   [2]time.Time // of everything, of pages
	lastRobot time.Time    // the end of the last robots.txt
	lastStart time.Time    // of a page
	gap       gap
	robotsGap gap
	pace      gap
	answers   int           // robots.txt left out
	busy      time.Duration // that they took, from the request to the end
}

const (
	all = iota
	pages
)

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

func newMeter() meter { return meter{conns: map[net.Conn]bool{}} }

// use notes that conn carries a request, and tells whether it is new here.
func (m *meter) use(conn net.Conn, robots bool) (fresh bool) {
	carriedPages, known := m.conns[conn]
	if known && (carriedPages || robots) {
		return false // as before
	}
	m.drop(conn)
	m.conns[conn] = !robots
	m.numConns[all]++
	if !robots {
		m.numConns[pages]++
	}
	if n := m.numConns; n[all] > m.mostConns[all] || n[pages] > m.mostConns[pages] {
		for c := range m.conns {
			if c != conn && peerClosed(c) {
				m.drop(c)
			}
		}
		m.mostConns[all] = max(m.mostConns[all], m.numConns[all])
		m.mostConns[pages] = max(m.mostConns[pages], m.numConns[pages])
	}
	return !known
}

// drop notes that conn is gone, if it was there.
func (m *meter) drop(conn net.Conn) {
	carriedPages, known := m.conns[conn]
	if !known {
		return
	}
	delete(m.conns, conn)
	m.numConns[all]--
	if carriedPages {
		m.numConns[pages]--
	}
}

// begin notes that a request has come in.
func (m *meter) begin(now time.Time, robots bool) {
	robotsOpen := m.open[all] > m.open[pages]
	m.open[all]++
	m.mostOpen[all] = max(m.mostOpen[all], m.open[all])
	switch {
	case robots:
		m.robotsGap.see(m.since(all, now), now)
		return
	case robotsOpen:
		m.robotsGap.see(now, now)
	default:
		m.robotsGap.see(m.lastRobot, now)
	}
	m.open[pages]++
	m.mostOpen[pages] = max(m.mostOpen[pages], m.open[pages])
	m.gap.see(m.since(pages, now), now)
	m.pace.see(m.lastStart, now)
	m.lastStart = now
}

// since is the end of the last answer, or now while one is under way; begin has already
// counted the request itself, so one alone is not under way.
func (m *meter) since(which int, now time.Time) time.Time {
	if m.open[which] > 1 {
		return now
	}
	return m.lastEnd[which]
}

// end notes that the answer to a request that came in at began is complete.
func (m *meter) end(began, now time.Time, robots bool) {
	m.open[all]--
	m.lastEnd[all] = now
	if robots {
		m.lastRobot = now
		return
	}
	m.open[pages]--
	m.lastEnd[pages] = now
	m.answers++
	m.busy += now.Sub(began)
}

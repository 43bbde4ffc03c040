package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"
)

// stats is the JSON object of /__stats.
type stats struct {
	Started               time.Time           `json:"started"`
	Kinds                 map[kind]kindCount  `json:"kinds"`
	Violations            int                 `json:"violations"`
	Connections           peak                `json:"connections"`
	Requests              peak                `json:"requests"`
	ConnectionsWithRobots peak                `json:"connections_with_robots"`
	RequestsWithRobots    peak                `json:"requests_with_robots"`
	Gap                   shortest            `json:"gap"`
	RobotsGap             shortest            `json:"robots_gap"`
	Pace                  shortest            `json:"pace,omitzero"`
	AddressConnections    peak                `json:"address_connections,omitzero"`
	AddressRequests       peak                `json:"address_requests,omitzero"`
	AddressGap            shortest            `json:"address_gap,omitzero"`
	AddressPace           shortest            `json:"address_pace,omitzero"`
	Hosts                 []hostStats         `json:"hosts,omitempty"`
	Addresses             []addressStats      `json:"addresses,omitempty"`
	URLs                  map[string]urlStats `json:"urls,omitempty"`
}

type kindCount struct {
	Distinct int `json:"distinct"`
	Repeated int `json:"repeated"`
}

// place is a host or an address.
type place struct {
	Host    string `json:"host,omitempty"`
	Address string `json:"address,omitempty"`
}

// peak is the most of something at one place.
type peak struct {
	Most int `json:"most"`
	place
}

func (p *peak) see(n int, who place) {
	if n > p.Most {
		*p = peak{n, who}
	}
}

// shortest is the shortest time of all places.
type shortest struct {
	Seconds *float64 `json:"seconds"`
	place
}

func (g *shortest) see(seconds *float64, who place) {
	if seconds != nil && (g.Seconds == nil || *seconds < *g.Seconds) {
		*g = shortest{seconds, who}
	}
}

type hostStats struct {
	Host    string `json:"host"`
	Fetches int    `json:"fetches"`
	meterStats
}

type addressStats struct {
	Address string `json:"address"`
	meterStats
}

// meterStats is a meter; the times of the last answers are there so that a gap can
// span two runs of testweb.
type meterStats struct {
	Connections           int       `json:"connections"`
	Requests              int       `json:"requests"`
	ConnectionsWithRobots int       `json:"connections_with_robots"`
	RequestsWithRobots    int       `json:"requests_with_robots"`
	Gap                   *float64  `json:"gap"`
	RobotsGap             *float64  `json:"robots_gap"`
	Pace                  *float64  `json:"pace,omitempty"`
	Answers               int       `json:"answers,omitempty"`
	Busy                  float64   `json:"busy,omitempty"`
	LastPage              time.Time `json:"last_page,omitzero"`
	LastRobots            time.Time `json:"last_robots,omitzero"`
	LastStart             time.Time `json:"last_start,omitzero"`
}

type urlStats struct {
	Kind  kind `json:"kind"`
	Count int  `json:"count"`
}

// stats is what the ledger holds now, with every host, address and URL.
func (l *ledger) stats() stats { return l.statsWith(true) }

// statsWith is stats with URLs or, for they are many and nothing is counted meanwhile, without.
func (l *ledger) statsWith(urls bool) stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := stats{Started: l.started, Violations: l.violations, Kinds: map[kind]kindCount{}}
	if urls {
		s.URLs = map[string]urlStats{}
	}
	for _, name := range slices.Sorted(maps.Keys(l.hosts)) {
		s.addHost(name, l.hosts[name])
	}
	for _, name := range slices.Sorted(maps.Keys(l.addresses)) {
		s.addAddress(name, l.addresses[name])
	}
	return s
}

func (s *stats) addHost(name string, h *hostLedger) {
	fetches := 0
	for target, u := range h.urls {
		c := s.Kinds[u.kind]
		c.Distinct++
		c.Repeated += u.count - 1
		s.Kinds[u.kind] = c
		if s.URLs != nil {
			s.URLs["http://"+name+target] = urlStats{u.kind, u.count}
		}
		fetches += u.count
	}
	m, who := h.stats(), place{Host: name}
	s.Connections.see(m.Connections, who)
	s.Requests.see(m.Requests, who)
	s.ConnectionsWithRobots.see(m.ConnectionsWithRobots, who)
	s.RequestsWithRobots.see(m.RequestsWithRobots, who)
	s.Gap.see(m.Gap, who)
	s.RobotsGap.see(m.RobotsGap, who)
	s.Pace.see(m.Pace, who)
	s.Hosts = append(s.Hosts, hostStats{name, fetches, m})
}

func (s *stats) addAddress(name string, address *meter) {
	m, who := address.stats(), place{Address: name}
	s.AddressConnections.see(m.Connections, who)
	s.AddressRequests.see(m.Requests, who)
	s.AddressGap.see(m.Gap, who)
	s.AddressPace.see(m.Pace, who)
	s.Addresses = append(s.Addresses, addressStats{name, m})
}

func (m *meter) stats() meterStats {
	return meterStats{
		Connections: m.mostConns[pages], ConnectionsWithRobots: m.mostConns[all],
		Requests: m.mostOpen[pages], RequestsWithRobots: m.mostOpen[all],
		Gap: m.gap.seconds(), RobotsGap: m.robotsGap.seconds(), Pace: m.pace.seconds(), Answers: m.answers,
		Busy:     m.busy.Seconds(),
		LastPage: m.lastEnd[pages], LastRobots: m.lastRobot, LastStart: m.lastStart,
	}
}

func (g gap) seconds() *float64 {
	if !g.known {
		return nil
	}
	s := g.Seconds()
	return &s
}

func (s stats) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(s)
}

// serveStats answers /__stats.
func (l *ledger) serveStats(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s := l.statsWith(q.Has("urls"))
	if !q.Has("hosts") {
		s.Hosts, s.Addresses = nil, nil
	}
	w.Header().Set("Content-Type", "application/json")
	_ = s.write(w) // an error is a client that went away
	if q.Has("reset") {
		l.reset()
	}
}

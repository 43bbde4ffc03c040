package main

import (
	"encoding/json"
	"io"
	"net/http"
	"sort"
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
	Gap                   hostGap             `json:"gap"`
	RobotsGap             hostGap             `json:"robots_gap"`
	Hosts                 []hostStats         `json:"hosts,omitempty"`
	URLs                  map[string]urlStats `json:"urls,omitempty"`
}

type kindCount struct {
	Distinct int `json:"distinct"`
	Repeated int `json:"repeated"`
}

// peak is the most of something at one host.
type peak struct {
	Most int    `json:"most"`
	Host string `json:"host,omitempty"`
}

func (p *peak) see(n int, host string) {
	if n > p.Most {
		*p = peak{n, host}
	}
}

// hostGap is the shortest gap of all hosts.
type hostGap struct {
	Seconds *float64 `json:"seconds"`
	Host    string   `json:"host,omitempty"`
}

func (g *hostGap) see(seconds *float64, host string) {
	if seconds != nil && (g.Seconds == nil || *seconds < *g.Seconds) {
		*g = hostGap{seconds, host}
	}
}

// hostStats is one host; the times of the last answers are there so that a gap can
// span two runs of testweb.
type hostStats struct {
	Host                  string    `json:"host"`
	Fetches               int       `json:"fetches"`
	Connections           int       `json:"connections"`
	Requests              int       `json:"requests"`
	ConnectionsWithRobots int       `json:"connections_with_robots"`
	RequestsWithRobots    int       `json:"requests_with_robots"`
	Gap                   *float64  `json:"gap"`
	RobotsGap             *float64  `json:"robots_gap"`
	LastPage              time.Time `json:"last_page,omitzero"`
	LastRobots            time.Time `json:"last_robots,omitzero"`
}

type urlStats struct {
	Kind  kind `json:"kind"`
	Count int  `json:"count"`
}

// stats is what the ledger holds now, with every host and address.
func (l *ledger) stats() stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := stats{Started: l.started, Violations: l.violations, Kinds: map[kind]kindCount{}, URLs: map[string]urlStats{}}
	for name, h := range l.hosts {
		s.add(name, h)
	}
	sort.Slice(s.Hosts, func(i, j int) bool { return s.Hosts[i].Host < s.Hosts[j].Host })
	for _, h := range s.Hosts {
		s.Connections.see(h.Connections, h.Host)
		s.Requests.see(h.Requests, h.Host)
		s.ConnectionsWithRobots.see(h.ConnectionsWithRobots, h.Host)
		s.RequestsWithRobots.see(h.RequestsWithRobots, h.Host)
		s.Gap.see(h.Gap, h.Host)
		s.RobotsGap.see(h.RobotsGap, h.Host)
	}
	return s
}

func (s *stats) add(name string, h *hostLedger) {
	fetches := 0
	for target, u := range h.urls {
		c := s.Kinds[u.kind]
		c.Distinct++
		c.Repeated += u.count - 1
		s.Kinds[u.kind] = c
		s.URLs["http://"+name+target] = urlStats{u.kind, u.count}
		fetches += u.count
	}
	s.Hosts = append(s.Hosts, hostStats{
		Host: name, Fetches: fetches,
		Connections: h.mostConns[pages], ConnectionsWithRobots: h.mostConns[all],
		Requests: h.mostOpen[pages], RequestsWithRobots: h.mostOpen[all],
		Gap: h.gap.seconds(), RobotsGap: h.robotsGap.seconds(),
		LastPage: h.lastEnd[pages], LastRobots: h.lastRobot,
	})
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
	s := l.stats()
	q := r.URL.Query()
	if !q.Has("hosts") {
		s.Hosts = nil
	}
	if !q.Has("urls") {
		s.URLs = nil
	}
	w.Header().Set("Content-Type", "application/json")
	_ = s.write(w) // an error is a client that went away
	if q.Has("reset") {
		l.reset()
	}
}

package waiting

import (
	"fmt"
	"slices"

	"multitext/stages/internal/traffic/visits"
	"multitext/stages/internal/web/canon"
)

// Arrivals are what came in in a run, until the rows of all its hosts are read: in the order of their
// keys, which takes half the time that reading each takes when it is met.
type arrivals struct {
	records []arrival
	size    int    // of their lines, in bytes
	room    []byte // for the next ones
	visits  []visits.Visit
	hosts   []uint64 // keys of the hosts of both whose rows were not read yet
}

// An arrival is a record that is to wait.
type arrival struct {
	band uint8
	line []byte
}

// Bounds of arrivals.
const (
	arrivalBytes = 32       // that an arrival takes, about, beside its line
	visitBytes   = 160      // that a visit takes, about
	mostArrived  = 12 << 20 // bytes, from which on they are taken in before all of a run are there
	roomBytes    = 64 << 10 // that are made at a time
)

func (a *arrivals) bytes() int {
	return a.size + len(a.records)*arrivalBytes + len(a.visits)*visitBytes
}

// add notes a record of a host.
func (a *arrivals) add(host uint64, band uint8, line []byte) {
	if len(a.room) < len(line) {
		a.room = make([]byte, max(roomBytes, len(line)))
	}
	n := copy(a.room, line)
	a.records = append(a.records, arrival{band, a.room[:n:n]})
	a.room, a.size = a.room[n:], a.size+n
	a.hosts = append(a.hosts, host)
}

// takeIn puts what came in where it belongs.
func (s *State) takeIn() error {
	if err := s.takeVisits(); err != nil {
		return err
	}
	a := s.arrived
	s.arrived = arrivals{}
	for _, k := range a.records {
		r, err := s.host(canon.Hostname(urlOf(k.line)))
		if err != nil {
			return err
		}
		s.queue(r, s.lower(r, k.band), k.line)
		s.meta.entered++
		if err := s.relieve(); err != nil {
			return err
		}
	}
	return nil
}

// takeVisits takes in the visits alone; the rows of all hosts are read with theirs.
func (s *State) takeVisits() error {
	if err := s.meet(s.arrived.hosts); err != nil {
		return err
	}
	told := s.arrived.visits
	s.arrived.visits, s.arrived.hosts = nil, nil
	for i := range told {
		if err := s.visited(&told[i]); err != nil {
			return err
		}
	}
	return nil
}

// meet reads the rows of hosts by their keys, and notes which have none.
func (s *State) meet(hosts []uint64) error {
	slices.Sort(hosts)
	rows := s.set.Finder()
	for _, key := range slices.Compact(hosts) {
		if _, met := s.rows[key]; met {
			continue
		}
		value, ok, err := rows.Get(rowKey(key))
		if err != nil {
			return fmt.Errorf("state of the frontier: %w", err)
		}
		if !ok {
			s.rows[key] = nil
			continue
		}
		r, err := unpackRow(key, value)
		if err != nil {
			return err
		}
		s.keep(r)
	}
	return nil
}

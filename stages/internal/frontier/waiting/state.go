package waiting

import (
	"cmp"
	"fmt"
	"time"

	"multitext/stages/internal/frontier/learned"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/ordered"
)

// A Lane says with which others a host is handed out. It is in one of them.
type Lane uint8

const (
	Main     Lane = iota
	Doubtful      // for hosts that did not answer last, or have only URLs left that failed; with those of Main
	Slow          // for hosts that want so long a pause that a batch of the others would wait for them

	lanes = 3
)

// Rules are what a run goes by.
type Rules struct {
	Now      time.Time
	Pause    time.Duration  // between two requests to a host of which no more is known
	Patience time.Duration  // that a run of fetch has with a server that does not answer
	Silence  time.Duration  // for which a host is left alone that answered nothing; it doubles each time
	Slow     time.Duration  // hosts with a longer pause are in the lane Slow; 0: there is none
	Explore  float64        // share of the URLs that goes by turns and not by bands (explore.go)
	Model    *learned.Model // learns from judged pages; nil: nothing does
	Held     int            // bytes in memory from which on what the run has to do with goes to a file; 0: 16 MiB
	Spill    string         // folder for that file; "": that of the system
	Links    *order.Order   // the order, if it goes by links; else nil
	Host     Budget         // of each host
	Domain   Budget         // of each registered domain
}

// A State is the URLs that wait. It holds in memory what the run takes in, and a row for each host
// that it has to do with; where that is too much it goes to a file. It is not safe for concurrent
// use.
type State struct {
	rules Rules
	set   *ordered.Set
	pack  packer
	meta  meta
	now   int64 // by the clock of the state

	rows    map[uint64]*row
	order   []*row // as first met
	touched []*row // of them, those that changed since they were last put into the ready lists
	held    int    // bytes of them and of what came in, about
	most    int    // from which on they go to a file

	arrived     arrivals
	mostArrived int // bytes of them from which on they are taken in

	plans [lanes]Plan // of the last batch that was wanted of each

	domains map[ordered.Key]*domain

	places *ordered.Cursor // of the ready lists
	chunks *ordered.Cursor
	line   []byte
	links  ledger
}

// Open opens the state whose segments the file list names, as ordered.OpenSet has it.
func Open(list string, hash *keyed.Hash, rules Rules) (*State, error) {
	set, err := ordered.OpenSet(list, hash)
	if err != nil {
		return nil, err
	}
	s := &State{rules: rules, set: set, most: cmp.Or(rules.Held, mostHeld), mostArrived: mostArrived}
	s.forget()
	err = s.readMeta()
	if err == nil && s.meta.old {
		err = s.migrate()
	}
	if err != nil {
		set.Close()
		return nil, err
	}
	return s, nil
}

// forget drops what is in memory of hosts and URLs, and looks at the segments anew.
func (s *State) forget() {
	s.rows, s.order, s.touched, s.held = map[uint64]*row{}, nil, nil, 0
	s.domains = map[ordered.Key]*domain{}
	if len(s.links.links) == 0 { // else they are being counted
		s.links.standings = map[ordered.Key]*standing{}
	}
	s.places, s.chunks = s.set.Cursor(), s.set.Cursor()
}

// readMeta reads what is known of all hosts together, and sets the clock of the state.
func (s *State) readMeta() error {
	value, ok, err := s.set.Get(metaKey)
	if err == nil && ok {
		err = s.meta.unpack(value)
	}
	if err != nil {
		return fmt.Errorf("state of the frontier: %w", err)
	}
	if err := s.readModel(); err != nil {
		return fmt.Errorf("state of the frontier: %w", err)
	}
	s.clock(s.rules.Now)
	s.meta.follows = s.meta.follows || s.rules.Links != nil
	return nil
}

// clock sets the clock of the state to now. It never goes back: a system clock that was set back
// would else keep hosts waiting.
func (s *State) clock(now time.Time) {
	s.now = now.UnixMilli() + s.meta.skew
	if s.now < s.meta.last {
		s.meta.skew += s.meta.last - s.now
		s.now = s.meta.last
	}
	s.meta.last = s.now
}

// Next begins another run, at now, with what the runs before it left in memory, as if they had been
// saved. A simulation has many runs in this way and no files.
func (s *State) Next(now time.Time) {
	for _, r := range s.touched {
		s.count(r)
	}
	s.clock(now)
}

// Close releases the state.
func (s *State) Close() error { return s.set.Close() }

// Waiting is the number of URLs that wait, without those that came in after the last batch was
// composed.
func (s *State) Waiting() uint64 { return s.meta.entered - s.meta.taken }

// host returns the row of a host, which is made if the state has none, and keeps it.
func (s *State) host(name []byte) (*row, error) {
	return s.hostIn(s.set, hostKey(s.set.Hash().Sum(name)), name)
}

// A lookup is an ordered.Set, or an ordered.Finder.
type lookup interface {
	Get(ordered.Key) ([]byte, bool, error)
}

// hostIn is host; it looks for the row in in, if it is not in memory.
func (s *State) hostIn(in lookup, key uint64, name []byte) (*row, error) {
	r, err := s.findIn(in, key)
	if err != nil {
		return nil, err
	}
	if r == nil {
		r = &row{host: key, name: string(name)}
	}
	s.keep(r)
	return r, s.named(r, name)
}

// named holds that r is the row of a host of that name.
func (s *State) named(r *row, name []byte) error {
	if r.name != string(name) {
		return fmt.Errorf("state of the frontier: hosts %s and %s have the same key %016x", r.name, name, r.host)
	}
	return nil
}

// row returns the row with a key, nil if there is none, and keeps it.
func (s *State) row(key uint64) (*row, error) {
	r, err := s.find(key)
	if err == nil && r != nil {
		s.keep(r)
	}
	return r, err
}

// find returns the row with a key, nil if there is none. It is not to be changed unless it is kept.
func (s *State) find(key uint64) (*row, error) { return s.findIn(s.set, key) }

func (s *State) findIn(in lookup, key uint64) (*row, error) {
	if r := s.rows[key]; r != nil {
		return r, nil
	}
	value, ok, err := in.Get(rowKey(key))
	if err != nil || !ok {
		return nil, err
	}
	return unpackRow(key, value)
}

func (s *State) keep(r *row) {
	if s.rows[r.host] == nil {
		s.rows[r.host] = r
		s.order = append(s.order, r)
		s.held += rowBytes
	}
}

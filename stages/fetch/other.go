package main

import (
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/traffic/load"
)

// An otherState is the state of another stage of fetch that may have asked the same hosts before.
type otherState struct {
	set  *segment.Set
	load *load.Ledger
	now  time.Time
}

// openOther opens the state that -other-load lists. The run begins at now.
func (o *options) openOther(now time.Time, hash *keyed.Hash) (*otherState, error) {
	if o.otherLoad == "" {
		return nil, nil
	}
	set, err := segment.OpenSet(o.otherLoad, hash)
	if err != nil {
		return nil, err
	}
	ledger, err := load.New(now, 0, 1, set.Hash(), set.Get)
	if err != nil {
		set.Close()
		return nil, err
	}
	return &otherState{set, ledger, now}, nil
}

// holds holds a host in l for as long as the other stage would.
func (s *otherState) holds(name string, l *load.Ledger) error {
	if s == nil {
		return nil
	}
	if err := s.load.Meet(name); err != nil {
		return err
	}
	if until := s.load.Held(name); until.After(s.now) && until.After(l.Held(name)) {
		l.Hold(name, until.Add(-time.Second)) // Hold adds a second
	}
	return nil
}

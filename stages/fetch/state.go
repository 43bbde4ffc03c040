package main

import (
	"errors"
	"time"

	"multitext/stages/internal/load"
	"multitext/stages/internal/segment"
	"multitext/stages/internal/stage"
)

// A state is what fetch keeps from run to run.
type state struct {
	set    *segment.Set
	load   *load.Ledger
	future string // the new segment; "" if none is wanted
}

// openState opens the committed segments for a run that begins at now.
func (o *options) openState(now time.Time) (*state, error) {
	set, err := segment.OpenSet(o.load)
	if err != nil {
		return nil, err
	}
	set.Keep = func(value []byte) bool { return load.Keep(value, now) }
	share := o.share
	if o.load == "" {
		share = 0 // of what, nobody knows
	}
	ledger, err := load.New(now, share, set.Get)
	if err != nil {
		set.Close()
		return nil, err
	}
	return &state{set, ledger, o.newSegment}, nil
}

// write leaves what this run adds as a new segment.
func (s *state) write(env *stage.Env) error {
	if s.future == "" {
		return nil
	}
	var b segment.Batch
	s.load.Entries(&b)
	b.Sort()
	return s.set.Append(env.Files, s.future, b, env.Report)
}

// verifyEntry judges an entry of the state.
func verifyEntry(_ uint64, value []byte) error {
	mine, err := load.Verify(value)
	if !mine {
		return errors.New("entry of a kind that fetch does not write")
	}
	return err
}

// share puts off the URLs of hosts that want to be left alone, and those by which a host would get more
// than its share.
func (r *round) share(now time.Time) error {
	for _, host := range r.state.load.Hosts() {
		if until := r.state.load.Held(host); until.After(now) {
			if err := r.hold(host, now, until.Sub(now)); err != nil {
				return err
			}
		}
		room, wait := r.state.load.Room(host, now)
		for _, rec := range r.schedule.Cut(host, room) {
			if err := r.outlet.putOff(rec, overShare, now, wait); err != nil {
				return err
			}
		}
	}
	return nil
}

package main

import (
	"errors"
	"net/netip"
	"strings"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/traffic/bandwidth"
	"multitext/stages/internal/traffic/load"
)

// A state is the data that fetch keeps from run to run.
type state struct {
	set    *segment.Set
	load   *load.Ledger
	rates  *bandwidth.Table // rates of servers; nil without -control predict
	future string           // path of the new segment, as in Set.Append
	other  *otherState      // nil without -other-load
}

// close closes the segments.
func (s *state) close() {
	s.set.Close()
	if s.other != nil {
		s.other.set.Close()
	}
}

// openState opens the committed segments. The run begins at now.
func (o *options) openState(now time.Time, hash *keyed.Hash) (*state, error) {
	set, err := segment.OpenSet(o.load, hash)
	if err != nil {
		return nil, err
	}
	set.Keep = func(value []byte) bool { return load.Keep(value, now) && bandwidth.Keep(value, now) }
	share := o.share
	if o.load == "" {
		share = 0 // without a state the total is not known
	}
	ledger, err := load.New(now, share, o.peers.number, set.Hash(), set.Get)
	if err != nil {
		set.Close()
		return nil, err
	}
	var rates *bandwidth.Table
	if o.pace.control == byPrediction {
		rates, err = bandwidth.NewTable(float64(*o.pace.rate), bandwidth.Defaults(), set.Hash(), set.Get)
		if err != nil {
			set.Close()
			return nil, err
		}
	}
	other, err := o.openOther(now, hash)
	if err != nil {
		set.Close()
		return nil, err
	}
	return &state{set, ledger, rates, o.newSegment, other}, nil
}

// meet reads what the state has about the host of v and about the servers pinned to v.
func (s *state) meet(v *target) error {
	if err := s.load.Meet(v.host); err != nil {
		return err
	}
	if err := s.other.holds(v.host, s.load); err != nil || s.rates == nil {
		return err
	}
	for word := range strings.SplitSeq(v.pin, ",") {
		at, err := netip.ParseAddrPort(word)
		if err != nil {
			return nil // the round reports the error when it requests v
		}
		if err := s.rates.Meet(at.Addr().Unmap()); err != nil {
			return err
		}
	}
	return nil
}

// write writes the entries of this run to a new segment.
func (s *state) write(env *stage.Env) error {
	var b segment.Entries
	s.load.Entries(&b)
	if s.rates != nil {
		s.rates.Entries(&b)
	}
	return s.set.Append(env.Files, s.future, b, env.Report)
}

// verifyEntry checks an entry of the state.
func verifyEntry(value []byte) (text string, err error) {
	mine, err := load.Verify(value)
	if !mine {
		mine, text, err = bandwidth.Verify(value)
	}
	if !mine {
		err = errors.New("the entry has a kind that fetch does not write")
	}
	return text, err
}

// share puts off the URLs of hosts that allow no requests now, and URLs by which a host would
// exceed its share.
func (r *round) share(now time.Time) error {
	for _, host := range r.state.load.Hosts() {
		if until := r.state.load.Held(host); until.After(now) {
			if err := r.hold(host, now, until.Sub(now)); err != nil {
				return err
			}
		}
		room, wait := r.state.load.Room(host, now)
		for _, v := range r.schedule.Cut(host, room) {
			if err := r.outlet.putOff(v.rec, overShare, now, wait); err != nil {
				return err
			}
		}
	}
	return nil
}

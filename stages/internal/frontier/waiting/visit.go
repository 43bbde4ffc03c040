package waiting

import (
	"time"

	"multitext/stages/internal/traffic/visits"
)

// longestSilence bounds how long a host is left alone that did not answer.
const longestSilence = time.Hour

// Visited takes in what a run of fetch learned of a host.
func (s *State) Visited(v *visits.Visit) error {
	r, err := s.host([]byte(v.Host))
	if err != nil {
		return err
	}
	r.changed = true
	if err := s.spend(r, v); err != nil {
		return err
	}
	if r.out == 0 {
		s.returned(r)
	}
	r.asked += uint64(v.Asked)
	// A run that asked the host nothing does not know how slow it is.
	if pause := uint32(v.Pause.Milliseconds()); v.Asked > 0 || pause > r.pause {
		r.pause = pause
	}
	if v.Answered > 0 {
		r.took = uint32(v.Took.Milliseconds())
	}
	if v.Address.IsValid() {
		r.address = v.Address.String()
	}
	r.hold = 0
	if !v.NotBefore.IsZero() {
		r.hold = v.NotBefore.UnixMilli() + s.meta.skew
	}
	switch {
	case v.Answered > 0:
		r.silent = 0
	case v.Unreached == visits.CutShort: // it may answer if it is waited for
		r.silent = max(r.silent, 1)
	case v.Asked > 0:
		r.hold = max(r.hold, s.now+s.silence(r.silent).Milliseconds())
		r.silent++
	}
	return s.relieve()
}

// spend counts what a run of fetch had of a host for its budget and that of its domain. It tells of one
// of the batches that are out.
func (s *State) spend(r *row, v *visits.Visit) error {
	d, err := s.domainOf(r)
	if err != nil {
		return err
	}
	before := r.promised
	if r.out = less(r.out, 1); r.out == 0 {
		r.promised = 0
	} else {
		r.promised = less(r.promised, uint64(v.Asked))
	}
	d.promised = less(d.promised, before-r.promised)
	for _, p := range []*spending{&r.spending, &d.spending} {
		p.answered += uint64(v.Answered)
		p.bytes += uint64(v.Bytes)
	}
	d.changed = true
	return nil
}

// returned ends the time that was promised to a host of which no batch is out any more: it was done
// sooner, or its run was ended. The time of the lane ends too, if that was its last batch.
func (s *State) returned(r *row) {
	r.free = min(r.free, s.now)
	if r.listed && r.place.at > s.now {
		r.listed = false
	}
	lane := r.turns()
	if m := &s.meta; m.done[lane] < r.batch {
		m.done[lane] = r.batch
		if r.batch == m.batches[lane] {
			m.planned[lane] = min(m.planned[lane], s.now)
			if lane == Main {
				m.over = s.now
			}
		}
	}
}

// silence is how long a host is left alone that did not answer after so many runs in which it did
// not either.
func (s *State) silence(before uint32) time.Duration {
	return min(s.rules.Silence<<min(before, 10), longestSilence)
}

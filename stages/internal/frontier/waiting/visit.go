package waiting

import (
	"time"

	"multitext/stages/internal/traffic/visits"
)

// longestSilence bounds how long a host is left alone that did not answer.
const longestSilence = time.Hour

// Visited takes in what a run of fetch, or of resolve, learned of a host: it tells of one of the batches
// that are out. resolve says itself when the host may be asked again; nothing is to be waited for where it
// refused all URLs.
func (s *State) Visited(v *visits.Visit) error {
	r, err := s.host([]byte(v.Host))
	if err != nil {
		return err
	}
	s.touch(r)
	if err := s.spend(r, v); err != nil {
		return err
	}
	s.heard(r, v.Unready == 0)
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
	if v.Unready == 0 {
		r.hold = 0
	}
	if !v.NotBefore.IsZero() {
		r.hold = max(r.hold, v.NotBefore.UnixMilli()+s.meta.skew)
	}
	switch {
	case v.Answered > 0, v.Unready > 0 && v.NotBefore.IsZero():
		r.silent = 0
	case v.Unreached == visits.CutShort, v.Unready > 0 && v.Unreached != "": // it may answer if it is waited for
		r.silent = max(r.silent, 1)
	case v.Asked > 0:
		r.hold = max(r.hold, s.now+s.silence(r.silent).Milliseconds())
		r.silent++
	}
	return s.relieve()
}

// spend counts what a run of fetch had of a host for its budget and that of its domain.
func (s *State) spend(r *row, v *visits.Visit) error {
	d, err := s.domainOf(r)
	if err != nil {
		return err
	}
	before := r.promised
	if r.out <= 1 { // this is of the last one
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

// heard counts one batch less of a host as out. Where it was the last one, the time that was promised to
// the host ends: the batch was done sooner, or its run was ended.
//
// The time of the lane ends when all hosts of its batches have been heard of, or one of its last batch by
// fetch. For fetch takes the batches of a lane one behind the other: what is still missing of those before
// will not come. resolve may tell of a batch while fetch has those before.
func (s *State) heard(r *row, fetched bool) {
	m, lane := &s.meta, r.turns()
	only := s.isOut(r) && r.out == 1
	if s.forgetOut(r, 1); r.out > 0 {
		if !fetched {
			r.batch-- // those that are left are older
		}
		return
	}
	r.free = min(r.free, s.now)
	if r.listed && r.place.at > s.now {
		r.listed = false
	}
	if only && fetched {
		m.done[lane] = r.batch
	}
	if m.out[lane] == 0 || m.done[lane] == m.batches[lane] {
		s.laneOver(lane)
	}
}

// laneOver notes that no batch of a lane is out.
func (s *State) laneOver(lane Lane) {
	m := &s.meta
	m.out[lane], m.planned[lane] = 0, min(m.planned[lane], s.now)
	if lane == Main && m.over == 0 {
		m.over = s.now
	}
}

// forgetOut counts n batches less of a host as out, if so many are.
func (s *State) forgetOut(r *row, n uint64) {
	n = min(n, r.out)
	if lane := r.turns(); s.isOut(r) {
		s.meta.out[lane] = less(s.meta.out[lane], n)
	}
	if r.out -= n; r.out == 0 {
		r.since = 0
	}
}

// silence is how long a host is left alone that did not answer after so many runs in which it did
// not either.
func (s *State) silence(before uint32) time.Duration {
	return min(s.rules.Silence<<min(before, 10), longestSilence)
}

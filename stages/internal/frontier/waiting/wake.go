package waiting

import "time"

// Woken tells that the wake batch which was due at due has come.
func (s *State) Woken(due time.Time) {
	//failpoint:wake-unseen return
	if due.UnixMilli()+s.meta.skew == s.meta.wake {
		s.meta.wake = 0
	}
}

// NothingRuns notes that nothing else of the crawl runs: all links that are under way have come.
func (s *State) NothingRuns() {
	over := max(s.now-2*s.costOfRun(), 1)
	if s.meta.over == 0 || s.meta.over > over {
		s.meta.over = over
	}
}

// lostAfter is how long after its time a wake batch that has not come is taken for lost: somebody
// may have dropped it.
const lostAfter = int64(time.Minute / time.Millisecond)

// soonest is how far ahead the time of a wake batch is at least that is not due at once.
const soonest = 50 // milliseconds

// Wake tells when the next batch can be composed. ok is false where nothing waits, and where a wake
// batch that is due by then waits already; else the caller writes one.
func (s *State) Wake() (at time.Time, ok bool, err error) {
	if err := s.settle(); err != nil {
		return time.Time{}, false, err
	}
	first := int64(-1)
	for lane := range Lane(lanes) {
		next, ok, err := s.next(lane)
		if err != nil {
			return time.Time{}, false, err
		}
		if ok && (first < 0 || next < first) {
			first = next
		}
	}
	if first < 0 {
		return time.Time{}, false, nil
	}
	if first > s.now {
		first = max(first, s.now+soonest)
	}
	if wake := s.meta.wake; wake > 0 && wake <= first && s.now < wake+lostAfter {
		return time.Time{}, false, nil
	}
	s.meta.wake = first
	return time.UnixMilli(first - s.meta.skew), true, nil
}

// next tells when the next batch of a lane can be composed; ok is false where nothing waits in it.
func (s *State) next(lane Lane) (at int64, ok bool, err error) {
	with := s.with(lane)
	ahead := ahead(s.plans[with].Longest)
	start := s.start(with, ahead)
	first, err := s.due(lane, start)
	if err != nil || first < 0 {
		return 0, false, err
	}
	if first <= s.meta.planned[with] {
		first -= ahead
	}
	if lane == Doubtful {
		first = max(first, s.quiet())
	}
	if until, early := s.early(with); early {
		first = max(first, until)
	}
	return max(first, s.now), true, nil
}

// due is when the first host of a lane may be asked, below 0 if none has URLs. A time up to enough is
// early enough.
func (s *State) due(lane Lane, enough int64) (int64, error) {
	first := int64(-1)
	for _, r := range s.order {
		if r.listed && r.place.lane == lane && (first < 0 || r.place.at < first) {
			first = r.place.at
		}
	}
	return s.head(lane, first, enough)
}

// with is the lane in whose batches the hosts of a lane are.
func (s *State) with(lane Lane) Lane {
	if lane == Doubtful || s.rules.Slow == 0 {
		return Main
	}
	return lane
}

package polite

import "time"

// slowAnswer is how long an answer takes after which no host keeps its place: else as many slow
// ones as there are connections would be asked for all they have before any other is asked at all.
const slowAnswer = time.Second

// Done tells that r has ended at now, and how long the server took over it. Where the host is to be
// left alone for that longer than its delay says, slow is how long; the next run does not know it.
func (s *Schedule[T]) Done(r *Request[T], now time.Time, took time.Duration) (slow time.Duration) {
	h, a := r.host, r.address
	h.met = true
	h.active--
	a.active--
	s.active--
	h.took = took
	pause := s.pause(h)
	s.rest(h, a, now, pause)
	if took >= slowAnswer {
		h.postpone(now)
	}
	s.place(h)
	s.placeAddress(a)
	if pause <= h.least {
		return 0
	}
	return pause
}

// rest leaves h alone from now on for so long, and its address. One that need not be left alone
// keeps its place, before all who have come to theirs since.
func (s *Schedule[T]) rest(h *host[T], a *address[T], now time.Time, pause time.Duration) {
	if pause > 0 {
		h.postpone(now.Add(pause))
	}
	if a.delay > 0 {
		a.postpone(now.Add(a.delay))
	}
}

// pause is how long h is left alone after its last answer.
func (s *Schedule[T]) pause(h *host[T]) time.Duration {
	if h.delay == 0 {
		return 0
	}
	slow := time.Duration(min(s.limits.Slowness*float64(h.took)*float64(s.limits.Peers), float64(s.limits.most())))
	return max(h.delay, slow)
}

// Pause is how long the host is left alone between two requests as things stand: for its delay, or
// longer where its last answer was slow. Where this crawler starts one request in each of its turns,
// it is no less than the time from one turn to the next. ok is false of a host without requests.
func (s *Schedule[T]) Pause(name string) (pause time.Duration, ok bool) {
	h := s.hosts[name]
	if h == nil {
		return 0, false
	}
	pause = s.pause(h)
	if h.turns != nil && h.asked >= leastSlot {
		pause = max(pause, h.turns.cycle())
	}
	return pause, true
}

// Hold keeps the host from being asked before until.
func (s *Schedule[T]) Hold(name string, until time.Time) {
	h := s.hosts[name]
	if until.After(h.held) {
		h.held = until
	}
	h.met = true
	h.postpone(until)
	s.place(h)
}

// leastSlow is the delay of a host without one that has been slowed.
const leastSlow = time.Second

// Slow doubles the delay of the host, to at most MaxDelay for each of the crawlers, and returns it;
// slowest tells that it doubles no more.
func (s *Schedule[T]) Slow(name string, now time.Time) (delay time.Duration, slowest bool) {
	h := s.hosts[name]
	h.delay = max(h.delay, min(max(2*h.delay, s.limits.least(leastSlow)), s.limits.most()))
	h.postpone(now.Add(h.delay))
	s.place(h)
	return h.delay, h.delay >= s.limits.most()
}

// Ease halves what Slow has made of the host's delay, from its next request on.
func (s *Schedule[T]) Ease(name string) {
	h := s.hosts[name]
	if h.delay /= 2; h.delay < max(h.least, s.limits.least(leastSlow)) {
		h.delay = h.least
	}
}

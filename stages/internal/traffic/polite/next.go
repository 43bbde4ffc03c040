package polite

import "time"

// Next takes the request to start at now. Without one, again tells when to ask again; if that
// is zero too, no request can start before Done is called, and if none is under way either
// (Active), the run is over.
func (s *Schedule[T]) Next(now time.Time) (r *Request[T], again time.Time) {
	return s.Search(now, 1, func(T) bool { return true })
}

// Search takes the first of the requests that may start at now that fits. It looks at no more than
// depth of them, in their order, and of each address at the first only: what is behind that one is
// of the same server. Requests that do not fit keep their place. again is as for Next; it does not
// tell of requests that may start but do not fit.
func (s *Schedule[T]) Search(now time.Time, depth int, fits func(T) bool) (r *Request[T], again time.Time) {
	if s.ended || !now.Before(s.limits.Deadline) {
		return nil, time.Time{}
	}
	for {
		h, again, missed := s.look(now, depth, fits)
		for _, m := range missed {
			m.postpone(now)
			s.place(m) // where its next turn is
		}
		if h != nil {
			return s.start(h, now), time.Time{}
		}
		if len(missed) == 0 {
			return nil, again
		}
	}
}

// look finds the host whose request Search takes. missed are those skipped because their turn has
// passed meanwhile.
func (s *Schedule[T]) look(now time.Time, depth int, fits func(T) bool) (h *host[T], again time.Time,
	missed []*host[T]) {
	looked := 0
	for a := range s.turns.inOrder() {
		if turn := a.spot.turn; turn.After(now) {
			if turn.Before(s.limits.Deadline) {
				again = turn
			}
			break
		}
		first := a.hosts[0]
		if first.turns.next(now).After(now) {
			missed = append(missed, first)
			continue
		}
		if fits(first.queue[0].item) {
			return first, time.Time{}, missed
		}
		if looked++; looked == depth {
			break
		}
	}
	return nil, again, missed
}

// start takes the first request of h.
func (s *Schedule[T]) start(h *host[T], now time.Time) *Request[T] {
	a, item := h.queue[0].address, h.queue[0].item
	h.queue = h.queue[1:]
	h.active++
	a.active++
	s.active++
	s.rest(h, a, now, h.delay)
	s.place(h)
	return &Request[T]{item, h, a, s.limits.PerHost, h.turns}
}

// Active is the number of requests under way: those that were taken and not Done.
func (s *Schedule[T]) Active() int { return s.active }

// Due reports whether the turn of a request has come at now. After End none comes.
func (s *Schedule[T]) Due(now time.Time) bool {
	return !s.ended && len(s.turns) > 0 && !s.turns[0].spot.turn.After(now)
}

// End lets nothing start any more, as when Deadline has come.
func (s *Schedule[T]) End() { s.ended = true }

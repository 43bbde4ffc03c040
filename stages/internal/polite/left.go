package polite

import (
	"iter"
	"slices"
	"time"
)

// Left is the number of hosts that have requests which have not been started, and how many of these have had none
// started yet, nor are held: whose first turn will come if they are waited for, and in a later run no sooner.
func (s *Schedule[T]) Left() (hosts, unasked int) { return s.left, s.unasked }

// count counts h, the queue of which begins or ends, by n.
func (s *Schedule[T]) count(h *host[T], n int) {
	s.left += n
	if !h.met {
		s.unasked += n
	}
}

// meet notes that h has had its turn.
func (s *Schedule[T]) meet(h *host[T]) {
	if !h.met && len(h.queue) > 0 {
		s.unasked--
	}
	h.met = true
}

// Pending is the number of the host's requests that have not been started.
func (s *Schedule[T]) Pending(name string) int {
	h := s.hosts[name]
	if h == nil {
		return 0
	}
	return len(h.queue)
}

// Cut takes the requests of the host that have not been started, but for the first n.
func (s *Schedule[T]) Cut(name string, n int) []T {
	h := s.hosts[name]
	if len(h.queue) <= n {
		return nil
	}
	var cut []T
	for len(h.queue) > n {
		last := len(h.queue) - 1
		cut = append(cut, h.queue[last].item)
		h.queue = h.queue[:last]
	}
	if len(h.queue) == 0 {
		s.count(h, -1)
	}
	slices.Reverse(cut)
	s.place(h)
	return cut
}

// Rest goes through the requests that have not been started, each with the time until
// which its host is held, zero if it is not. (The delay is no reason to put a request
// off: the next run keeps it from its own start.)
func (s *Schedule[T]) Rest() iter.Seq2[T, time.Time] {
	return func(yield func(T, time.Time) bool) {
		for _, h := range s.order {
			for _, e := range h.queue {
				if !yield(e.item, h.held) {
					return
				}
			}
		}
	}
}

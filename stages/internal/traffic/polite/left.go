package polite

import (
	"iter"
	"slices"
	"time"
)

// Left is the number of hosts that have requests which have not been started; and of all hosts that
// still wait for the end of their first request, unless they are held: their turn will come if it
// is waited for, and in a later run no sooner.
func (s *Schedule[T]) Left() (hosts, unasked int) { return s.left, s.unasked }

// Needs is how long the run takes for what it has now, if every host answers at once: the longest
// time of a host, which waits its delay before each of its requests. A host whose delay is patience or
// longer does not count.
func (s *Schedule[T]) Needs(patience time.Duration) (longest time.Duration) {
	for _, h := range s.order {
		if h.delay < patience {
			longest = max(longest, time.Duration(len(h.queue))*h.delay)
		}
	}
	return longest
}

// Unreached tells that the host has not heard of what it was asked, which is over: as if it had not
// been asked.
func (s *Schedule[T]) Unreached(name string) {
	h := s.hosts[name]
	h.met = !h.held.IsZero()
	s.count(h)
}

// Asked reports whether the first request to the host is over, or the host is held.
func (s *Schedule[T]) Asked(name string) bool { return s.hosts[name].met }

// count counts h as what it is now.
func (s *Schedule[T]) count(h *host[T]) {
	left := len(h.queue) > 0
	unasked := !h.met && (left || h.active > 0)
	s.left += change(&h.left, left)
	s.unasked += change(&h.unasked, unasked)
}

// change sets what was to is, and gives by how much that changes the number of those that are.
func change(was *bool, is bool) int {
	if *was == is {
		return 0
	}
	if *was = is; is {
		return 1
	}
	return -1
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

// Package polite decides which request of a batch may be made next, and when, so that no
// host is asked more often than it should be. It is pure: it starts nothing, sleeps
// nowhere, and every method that needs the time is told it.
//
// The rules of a Schedule:
//
//   - A host has at most PerHost requests under way (one, by default).
//   - Between the end of a request and the start of the next to the same host lies the
//     host's delay: Delay, or the crawl-delay of its robots.txt if that is longer. With
//     PerHost above one the starts of two requests are that far apart too.
//   - Every host counts as visited at Start, when the run begins: the first request waits
//     the delay too. So a crawler that is killed and started again keeps its distance
//     without having written down when it visited whom. With a delay of 0 nothing waits.
//   - A host that asks for peace (Retry-After) is held until it is over.
//   - After Deadline nothing is started. A host whose turn comes later than that is not
//     waited for: the run ends as soon as nothing can be started in time, and Rest hands
//     back what is left.
//
// Among hosts whose turn has come, the one that has waited longest goes first.
package polite

import (
	"container/heap"
	"iter"
	"time"
)

// Limits are the rules of one run.
type Limits struct {
	Start    time.Time
	Deadline time.Time
	Delay    time.Duration // the least distance between two requests to a host
	PerHost  int           // the most requests under way to a host; less than 1 is 1
}

// A Schedule holds the requests of one run that have not been started, by host. It is not
// safe for concurrent use: one goroutine owns it.
type Schedule[T any] struct {
	limits Limits
	hosts  map[string]*host[T]
	order  []*host[T] // as first added, so that Rest is the same for the same batch
	turns  turns[T]
	active int
}

type host[T any] struct {
	queue  []T
	delay  time.Duration
	turn   time.Time // no request starts before
	held   time.Time // by Hold; zero if never
	active int       // requests under way
	place  int       // in turns, -1 if not there
	serial int       // of its first Add: among equal turns the lower goes first
}

// New returns an empty schedule.
func New[T any](l Limits) *Schedule[T] {
	l.PerHost = max(l.PerHost, 1)
	return &Schedule[T]{limits: l, hosts: map[string]*host[T]{}}
}

// Add queues a request to host, behind those that it has. delay is what the host's
// robots.txt asks for (0 if nothing); the longest that was given counts.
func (s *Schedule[T]) Add(name string, delay time.Duration, item T) {
	h := s.hosts[name]
	if h == nil {
		h = &host[T]{place: -1, serial: len(s.order)}
		s.hosts[name] = h
		s.order = append(s.order, h)
	}
	h.queue = append(h.queue, item)
	h.delay = max(h.delay, delay, s.limits.Delay)
	s.postpone(h, s.limits.Start.Add(h.delay))
}

// Next takes the request to start at now. Without one, at tells when to ask again; if at
// is zero too, no request can start before Done is called, and if none is under way either
// (Active), the run is over.
func (s *Schedule[T]) Next(now time.Time) (item T, at time.Time, ok bool) {
	if len(s.turns) == 0 || !now.Before(s.limits.Deadline) {
		return item, time.Time{}, false
	}
	h := s.turns[0]
	if h.turn.After(now) {
		if !h.turn.Before(s.limits.Deadline) {
			return item, time.Time{}, false
		}
		return item, h.turn, false
	}
	item, h.queue = h.queue[0], h.queue[1:]
	h.active++
	s.active++
	s.postpone(h, now.Add(h.delay))
	return item, time.Time{}, true
}

// Active is the number of requests under way: those that Next gave and Done has not seen.
func (s *Schedule[T]) Active() int { return s.active }

// Done tells that a request to the host has ended at now.
func (s *Schedule[T]) Done(name string, now time.Time) {
	h := s.hosts[name]
	h.active--
	s.active--
	s.postpone(h, now.Add(h.delay))
}

// Hold keeps the host from being asked before until.
func (s *Schedule[T]) Hold(name string, until time.Time) {
	h := s.hosts[name]
	if until.After(h.held) {
		h.held = until
	}
	s.postpone(h, until)
}

// Pending tells whether the host has requests that have not been started.
func (s *Schedule[T]) Pending(name string) bool {
	h := s.hosts[name]
	return h != nil && len(h.queue) > 0
}

// GiveUp takes all requests of the host that have not been started.
func (s *Schedule[T]) GiveUp(name string) []T {
	h := s.hosts[name]
	queue := h.queue
	h.queue = nil
	s.place(h)
	return queue
}

// Rest goes through the requests that have not been started, each with the time until
// which its host is held, zero if it is not. (The delay is no reason to put a request
// off: the next run keeps it from its own start.)
func (s *Schedule[T]) Rest() iter.Seq2[T, time.Time] {
	return func(yield func(T, time.Time) bool) {
		for _, h := range s.order {
			for _, item := range h.queue {
				if !yield(item, h.held) {
					return
				}
			}
		}
	}
}

// postpone moves the host's turn to at, never forward, and puts it in its place.
func (s *Schedule[T]) postpone(h *host[T], at time.Time) {
	if at.After(h.turn) {
		h.turn = at
	}
	s.place(h)
}

// place keeps in turns exactly the hosts that wait for nothing but their turn.
func (s *Schedule[T]) place(h *host[T]) {
	waits := len(h.queue) > 0 && h.active < s.limits.PerHost
	switch {
	case waits && h.place < 0:
		heap.Push(&s.turns, h)
	case waits:
		heap.Fix(&s.turns, h.place)
	case h.place >= 0:
		heap.Remove(&s.turns, h.place)
	}
}

package polite

import "time"

// A host has a queue of requests. It stands in the line of the address of the first of them,
// while it may be asked for one more.
type host[T any] struct {
	spot
	queue   []queued[T]
	asked   time.Duration // that all crawlers together leave it alone for
	least   time.Duration // its delay but for Slow
	delay   time.Duration
	took    time.Duration // its last answer
	turns   *turns
	held    time.Time // by Hold; zero if never
	active  int       // requests under way
	met     bool      // a request has reached it, or it is held
	left    bool      // counts as such in the schedule
	unasked bool      // the same
	line    *address[T]
	unknown *address[T] // for requests without an address; nil without any
}

type queued[T any] struct {
	address *address[T]
	item    T
}

// An address has a line of hosts. Its spot in the line of addresses is that of its first host,
// or later if it has to wait itself.
type address[T any] struct {
	spot
	hosts  line[*host[T]]
	turn   time.Time // its own: no request starts before
	delay  time.Duration
	most   int // requests under way; less than 1 is any number
	active int
	sites  int // hosts that were added here
}

func newAddress[T any]() *address[T] { return &address[T]{spot: spot{index: absent}} }

// postpone moves the turn to at, never forward.
func (h *host[T]) postpone(at time.Time) {
	if at.After(h.spot.turn) {
		h.spot.turn = at
	}
}

// postpone moves the address's own turn to at, never forward.
func (a *address[T]) postpone(at time.Time) {
	if at.After(a.turn) {
		a.turn = at
	}
}

// place puts h where it belongs: into the line of an address exactly if it waits for nothing
// but its turn there; and counts it.
func (s *Schedule[T]) place(h *host[T]) {
	s.count(h)
	if h.line != nil {
		h.line.hosts.leave(h)
		s.placeAddress(h.line)
		h.line = nil
	}
	if len(h.queue) > 0 && h.active < s.limits.PerHost {
		h.spot.turn = h.turns.next(h.spot.turn)
		h.line = h.queue[0].address
		h.line.hosts.enter(h)
		s.placeAddress(h.line)
	}
}

// placeAddress puts a where it belongs in the line of addresses.
func (s *Schedule[T]) placeAddress(a *address[T]) {
	if a.spot.index != absent {
		s.turns.leave(a)
	}
	if len(a.hosts) == 0 || a.most > 0 && a.active >= a.most {
		return
	}
	first := a.hosts[0]
	a.spot.turn, a.spot.serial = first.spot.turn, first.spot.serial
	if a.turn.After(a.spot.turn) {
		a.spot.turn = a.turn
	}
	s.turns.enter(a)
}

// Package polite decides which request of a batch may start next, and when, so that no host and no
// server gets too many requests. It has no side effects: it starts nothing and never sleeps, and
// methods that need the time get it as an argument.
//
// A request has a host, by name, and an address. Many hosts may share one server, which gets the
// requests for all of them. The rules of a Schedule are
//
//   - A host has at most PerHost requests at a time (one, by default), an address at most
//     PerAddress.
//   - The time between the end of a request and the start of the next to the same host is at least
//     the host's delay: Delay, or the crawl-delay in its robots.txt if that is longer. For an
//     address this time is AddressDelay. If several requests may run at a time, their starts are
//     that far apart too.
//   - A slow host has a longer delay: Slowness times the duration of its last answer, at most
//     MaxDelay. Heritrix does the same, with 5 and 30 s. With 5, a host spends at most a sixth of
//     its time on the crawler, however slow it is. (Addresses have no longer delays: their hosts
//     differ, and PerAddress already limits the load of a slow server.)
//   - If a host says that it gets too many requests, its delay doubles each time (Slow). Each other
//     answer halves it again (Ease). If a host forbids requests until some time, it is held until
//     then (Hold).
//   - Every host and address counts as visited at Start, when the run begins, so the first request
//     waits for the delay too. So a crawler that is killed and restarted keeps the delay, although
//     it has not recorded when it visited which host.
//   - A host whose delay is 0 waits only for Hold and Slow.
//   - Several crawlers that may request from the same hosts (Peers) share the delays without
//     communication. Each multiplies every delay, and MaxDelay, by their number, and uses its part
//     of PerAddress, at least one. So together they request from no host more often than one
//     crawler would. They might still do so at the same moment, so they take turns (Turn): see
//     below.
//   - After Deadline no request starts. The schedule does not wait for a host that may be requested
//     only after that. The run ends as soon as no request can start in time, and Rest returns the
//     remaining requests.
//
// # Turns
//
// The time of a host is divided into slots as long as its delay (at least 0.1 s). The slots belong
// to the crawlers in the order of their numbers. Every crawler computes them from the host's name
// and the time of day, so different hosts have slots at different times. A crawler may start a
// request in the first half of its own slots, if the rules above allow it. If it misses a turn, it
// waits for the next one. So
//
//   - the starts of two crawlers' requests to a host are at least half a delay apart, less the
//     difference of their clocks: clocks must agree, as by NTP, to much less than the delay. Starts
//     of one crawler are a cycle of all slots apart, less half a slot, if the delay is 0.1 s or
//     more; if it is less, a turn serves several requests, as far apart as the delay says;
//   - on average there is at most one start in a delay;
//   - if a host becomes slow or forbids requests, the crawlers that know this pause. They miss
//     turns but do not shift them, so the distance is kept whatever each crawler knows;
//   - no crawler starves: each has a turn in each cycle.
//
// All crawlers must know the same delay. While only some have read a changed robots.txt, their
// slots differ, and the distance is random. Two things are not promised. First, a host may have
// several requests and connections at a time: each crawler may have its own connection, and if an
// answer takes longer than half a slot, the next crawler starts meanwhile. (After that each pauses
// for Slowness times the duration, times Peers.) Second, the network may deliver requests less far
// apart than they start.
package polite

import (
	"net/netip"
	"time"
)

// Limits are the rules of one run.
type Limits struct {
	Start    time.Time
	Deadline time.Time

	Delay    time.Duration // the least distance between two requests to a host
	PerHost  int           // the most requests under way to a host; less than 1 is 1
	Slowness float64       // how many times as long as its last answer took a host is left alone
	MaxDelay time.Duration // what Slowness and Slow make of a delay is no more than this

	AddressDelay time.Duration // the least distance between two requests to an address
	PerAddress   int           // the most requests under way to an address; less than 1 is any number

	Peers int // crawlers that may ask the same hosts, this one among them; less than 1 is 1
	Turn  int // which of them this one is, from 0; below 0 it takes no turns with them
}

// A Schedule holds the requests of one run that have not been started. It is not safe for
// concurrent use: one goroutine owns it.
//
// Requests are started in the order in which their turns have come: the host that has waited
// longest goes first. A host that need not be left alone keeps its place, and is asked for
// everything before the next one, over one connection; otherwise each page of a thousand hosts
// without a delay would need a new connection. After an answer that took a second or more, the host
// goes behind all others.
//
// The cost of a request grows with the logarithm of the hosts and addresses; the memory is that of
// the requests.
type Schedule[T any] struct {
	limits    Limits
	hosts     map[string]*host[T]
	order     []*host[T] // as first added, so that Rest is the same for the same batch
	addresses map[netip.Addr]*address[T]
	turns     line[*address[T]] // those with a host that waits for nothing but its turn
	active    int
	left      int // hosts with a queue
	unasked   int // hosts that were not met, and have a queue or a request under way
	ended     bool
}

// New returns an empty schedule.
func New[T any](l Limits) *Schedule[T] {
	//failpoint:start-not-counted l.Start = time.Time{}
	l.PerHost, l.Peers = max(l.PerHost, 1), max(l.Peers, 1)
	l.AddressDelay = times(l.AddressDelay, l.Peers)
	if l.PerAddress > 0 {
		l.PerAddress = max(l.PerAddress/l.Peers, 1)
	}
	return &Schedule[T]{limits: l, hosts: map[string]*host[T]{}, addresses: map[netip.Addr]*address[T]{}}
}

// Add queues a request to host at an address, behind those that the host has. Where the
// address is not known (the zero Addr), only the rules for hosts hold. delay is what the host's
// robots.txt asks for (0 if nothing); the longest that was given counts.
func (s *Schedule[T]) Add(name string, at netip.Addr, delay time.Duration, item T) {
	h := s.hosts[name]
	if h == nil {
		h = &host[T]{spot: spot{serial: len(s.order), index: absent}}
		s.hosts[name] = h
		s.order = append(s.order, h)
	}
	asked := max(h.asked, delay, s.limits.Delay)
	if asked > h.asked || h.least == 0 {
		h.asked, h.least = asked, s.limits.least(asked)
		h.turns = newTurns(s.limits, name, asked)
	}
	h.delay = max(h.delay, h.least)
	h.postpone(s.limits.Start.Add(s.limits.First(h.asked)))
	a := s.address(h, at)
	if len(h.queue) == 0 || h.queue[len(h.queue)-1].address != a {
		a.sites++
	}
	h.queue = append(h.queue, queued[T]{a, item})
	s.place(h)
}

// address returns the address at, which is h's own where it is not known.
func (s *Schedule[T]) address(h *host[T], at netip.Addr) *address[T] {
	if !at.IsValid() {
		if h.unknown == nil {
			h.unknown = newAddress[T]()
		}
		return h.unknown
	}
	a := s.addresses[at]
	if a == nil {
		a = newAddress[T]()
		a.most, a.delay = s.limits.PerAddress, s.limits.AddressDelay
		a.postpone(s.limits.Start.Add(a.delay))
		s.addresses[at] = a
	}
	return a
}

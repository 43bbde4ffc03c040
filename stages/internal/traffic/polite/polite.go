// Package polite decides which request of a batch may be made next, and when, so that no
// host and no server is asked more often than it should be. It is pure: it starts nothing,
// sleeps nowhere, and every method that needs the time is told it.
//
// A request is for a host, by name, at an address: many hosts may live on one server, and
// one server has to bear what all of them are asked for. The rules of a Schedule:
//
//   - A host has at most PerHost requests under way (one, by default), an address at most
//     PerAddress.
//   - Between the end of a request and the start of the next to the same host lies the
//     host's delay: Delay, or the crawl-delay of its robots.txt if that is longer. Between
//     two requests to the same address lies AddressDelay. Where more than one request may
//     be under way, starts are that far apart too.
//   - A host that is slow is left alone for longer: for Slowness times the time that its last
//     answer took, at most MaxDelay. Heritrix does so, with 5 and 30 s. At 5, a host spends at most
//     a sixth of its time on the crawler, however slow it has become. (An address is not slowed:
//     its hosts differ, and PerAddress already bounds what a slow server has to bear.)
//   - A host that says that it is asked too much (Slow) has its delay doubled each time, and
//     halved again with each answer that does not (Ease); one that asks for peace until some time
//     (Hold) is held until then.
//   - Every host and address counts as visited at Start, when the run begins: the first
//     request waits the delay too. So a crawler that is killed and started again keeps its
//     distance without having recorded when it visited which host.
//   - A host whose delay is 0 waits for nothing but Hold and Slow.
//   - Several crawlers that may ask the same hosts (Peers) keep the distance together, and say
//     nothing to each other: each takes every delay, and MaxDelay, times their number, and of
//     PerAddress its part, one at least. So together they ask no host more often than one would.
//     They may still ask at the same moment; so they take turns (Turn): see below.
//   - After Deadline nothing is started. A host whose turn comes later than that is not
//     waited for: the run ends as soon as nothing can be started in time, and Rest hands
//     back what is left.
//
// # Turns
//
// The time of a host is divided into slots as long as its delay (0.1 s at least). The slots belong
// to the crawlers in the order of their numbers and begin by the clock: every crawler computes them
// from the host's name and the time of day, and no two hosts keep step. A crawler may start a
// request in the first half of its own slots, if the rules above permit it. A turn that it misses
// is lost; it waits for the next. So
//
//   - the starts of two crawlers' requests to a host are at least half a delay apart, less the
//     difference of their clocks: clocks must agree, as by NTP, to much less than the delay. Starts
//     of one crawler are a cycle of all slots apart, less half a slot, if the delay is 0.1 s or
//     more; if it is less, a turn serves several requests, as far apart as the delay says;
//   - in the long run there is at most one start in a delay;
//   - a host that grows slow, or asks to be left alone, is left alone by the crawlers that know of
//     it. They miss turns and do not shift them, so the distance holds whatever each has learned;
//   - no crawler starves: its turn comes once in each cycle.
//
// All crawlers are assumed to know the same delay. While only some have read a changed robots.txt,
// their slots differ, and the distance is left to chance. Not promised are: that only one request
// is under way, or one connection open (each crawler may have its own, and the next crawler asks
// while a server takes longer than half a slot to answer; each leaves the host alone for Slowness
// times as long, times Peers, after that); and that the network delivers requests as far apart as
// they start.
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

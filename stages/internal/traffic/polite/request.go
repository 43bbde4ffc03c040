package polite

import "time"

// A Request has been started; Done ends it.
type Request[T any] struct {
	Item    T
	host    *host[T]
	address *address[T]
	perHost int // of Limits
	turns   *turns
}

// Turn returns when r may be sent: now, if this crawler has its turn; else the beginning of its
// next turn. It may be called while another goroutine uses the schedule.
//
// Between the schedule and the wire a busy machine, or a distant server, may take longer than a
// turn lasts. So whoever makes the request calls Turn at the last moment before a connection is
// opened, and again before the request is sent over it. A turn that has passed is waited for again,
// with the connection that is open by then. A crawler that lacks time is slow, then, and not
// impolite: it is late by no more than the time from this look at the clock to the wire.
func (r *Request[T]) Turn(now time.Time) time.Time { return r.turns.next(now) }

// TakesTurns reports whether there are others whose turns r is to keep out of, so that Turn may be
// later than now.
func (r *Request[T]) TakesTurns() bool { return r.turns != nil }

// MayKeep reports whether r's connection may be kept for the host's next request: that one goes to
// the same server, and if all hosts of the address keep what they may have, there are still no more
// than PerAddress. (A host has several servers, by port and scheme: one that is kept for later
// while another is asked would be a second connection to the host.)
func (r *Request[T]) MayKeep(same func(a, b T) bool) bool {
	next := r.host.queue
	return len(next) > 0 && same(r.Item, next[0].item) &&
		(r.address.most < 1 || r.address.sites*r.perHost <= r.address.most)
}

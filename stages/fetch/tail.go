package main

import "time"

// A tail is when a run ends for its last hosts. The rate of a run falls as hosts have no URLs left,
// down to that of the slow ones, while the quick have more in the next batch, and what links the
// run has found wait for its end. What the next run costs them is a delay at its start, and the
// start itself. So it pays to end when the rate has fallen below what it has been on average, those
// costs included (Charnov's marginal value theorem, Theoretical Population Biology 9, 1976); which
// is soon after half of the hosts have done, whether the others are slow or have more URLs, and
// some times the costs after the start at the earliest.
type tail struct {
	start time.Time     // of the run
	after time.Duration // it is not looked at; 0: it is never
	short time.Duration // it does not end a short run; 0: none ends so
}

// startOfRun is what a run costs beside the delay: some processes are started, one behind the
// other, that make its batch and take what it has fetched.
const startOfRun = 200 * time.Millisecond

// newTail returns the tail of a run that is looked at when it has taken so many times what the next
// will cost; 0 times: never.
func newTail(start time.Time, times float64, delay time.Duration) tail {
	return tail{start: start, after: time.Duration(times * float64(delay+startOfRun))}
}

// leastShort is the time that a short run has at least before it is ended.
const leastShort = 3 * time.Second

// shorten lets a run that needs less time than the tail would give it end soon: behind the time that
// it needs, and what two runs cost besides.
func (t *tail) shorten(needs, delay time.Duration) {
	if short := max(needs+2*(delay+startOfRun), leastShort); short < t.after {
		t.short = short
	}
}

// endsShort tells whether a short run is over but for so many of its hosts, which have URLs left or
// do not answer. Their URLs lose no try by it, for they may be well, and slow; but each is treated so
// only once (urlbatch.Cut).
func (t tail) endsShort(now time.Time, left, hosts int) bool {
	return t.short > 0 && now.Sub(t.start) >= t.short && 2*left < hosts && hosts > 2
}

// maxTail bounds the times of newTail.
const maxTail = 1000

// cuts tells whether the run is at its tail, where nothing can start at now and so many of its
// hosts have URLs left: what drips is cut then, and the next turn is waited for no more. It is
// never for a run of one host or two that have URLs left, so what a crawl ends with is not cut into
// ever more runs. (The turn is waited for all the same as long as a host has not heard of a first
// request and is not held: one that wants a long delay, or whose first address is dead, would never
// have its turn.)
func (t tail) cuts(now time.Time, left, hosts int) bool {
	return t.after > 0 && now.Sub(t.start) >= t.after && 2*left < hosts
}

// grace is what a request is given before its rate is judged, in a run of so many hosts: a part of
// its timeout, for the many are not to wait for the one. In a run of one host or two there are no
// many.
func grace(timeout time.Duration, hosts int) time.Duration {
	if hosts <= 2 {
		return timeout
	}
	return timeout / 3
}

// lookEach is how often what drips is looked for, while others wait for it.
const lookEach = 500 * time.Millisecond

// look gives when to look for a request to start, where the next one's turn comes at again, or none
// does and again is zero: no later than when t is first looked at, so that nothing is waited for
// which it is to cut.
func (t tail) look(now, again time.Time) time.Time {
	for _, after := range []time.Duration{t.short, t.after} {
		if first := t.start.Add(after); now.Before(first) && (again.IsZero() || again.After(first)) {
			return first
		}
	}
	return again
}

package main

import "time"

// A tail decides when a run ends although some hosts have URLs left. The rate of a run falls as
// hosts run out of URLs, until only slow hosts are left. Meanwhile the fast hosts have more URLs in
// the next batch, and the links that the run has found wait for its end. The cost of the next run
// is its start and a delay. So it is best to end the run when its rate has fallen below its
// average, which includes these costs (Charnov's marginal value theorem, Theoretical Population
// Biology 9, 1976). This is soon after half of the hosts are done, whether the others are slow or
// have more URLs, but not before a multiple of the costs has passed since the start.
type tail struct {
	start time.Time     // start of the run
	after time.Duration // the run is not at its tail before this time; 0: it never is
	short time.Duration // a short run is not ended before this time; 0: it never is
	idle  time.Duration // nor before no request has ended for this time
}

// startOfRun is the cost of a run besides the delay: several processes start, one after another, to
// make its batch and to process its answers.
const startOfRun = 200 * time.Millisecond

// newTail returns the tail of a run. The run is not at its tail before it has taken times the cost
// of the next run. With 0 times it never is.
func newTail(start time.Time, times float64, delay time.Duration) tail {
	return tail{start: start, after: time.Duration(times * float64(delay+startOfRun))}
}

// leastShort is the minimum time before a short run is ended.
const leastShort = time.Second

// shorten lets a short run end soon. needs is the time that the run needs. If that time plus the
// cost of two runs is shorter than the time before the tail, the run may end after it, when no request
// has ended for the cost of a run.
func (t *tail) shorten(needs, delay time.Duration) {
	if short := max(needs+2*(delay+startOfRun), leastShort); short < t.after {
		t.short, t.idle = short, delay+startOfRun
	}
}

// endsShort reports whether a short run should end, if the last request ended at last. left is the
// number of its hosts that have URLs left or have not answered. Their URLs lose no try, because these
// hosts may be healthy but slow. But this happens only once to a URL (urlbatch.Cut). Of two hosts the
// run waits for none.
func (t tail) endsShort(now, last time.Time, left, hosts int) bool {
	return t.short > 0 && now.Sub(t.start) >= t.short && now.Sub(last) >= t.idle &&
		(2*left < hosts || left == 1 && hosts == 2) && hosts > 1
}

// leastStuck is the minimum time without an end of a request before a run is stuck.
const leastStuck = 2 * time.Second

// stuck returns whether a run that uses all its connections should give back what does not answer, if
// the last request ended at last: the other hosts of the run wait. It returns for how long a request
// must have had no answer. That is half of the time, or of requests that began one behind the other
// only the first would be given back, and the others would have all of the time anew.
func (t tail) stuck(now, last time.Time) (least time.Duration, ok bool) {
	wait := max(t.idle, leastStuck)
	return wait / 2, t.short > 0 && now.Sub(last) >= wait
}

// maxTail is the maximum of the argument times of newTail.
const maxTail = 1000

// cuts reports whether the run is at its tail, if no request can start at now. left is the number
// of its hosts that have URLs left. At the tail, answers that drip are cut, and the run no longer
// waits for the next request. A run of one or two hosts with URLs left is never at its tail, so the
// end of a crawl is not split into ever more runs. (The run still waits as long as a host has had
// no first request and is not held. Otherwise a host with a long delay, or whose first address is
// dead, would never get a request. With -visits it waits only for URLs that were cut once: whoever
// reads the visits gives such hosts to runs that take long anyway.)
func (t tail) cuts(now time.Time, left, hosts int) bool {
	return t.after > 0 && now.Sub(t.start) >= t.after && 2*left < hosts
}

// grace returns the time before the rate of a request is checked, in a run with this number of
// hosts. It is a part of the timeout, so that many hosts do not wait for one. With one or two hosts
// it is the whole timeout.
func grace(timeout time.Duration, hosts int) time.Duration {
	if hosts <= 2 {
		return timeout
	}
	return timeout / 3
}

// lookEach is the interval between searches for answers that drip, while other requests wait.
const lookEach = 500 * time.Millisecond

// look returns when to look for a request to start. again is when the next request is due, or zero
// if none is. The result is not later than the time from which the run may be at its tail, so that
// the run does not wait for requests that the tail cuts, nor than the time from which a short run may
// end if no request ends after last.
func (t tail) look(now, last, again time.Time) time.Time {
	for _, first := range []time.Time{t.start.Add(t.short), last.Add(t.idle), t.start.Add(t.after)} {
		if now.Before(first) && (again.IsZero() || again.After(first)) {
			return first
		}
	}
	return again
}

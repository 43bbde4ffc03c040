package main

import "time"

// A tail is when a run ends for its last hosts. The rate of a run falls as hosts have no URLs left, down to that of the
// slow ones, while the quick have more in the next batch; and to start a run costs no more than some of their turns. So it
// pays to end when the rate has fallen below what it has been on average (Charnov's marginal value theorem, Theoretical
// Population Biology 9, 1976); which is soon after half of the hosts have done, whether the others are slow or have more URLs.
type tail struct {
	start time.Time     // of the run
	after time.Duration // it is not looked at; 0: it is never
}

// cuts tells whether nothing more is to be started at now, when so many of the run's hosts have URLs left. It is never
// for a run of one host or two, so what a crawl ends with is not cut into ever more runs. Nor is it asked as long as
// one of them has not been asked for anything: a host that wants a long delay would never have its turn.
func (t tail) cuts(now time.Time, left, hosts int) bool {
	return t.after > 0 && now.Sub(t.start) >= t.after && 2*left < hosts
}

// look gives when to look for a request to start, where the next one's turn comes at again: no later than when t is first
// looked at, so that no turn is waited for which it is to cut.
func (t tail) look(now, again time.Time) time.Time {
	if first := t.start.Add(t.after); now.Before(first) && again.After(first) {
		return first
	}
	return again
}

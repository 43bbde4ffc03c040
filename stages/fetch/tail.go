package main

import "time"

// A tail is when a run ends for its last hosts. One that has come down to a few slow ones keeps all others waiting, of
// which the next batch has URLs; and to start a run costs no more than some of their turns.
type tail struct {
	start time.Time     // of the run
	after time.Duration // it is not looked at; 0: it is never
}

// tailShare is the part of a run's hosts, as one of so many, below which it is not worth going on for them alone.
const tailShare = 10

// cuts tells whether nothing more is to be started at now, when so many of the run's hosts have URLs left. It does
// not for a run of tailShare hosts or fewer, so what a crawl ends with is not cut into ever more runs. Nor is it asked as long as
// one of them has not been asked for anything: a host that wants a long delay would never have its turn.
func (t tail) cuts(now time.Time, left, hosts int) bool {
	return t.after > 0 && now.Sub(t.start) >= t.after && left*tailShare < hosts
}

package main

import (
	"math"
	"time"
)

// schedule is the bounds within which pages are visited.
type schedule struct {
	first, least, most time.Duration
}

// step is the factor by which one visit that came when it was due changes the interval.
const step = 1.5

// next returns the interval to the next visit of a page, after one that came gap behind the visit
// before it, when the interval was what it is: the package comment's rule.
func (s schedule) next(interval, gap time.Duration, changed bool) time.Duration {
	expected := 1 - math.Exp2(-max(gap, 0).Seconds()/interval.Seconds())
	found := 0.0
	if changed {
		found = 1
	}
	factor := math.Pow(step, 2*(expected-found))
	next := time.Duration(interval.Seconds() * factor * float64(time.Second))
	return min(max(next, s.least), s.most).Truncate(time.Millisecond)
}

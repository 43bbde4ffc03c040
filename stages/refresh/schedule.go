package main

import (
	"math"
	"time"
)

// schedule has the limits of the interval between visits.
type schedule struct {
	first, least, most time.Duration
}

// step is the factor by which one visit at the planned time changes the interval.
const step = 1.5

// next returns the new interval by the rule in the package comment. interval is the old interval,
// gap is the time between the last two visits, and changed says whether the page had changed.
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

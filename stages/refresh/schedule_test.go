package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

const day = 24 * time.Hour

func bounds() schedule { return schedule{first: day, least: time.Hour, most: 30 * day} }

// TestScheduleFollowsPages visits simulated pages, each changing by a Poisson process, on the
// schedule that comes of it: in the end the interval is that in which the page changes with
// probability one half.
func TestScheduleFollowsPages(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, mean := range []time.Duration{10 * time.Minute, 4 * time.Hour, day, 5 * day, 20 * day, 1000 * day} {
		var intervals []float64
		found, visits := 0, 0
		for range 20 {
			interval := bounds().first
			for n := range 120 {
				gap := interval + time.Duration(rnd.Int64N(int64(interval))) // crawls come late
				changed := rnd.Float64() > math.Exp(-gap.Seconds()/mean.Seconds())
				interval = bounds().next(interval, gap, changed)
				if interval < time.Hour || interval > 30*day {
					t.Fatalf("an interval of %v", interval)
				}
				if n >= 40 {
					intervals = append(intervals, interval.Hours())
					visits++
					if changed {
						found++
					}
				}
			}
		}
		slices.Sort(intervals)
		n := len(intervals)
		want := min(max(math.Ln2*mean.Hours(), 1), 720)
		t.Logf("changes every %v: the interval is %.1f h (%.1f to %.1f in nine of ten), "+
			"ideally %.1f; %.2f of the visits find a change",
			mean, intervals[n/2], intervals[n/20], intervals[n-n/20], want, float64(found)/float64(visits))
		if median := intervals[n/2]; median < want/1.3 || median > want*1.3 {
			t.Errorf("changes every %v: the interval is %.1f h, want about %.1f", mean, median, want)
		}
	}
}

// TestScheduleFollowsChange: a page that was still for long and becomes lively is soon visited
// often, and the other way round.
func TestScheduleFollowsChange(t *testing.T) {
	visits := func(from, to time.Duration, changed bool) (n int) {
		for ; from != to && n < 100; n++ {
			from = bounds().next(from, from, changed)
		}
		return n
	}
	if n := visits(30*day, time.Hour, true); n > 18 {
		t.Errorf("%d visits from the longest interval to the shortest", n)
	}
	if n := visits(time.Hour, 30*day, false); n > 18 {
		t.Errorf("%d visits from the shortest interval to the longest", n)
	}
}

// TestNext holds the rule: what was to be expected changes little.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		gap     time.Duration // the interval being a day
		changed bool
		want    float64 // days
	}{
		{day, false, 1.5},
		{day, true, 1 / 1.5},
		{2 * day, false, math.Pow(1.5, 1.5)},
		{2 * day, true, math.Pow(1.5, -0.5)},
		{100 * day, true, 1},
		{100 * day, false, 2.25},
		{0, false, 1},
		{-day, false, 1},
		{0, true, 1 / 2.25},
	} {
		got := bounds().next(day, c.gap, c.changed).Hours() / 24
		if math.Abs(got-c.want) > 1e-6 {
			t.Errorf("after %v, changed %v: %v days, want %v", c.gap, c.changed, got, c.want)
		}
	}
}

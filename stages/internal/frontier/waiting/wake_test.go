package waiting

import (
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
)

// wakes runs the stage whenever it wants to be woken for so long, a thousand times at most. It returns how
// many URLs were handed out, and in how many runs. first is a part of the first of them.
func (c *crawl) wakes(last time.Duration, first func(s *State)) (out, runs int) {
	c.t.Helper()
	for end := c.now.Add(last); c.now.Before(end) && runs < 1000; runs++ {
		wake := end
		c.run(func(s *State) {
			if runs == 0 {
				first(s)
			}
			out += len(c.compose(s, Plan{Longest: time.Minute, Most: 1000}))
			if at, ok, err := s.Wake(); err != nil {
				c.t.Fatal(err)
			} else if ok {
				wake = at
				s.Woken(at)
			}
		})
		if wake.After(c.now) {
			c.now = wake
		}
	}
	return out, runs
}

// TestFailedWaits: while links of a batch are waited for, URLs that failed start no runs.
func TestFailedWaits(t *testing.T) {
	c := newCrawl(t)
	c.rules.Patience = 300 * time.Millisecond
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("a.test", 4)...)
		c.compose(s, Plan{Longest: time.Minute, Most: 1000})
	})
	c.now = c.now.Add(time.Second)
	out, runs := c.wakes(5*time.Second, func(s *State) {
		c.visit(s, visits.Visit{Host: "a.test", Asked: 4, Answered: 4, Pause: time.Second})
		c.add(s, failed, "http://b.test/")
	})
	if out != 1 || runs > 10 {
		t.Errorf("%d of 1 URLs in %d runs", out, runs)
	}
}

// TestWakeFarAhead: where batches are planned further ahead than one is composed, no runs are in vain.
func TestWakeFarAhead(t *testing.T) {
	c := newCrawl(t)
	out, runs := c.wakes(time.Hour, func(s *State) {
		c.visit(s, visits.Visit{Host: "a.test", Asked: 1, Answered: 1, Pause: 20 * time.Second})
		c.add(s, 0, urlsOf("a.test", 10)...)
	})
	if out != 10 || runs > 20 {
		t.Errorf("%d of 10 URLs were handed out in %d runs", out, runs)
	}
}

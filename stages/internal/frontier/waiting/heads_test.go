package waiting

import (
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
)

// TestHeadsToCome: an entry of a ready list that a host has left keeps no other waiting.
func TestHeadsToCome(t *testing.T) {
	c := newCrawl(t)
	plan := Plan{Longest: time.Minute, Most: 1000}
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "a.test", Asked: 1, Answered: 1, Pause: time.Second,
			NotBefore: c.now.Add(time.Hour)})
		c.add(s, 0, "http://a.test/")
	})
	c.run(func(s *State) { // it may be asked sooner, and has no more URLs
		c.visit(s, visits.Visit{Host: "a.test", Asked: 1, Answered: 1, Pause: time.Second})
		if n := len(c.compose(s, plan)); n != 1 {
			t.Errorf("%d URLs", n)
		}
		if _, _, err := s.Wake(); err != nil {
			t.Error(err)
		}
	})
	c.now = c.now.Add(time.Minute)
	c.run(func(s *State) {
		c.add(s, 0, "http://b.test/")
		if n := len(c.compose(s, plan)); n != 1 {
			t.Errorf("a new host waits for the time of another: %d URLs", n)
		}
	})
}

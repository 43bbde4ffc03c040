package waiting

import (
	"fmt"
	"testing"
	"time"
)

// TestLength: a batch is as long as it pays to wait for, and a large host among small ones makes it no
// longer.
func TestLength(t *testing.T) {
	for name, c := range map[string]struct {
		hosts       map[uint64]int // by the number of URLs that wait
		least, most int64
	}{
		"one URL a host":         {map[uint64]int{1: 60}, 1000, 1000},
		"and a large host":       {map[uint64]int{1: 60, 10_000: 1}, 1000, 1000},
		"twenty URLs a host":     {map[uint64]int{20: 60}, 15_000, 30_000},
		"some with many":         {map[uint64]int{20: 60, 1000: 3}, 15_000, 30_000},
		"half with many":         {map[uint64]int{20: 30, 1000: 30}, 15_000, 30_000},
		"many for all":           {map[uint64]int{1000: 60}, 60_000, 60_000},
		"nothing that is known":  {nil, 1000, 1000},
		"one host and one alone": {map[uint64]int{5000: 1}, 60_000, 60_000},
	} {
		s := &State{rules: Rules{Pause: time.Second}}
		for n, hosts := range c.hosts {
			for range hosts {
				s.meta.move(0, n)
			}
		}
		if got, _ := s.lengthOf(60_000); got < c.least || got > c.most {
			t.Errorf("%s: %d ms, want %d to %d", name, got, c.least, c.most)
		}
	}
}

// TestMeanStep: the mean follows the hosts, and one that is slow beyond all others moves it little.
func TestMeanStep(t *testing.T) {
	s := &State{rules: Rules{Pause: time.Second}}
	if got := s.meanStep(); got != 1000 {
		t.Errorf("before any visit %d ms, want 1000", got)
	}
	for range 1000 {
		s.learnStep(200)
	}
	s.learnStep(3_600_000)
	if got := s.meanStep(); got < 195 || got > 215 {
		t.Errorf("%d ms, want some 200", got)
	}
}

// TestCrumbs: while a batch is under way, no other is handed out that fetches less than half as much
// in a time; when it is over, one is.
func TestCrumbs(t *testing.T) {
	c := newCrawl(t)
	plan := Plan{Longest: time.Minute, Most: 10_000}
	c.run(func(s *State) {
		for h := range 50 {
			c.add(s, 0, urlsOf(fmt.Sprintf("h%d.test", h), 4)...)
		}
		if n := len(c.compose(s, plan)); n < 50 {
			t.Errorf("%d URLs", n)
		}
	})
	c.now = c.now.Add(time.Second)
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("late.test", 4)...)
		if n := len(c.compose(s, plan)); n != 0 {
			t.Errorf("%d URLs are handed out while the batch is under way", n)
		}
		if at, ok, err := s.Wake(); !ok || err != nil || at.Sub(c.now) < time.Second || at.Sub(c.now) > time.Minute {
			t.Errorf("wake at %v, %v, %v", at.Sub(c.now), ok, err)
		}
	})
	c.now = c.now.Add(time.Minute)
	c.run(func(s *State) {
		if n := len(c.compose(s, plan)); n != 4 {
			t.Errorf("%d URLs when it is over, want 4", n)
		}
	})
}

package waiting

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
)

// TestEndOfBatch: when the visits of the last batch of a lane have come, the time that was promised to
// its hosts and to the lane ends. Before that slow hosts have no other batch.
func TestEndOfBatch(t *testing.T) {
	for name, lane := range map[string]Lane{"main": Main, "slow": Slow} {
		c := newCrawl(t)
		c.rules.Slow = 10 * time.Second
		plan := Plan{Lane: lane, Longest: 10 * time.Minute, Most: 100}
		pause := time.Second
		if lane == Slow {
			pause = 20 * time.Second
		}
		visit := visits.Visit{Host: "a.test", Asked: 1, Answered: 1, Pause: pause}
		out := func(n int) {
			t.Helper()
			c.run(func(s *State) {
				if got := len(c.compose(s, plan)); (got > 0) != (n > 0) {
					t.Errorf("%s: %d URLs", name, got)
				}
			})
		}
		c.run(func(s *State) {
			c.visit(s, visit)
			c.add(s, 0, urlsOf("a.test", 200)...)
		})
		c.now = c.now.Add(time.Minute)
		out(1)
		c.now = c.now.Add(30 * time.Second) // far from the end of the batch
		if lane == Slow {
			out(0)
		}
		c.run(func(s *State) {
			c.visit(s, visit)
			if r := s.order[0]; r.free > s.now {
				t.Errorf("%s: the host's time goes on for %d ms", name, r.free-s.now)
			}
		})
		c.now = c.now.Add(5 * time.Second)
		out(1)
	}
}

// TestLinksAreHere: what there is is handed out as soon as new URLs have come in behind the visits of the
// batch before, and not sooner if it is little.
func TestLinksAreHere(t *testing.T) {
	c := newCrawl(t)
	plan := Plan{Longest: time.Minute, Most: 1000}
	out := func(want int) {
		t.Helper()
		c.run(func(s *State) {
			if got := len(c.compose(s, plan)); got != want {
				t.Errorf("%d URLs, want %d", got, want)
			}
		})
	}
	c.run(func(s *State) {
		for i := range 30 {
			c.add(s, 0, fmt.Sprintf("http://h%d.test/", i))
		}
	})
	out(30)
	c.now = c.now.Add(time.Second)
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "h1.test", Asked: 1, Answered: 1, Pause: time.Second})
		c.add(s, 0, "http://d.test/again") // comes back with the visit
		if got := len(c.compose(s, plan)); got != 0 {
			t.Errorf("%d URLs while the links are on their way", got)
		}
	})
	c.now = c.now.Add(100 * time.Millisecond)
	c.run(func(s *State) { c.add(s, 0, "http://e.test/") })
	out(2)
}

// TestCutShort: a host for which a short run did not wait is one of the slow, and may be asked at once.
func TestCutShort(t *testing.T) {
	c := newCrawl(t)
	c.rules.Slow = 10 * time.Second
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "a.test", Asked: 1, Failed: 1, Unreached: visits.CutShort})
		c.visit(s, visits.Visit{Host: "b.test", Asked: 1, Failed: 1, Unreached: "head-timeout"})
		c.add(s, 0, "http://a.test/", "http://b.test/")
		plan := Plan{Lane: Slow, Longest: 10 * time.Second, Most: 100}
		if got := c.compose(s, plan); len(got) != 1 || got[0] != "http://a.test/" {
			t.Errorf("%v, want a.test alone: b.test did not answer and is left alone", got)
		}
	})
}

// TestFewDoubtful: hosts that did not answer take few of the connections that the others need, and all
// where there are no others.
func TestFewDoubtful(t *testing.T) {
	c := newCrawl(t)
	c.run(func(s *State) {
		for i := range 10 * mostDoubtful {
			host := fmt.Sprintf("silent%d.test", i)
			c.visit(s, visits.Visit{Host: host, Asked: 1, Failed: 1, Unreached: "head-timeout"})
			c.add(s, 0, urlsOf(host, 2)...)
		}
	})
	plan := Plan{Longest: time.Minute, Most: 1000}
	c.now = c.now.Add(time.Hour)
	c.run(func(s *State) {
		c.add(s, 0, "http://new.test/")
		if n := len(c.compose(s, plan)); n != 1+mostDoubtful {
			t.Errorf("%d URLs, want %d of hosts that did not answer, and the new one", n, mostDoubtful)
		}
	})
	c.now = c.now.Add(time.Hour)
	c.run(func(s *State) {
		if n := len(c.compose(s, plan)); n != 10*mostDoubtful {
			t.Errorf("%d URLs, want one of each of %d hosts that did not answer", n, 10*mostDoubtful)
		}
	})
}

// TestDoubtfulBeginsEarly: a host that may take a run's patience is in no batch that would be longer by
// that, but in one at whose beginning it may be asked.
func TestDoubtfulBeginsEarly(t *testing.T) {
	c := newCrawl(t)
	plan := Plan{Longest: time.Minute, Most: 1000}
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "a.test", Asked: 1, Answered: 1, Pause: time.Second})
		c.add(s, 0, urlsOf("a.test", 200)...)
		for host, hold := range map[string]time.Duration{"early.test": 30 * time.Second,
			"late.test": 55 * time.Second} {
			c.visit(s, visits.Visit{Host: host, Asked: 1, Unreached: visits.CutShort, NotBefore: c.now.Add(hold)})
			c.add(s, 0, urlsOf(host, 1)...)
		}
	})
	for i, want := range []map[string]int{{"a.test": 60, "early.test": 1}, {"a.test": 60, "late.test": 1}} {
		c.run(func(s *State) {
			count := map[string]int{}
			for _, url := range c.compose(s, plan) {
				count[strings.Split(url, "/")[2]]++
			}
			if !maps.Equal(count, want) {
				t.Errorf("batch %d: %v, want %v", i, count, want)
			}
			if took := s.meta.planned[Main] - s.start(Main, 0); i == 0 && took > 61_000 {
				t.Errorf("batch %d: takes %d ms", i, took)
			}
		})
		c.now = c.now.Add(61 * time.Second)
	}
}

// TestExploredBeginsEarly: that is so for what goes by turns, too.
func TestExploredBeginsEarly(t *testing.T) {
	c := newCrawl(t)
	c.rules.Explore = 1
	plan := Plan{Longest: time.Minute, Most: 1000}
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "a.test", Asked: 1, Answered: 1, Pause: time.Second})
		c.add(s, 0, urlsOf("a.test", 200)...)
		c.compose(s, plan) // from now on URLs go by turns
		for host, hold := range map[string]time.Duration{"early.test": time.Minute, "late.test": 115 * time.Second} {
			c.visit(s, visits.Visit{Host: host, Asked: 1, Unreached: visits.CutShort, NotBefore: c.now.Add(hold)})
			c.add(s, 0, urlsOf(host, 1)...)
		}
	})
	c.run(func(s *State) {
		count := map[string]int{}
		for _, url := range c.compose(s, plan) {
			count[strings.Split(url, "/")[2]]++
		}
		if want := (map[string]int{"a.test": 60, "early.test": 1}); !maps.Equal(count, want) {
			t.Errorf("%v, want %v", count, want)
		}
	})
}

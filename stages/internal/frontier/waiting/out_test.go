package waiting

import (
	"fmt"
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
)

// TestUnderWay: a batch that is under way is waited for before crumbs are handed out, for as long as a run
// has patience. It is not where resolve has told of all of its hosts.
func TestUnderWay(t *testing.T) {
	for name, of := range map[string]struct {
		lost bool          // a batch was dropped long before
		told int           // hosts of 30 of which resolve tells, 2 s after the batch
		most time.Duration // from when on what waits is handed out
	}{
		"all are refused":             {false, 30, 6 * time.Second},
		"one was dropped, then these": {true, 30, 6 * time.Second},
		"all but one":                 {false, 29, 11500 * time.Millisecond},
		"dropped":                     {false, 0, 11500 * time.Millisecond},
	} {
		c := newCrawl(t)
		if of.lost {
			c.run(func(s *State) {
				c.add(s, 0, "http://lost.test/")
				c.compose(s, Plan{Longest: time.Minute, Most: 1000})
			})
			c.now = c.now.Add(time.Hour)
		}
		c.run(func(s *State) {
			for i := range 30 {
				c.add(s, 0, fmt.Sprintf("http://h%d.test/", i))
			}
			c.compose(s, Plan{Longest: time.Minute, Most: 1000})
		})
		start := c.now
		c.now = c.now.Add(2 * time.Second)
		out, _ := c.wakes(of.most-3*time.Second, func(s *State) {
			for i := range of.told {
				c.visit(s, visits.Visit{Host: fmt.Sprintf("h%d.test", i), Unready: 1})
			}
			c.add(s, 0, "http://new.test/")
		})
		if out != 0 {
			t.Errorf("%s: something is handed out before %v", name, of.most-time.Second)
		}
		c.now = start.Add(of.most)
		if out, _ := c.wakes(time.Millisecond, func(*State) {}); out != 1 {
			t.Errorf("%s: %d URLs after %v, want 1", name, out, of.most)
		}
	}
}

// TestToldOutOfOrder: resolve tells of a batch while fetch has the one before. What fetch tells of that one
// says nothing of the other.
func TestToldOutOfOrder(t *testing.T) {
	c, plan := newCrawl(t), Plan{Longest: 10 * time.Second, Most: 1000}
	isOut := func(s *State, host string) bool {
		t.Helper()
		r, err := s.find(hostKey(s.set.Hash().Sum([]byte(host))))
		if err != nil {
			t.Fatal(err)
		}
		return s.isOut(r)
	}
	c.run(func(s *State) {
		for _, host := range []string{"a.test", "b.test"} {
			c.visit(s, visits.Visit{Host: host, Asked: 1, Answered: 1, Pause: time.Second})
			c.add(s, 0, urlsOf(host, 50)...)
		}
	})
	for range 2 {
		c.run(func(s *State) {
			if n := len(c.compose(s, plan)); n < 10 {
				t.Fatalf("%d URLs in a batch, want some of each host", n)
			}
		})
		c.now = c.now.Add(5 * time.Second)
	}
	c.run(func(s *State) { c.visit(s, visits.Visit{Host: "a.test", Unready: 10}) })
	c.run(func(s *State) {
		for _, host := range []string{"a.test", "b.test"} {
			c.visit(s, visits.Visit{Host: host, Asked: 10, Answered: 10, Pause: time.Second})
		}
		if isOut(s, "a.test") || !isOut(s, "b.test") || s.meta.over > 0 {
			t.Errorf("a.test is out: %v, b.test: %v; the second batch is over: %v", isOut(s, "a.test"),
				isOut(s, "b.test"), s.meta.over > 0)
		}
	})
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "b.test", Asked: 10, Answered: 10, Pause: time.Second})
		if isOut(s, "b.test") || s.meta.over == 0 {
			t.Error("the second batch is not over, and fetch has told of it")
		}
	})
}

// TestToldByResolve: resolve says when a host may be asked again, and that it could not be reached. Where
// all URLs were refused there is nothing to wait for, but what fetch said holds.
func TestToldByResolve(t *testing.T) {
	c := newCrawl(t)
	in := func(d time.Duration) time.Time { return c.now.Add(d) }
	for _, of := range []struct {
		what   string
		visits []visits.Visit
		hold   time.Duration
		silent uint32
	}{
		{"not reached", []visits.Visit{{NotBefore: in(time.Minute), Unready: 1, Unreached: "dns-failed"}},
			time.Minute, 1},
		{"robots.txt is not to be had", []visits.Visit{{NotBefore: in(time.Minute), Unready: 1}}, time.Minute, 0},
		{"refused", []visits.Visit{{Unready: 1}}, 0, 0},
		{"refused at last", []visits.Visit{{Asked: 1, Failed: 1}, {Unready: 1}}, 10 * time.Second, 0},
		{"refused while it is held", []visits.Visit{{Asked: 1, Answered: 1, NotBefore: in(time.Hour)}, {Unready: 1}},
			time.Hour, 0},
	} {
		c.run(func(s *State) {
			host := fmt.Sprintf("h%d.test", len(of.what))
			for _, v := range of.visits {
				v.Host = host
				c.visit(s, v)
			}
			r, err := s.find(hostKey(s.set.Hash().Sum([]byte(host))))
			if err != nil {
				t.Fatal(err)
			}
			if held := max(r.hold-s.now, 0); held != of.hold.Milliseconds() || r.silent != of.silent {
				t.Errorf("%s: held for %d ms, %d silent runs", of.what, held, r.silent)
			}
		})
	}
}

package waiting

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
)

// TestFar: a host with a pause of a minute goes into a batch that is shorter only when it has waited for
// five minutes; its URLs alone are marked, so that fetch waits for them; and all others have their turns.
func TestFar(t *testing.T) {
	c := newCrawl(t)
	const pause = time.Minute
	c.run(func(s *State) {
		for h := range 3 {
			host := fmt.Sprintf("far%d.test", h)
			c.add(s, 0, urlsOf(host, 200)...)
			c.visit(s, visits.Visit{Host: host, Pause: pause})
		}
		c.compose(s, Plan{Longest: 2 * time.Minute, Most: 3}) // they have waited for ever
	})
	visit := func(s *State, host string, pause time.Duration, n int) {
		c.visit(s, visits.Visit{Host: host, Asked: int64(n), Answered: int64(n), Pause: pause})
	}
	began, in, short, between, long := c.now, 0, 0, 0, 0
	last := map[string]time.Time{}
	for c.now.Sub(began) < 40*time.Minute {
		urls := []int{3, 3, 30, 100}[c.now.Sub(began)/(10*time.Minute)]
		c.run(func(s *State) {
			for h := range 10 {
				host := fmt.Sprintf("quick%d.test", h)
				visit(s, host, time.Second, 1)
				for range urls {
					in++
					c.add(s, 0, fmt.Sprintf("http://%s/%d", host, in))
				}
			}
			s.settle()
			length := time.Duration(s.lengthOf(Plan{Longest: 120 * time.Second}, 1000)) * time.Millisecond
			picks, err := s.Compose(Plan{Longest: 2 * time.Minute, Most: 2000})
			if err != nil {
				t.Fatal(err)
			}
			far := map[string]bool{}
			for _, p := range picks {
				host := strings.Split(string(p.Line), "/")[2]
				if is := strings.HasPrefix(host, "far"); is != p.Far {
					t.Fatalf("%s is marked: %v", p.Line, p.Far)
				} else if is {
					far[host] = true
				}
			}
			waited := time.Duration(0) // by the host that has for longest
			for host := range far {
				waited = max(waited, c.now.Sub(last[host]))
				last[host] = c.now
				visit(s, host, pause, 1)
			}
			switch alone := len(picks) == len(far); {
			case len(far) > 0 && length < pause && !alone:
				if short++; waited < 5*time.Minute {
					t.Fatalf("a batch of %v has URLs of %v after %v", length, far, waited)
				}
			case len(far) > 0 && length >= pause && waited < 5*time.Minute:
				long++
			case length > 10*time.Second && length < pause:
				between++
			}
		})
		c.now = c.now.Add(10 * time.Second)
	}
	if short < 3 || between < 5 || long < 1 {
		t.Errorf("%d short batches have URLs of the hosts, %d of more than 10 s have none, %d long ones have", short,
			between,
			long)
	}
}

// TestFarAlone: hosts with a long pause need not wait where they are alone.
func TestFarAlone(t *testing.T) {
	c := newCrawl(t)
	out := 0
	for i := range 30 {
		c.run(func(s *State) {
			if i == 0 {
				c.add(s, 0, urlsOf("far.test", 10)...)
				c.add(s, 0, urlsOf("held.test", 1000)...)
			}
			c.visit(s, visits.Visit{Host: "held.test", Pause: time.Second, NotBefore: c.now.Add(time.Hour)})
			c.visit(s, visits.Visit{Host: "far.test", Asked: 1, Answered: 1, Pause: 50 * time.Second})
			out += len(c.compose(s, Plan{Longest: 30 * time.Second, Most: 1000}))
		})
		c.now = c.now.Add(time.Minute)
	}
	if out != 10 {
		t.Errorf("%d of 10 URLs went out in 30 minutes", out)
	}
}

// TestFarSpent: the URLs of a host with a long pause leave when its budget is spent, and none is handed
// out for it.
func TestFarSpent(t *testing.T) {
	c, left := newCrawl(t), 0
	c.rules.Host = Budget{Pages: 1}
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("far.test", 1)...)
		c.compose(s, Plan{Longest: time.Minute, Most: 1000})
	})
	c.now = c.now.Add(time.Minute)
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("far.test", 10)...)
		c.visit(s, visits.Visit{Host: "far.test", Asked: 1, Answered: 1, Pause: 5 * time.Minute})
		over := func([]byte) error { left++; return nil }
		if urls := c.compose(s, Plan{Longest: time.Minute, Most: 1000, Over: over}); len(urls) > 0 || left != 10 {
			t.Errorf("%d of 10 URLs left, and %q were handed out", left, urls)
		}
	})
}

// TestFarWaits: nothing but a host with a long pause makes a batch when nothing can be expected of the last one
// any more, and not before; in the lane of slow hosts it goes with the others.
func TestFarWaits(t *testing.T) {
	for name, want := range map[string]struct{ early, late, slow int }{"no lane": {0, 1, 0}, "lane": {0, 0, 1}} {
		c := newCrawl(t)
		if name == "lane" {
			c.rules.Slow = 10 * time.Second
		}
		plan := Plan{Longest: 20 * time.Second, Most: 1000}
		far := func(s *State, lane Lane) (n int) {
			plan := Plan{Lane: lane, Longest: 20 * time.Second, Most: 1000}
			for _, url := range c.compose(s, plan) {
				if strings.HasPrefix(url, "http://far.test/") {
					n++
				}
			}
			return n
		}
		c.run(func(s *State) {
			c.add(s, 0, "http://a.test/")
			c.compose(s, plan)
		})
		early, late, slow := 0, 0, 0
		c.run(func(s *State) {
			c.visit(s, visits.Visit{Host: "far.test", Asked: 1, Answered: 1, Pause: time.Minute, NotBefore: c.now})
			c.add(s, 0, "http://far.test/")
			early = far(s, Main)
		})
		c.now = c.now.Add(30 * time.Second)
		c.run(func(s *State) {
			late = far(s, Main)
			if name == "lane" { // beside another one
				c.visit(s, visits.Visit{Host: "slow.test", Asked: 1, Answered: 1, Pause: 12 * time.Second})
				c.add(s, 0, "http://slow.test/")
				slow = far(s, Slow)
			}
		})
		if early != want.early || late != want.late || slow != want.slow {
			t.Errorf("%s: %d URLs early, %d late, %d in the lane of slow hosts; want %+v", name, early, late, slow, want)
		}
	}
}

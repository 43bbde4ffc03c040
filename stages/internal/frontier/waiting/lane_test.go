package waiting

import (
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
)

// TestLaneTaken: where there is no lane for slow hosts any more, those that were in it are handed out
// with the others.
func TestLaneTaken(t *testing.T) {
	c := newCrawl(t)
	c.rules.Slow = 10 * time.Second
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "slow.test", Asked: 1, Answered: 1, Pause: 20 * time.Second})
		c.add(s, 0, urlsOf("slow.test", 11)...)
		c.compose(s, Plan{Lane: Slow, Longest: time.Second, Most: 1}) // no fetch takes it any more
	})
	c.rules.Slow = 0
	out, runs := c.wakes(time.Hour, func(*State) {})
	if out != 10 || runs > 20 {
		t.Errorf("%d of 10 URLs were handed out in %d runs", out, runs)
	}
	c.run(func(s *State) {
		if r, err := s.find(hostKey(s.set.Hash().Sum([]byte("slow.test")))); err != nil || r.slow {
			t.Errorf("it is still in that lane, or %v", err)
		}
	})
}

// TestLaneAfterRefusal: a host of which resolve refused a batch goes to another lane all the same, when
// a later batch of it has come back.
func TestLaneAfterRefusal(t *testing.T) {
	c := newCrawl(t)
	c.rules.Slow = 10 * time.Second
	var batch []string
	slow := 0
	for i := range 30 {
		c.run(func(s *State) {
			asked := map[string]int64{}
			for _, url := range batch {
				asked[strings.Split(url, "/")[2]]++
			}
			if i == 1 {
				delete(asked, "a.test") // all of its URLs were refused, so that no visit tells of them
			}
			for host, n := range asked {
				v := visits.Visit{Host: host, Asked: n, Answered: n, Pause: time.Second}
				if host == "a.test" {
					v.Pause = 20 * time.Second
				}
				c.visit(s, v)
			}
			c.add(s, 0, urlsOf("a.test", 100)...)
			c.add(s, 0, urlsOf("b.test", 100)...)
			batch = c.compose(s, Plan{Longest: time.Minute, Most: 1000})
			slow += len(c.compose(s, Plan{Lane: Slow, Longest: 10 * time.Minute, Most: 1000}))
		})
		c.now = c.now.Add(time.Minute)
	}
	if slow == 0 {
		t.Error("a slow host is with the others for ever")
	}
}

// TestLaneOfLateBatch: a host whose batch failed in fetch, and is tried again behind the next one, stays
// in its lane as long as any batch with its URLs is out; and not for ever where one was dropped.
func TestLaneOfLateBatch(t *testing.T) {
	for name, late := range map[string]bool{"late": true, "dropped": false} {
		c := newCrawl(t)
		c.rules.Slow = 10 * time.Second
		tells := func(s *State, pause time.Duration, hosts ...string) {
			for _, host := range hosts {
				c.visit(s, visits.Visit{Host: host, Asked: 5, Answered: 5, Pause: pause})
			}
		}
		slow := func() (n int) {
			c.run(func(s *State) { n = len(c.compose(s, Plan{Lane: Slow, Longest: 10 * time.Minute, Most: 1})) })
			return n
		}
		main := Plan{Longest: 10 * time.Second, Most: 1000}
		for i, did := range []func(s *State){
			func(s *State) { tells(s, time.Second, "a.test"); c.add(s, 0, urlsOf("a.test", 1000)...) },
			func(s *State) { tells(s, time.Second, "b.test"); c.add(s, 0, urlsOf("b.test", 5)...) },
			func(s *State) { tells(s, time.Second, "a.test", "b.test") }, // of the second batch
		} {
			c.run(func(s *State) {
				did(s)
				urls := c.compose(s, main)
				if has := strings.Contains(strings.Join(urls, " "), "b.test"); len(urls) < 5 || has != (i == 1) {
					t.Fatalf("batch %d: %q", i+1, urls)
				}
			})
			c.now = c.now.Add(10 * time.Second)
		}
		if late {
			c.run(func(s *State) { tells(s, 20*time.Second, "a.test") }) // of the first batch: it is slow
			if n := slow(); n != 0 {
				t.Errorf("%s: a host is handed out in the other lane while its third batch is out", name)
			}
			c.now = c.now.Add(10 * time.Second)
		}
		for range 10 { // of the third batch, and of later ones
			c.run(func(s *State) { tells(s, 20*time.Second, "a.test"); c.compose(s, main) })
			c.now = c.now.Add(time.Minute)
		}
		c.run(func(s *State) { tells(s, 20*time.Second, "a.test") })
		if n := slow(); n != 1 {
			t.Errorf("%s: %d URLs of a slow host in its lane, want 1", name, n)
		}
	}
}

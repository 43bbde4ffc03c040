package waiting

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/traffic/visits"
)

// TestSpillAmongArrivals: a host of which a visit told is not forgotten when what came in for others makes
// the run spill.
func TestSpillAmongArrivals(t *testing.T) {
	const hosts = 60
	name := func(i int) string { return fmt.Sprintf("h%d.test", i) }
	c := newCrawl(t)
	c.run(func(s *State) {
		s.most = 40 * rowBytes
		for i := range hosts {
			if i%2 == 0 {
				c.visit(s, visits.Visit{Host: name(i), Asked: 1, Answered: 1, Pause: time.Minute})
			}
			c.add(s, 3, "http://"+name(i)+"/")
		}
	})
	c.run(func(s *State) {
		seen := 0
		for _, h := range c.hosts(s) {
			var i int
			fmt.Sscanf(h.Name, "h%d.test", &i)
			if want := time.Minute * time.Duration((i+1)%2); h.Pause != want || h.Waiting != 1 {
				t.Errorf("%s has a pause of %v and %d URLs, want %v and 1", h.Name, h.Pause, h.Waiting, want)
			}
			seen++
		}
		if seen != hosts {
			t.Errorf("%d hosts, want %d", seen, hosts)
		}
	})
}

// TestTwin: a host whose name was made to have the key of another ends the run, and gets none of its URLs.
func TestTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	victim := "www.victim.test"
	twin := stagetest.Twin(t, "evil.", victim)
	for _, first := range [][]string{{victim, twin}, {twin, victim}} {
		c := newCrawl(t)
		s, err := Open("", nil, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		c.add(s, 3, "http://"+first[0]+"/", "http://"+first[1]+"/")
		if _, err := s.Compose(Plan{Longest: time.Minute, Most: 10}); err == nil ||
			!strings.Contains(err.Error(), "have the same key") {
			t.Errorf("%v: %v", first, err)
		}
	}
}

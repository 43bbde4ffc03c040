package waiting

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
)

// starving runs a crawl with better URLs without end on 20 hosts and on ever new ones, and returns
// after how many batches each of the old URLs was handed out: three of the last class beside better
// ones, one that failed once, and three on a host that has no others.
func starving(t *testing.T, explore float64, batches int) (after map[string]int, all int) {
	const hosts, most = 20, 40
	c := newCrawl(t)
	c.rules.Explore = explore
	c.run(func(s *State) {
		for h := range hosts {
			c.visit(s, visits.Visit{Host: fmt.Sprintf("h%d.test", h), Asked: 1, Answered: 1, Pause: time.Second})
		}
		c.add(s, 63, "http://h3.test/old/0", "http://h3.test/old/1", "http://h3.test/old/2")
		c.add(s, failed+5, "http://h3.test/old/failed")
		c.add(s, 40, "http://alone.test/old/0", "http://alone.test/old/1", "http://alone.test/old/2")
	})
	after = map[string]int{}
	for i := range batches {
		c.unchecked(func(s *State) {
			for h := range hosts {
				for n := range 12 {
					c.add(s, uint8(n%2), fmt.Sprintf("http://h%d.test/%d/%d", h, i, n))
				}
			}
			c.add(s, 0, fmt.Sprintf("http://new%d.test/", i))
			for _, url := range c.compose(s, Plan{Longest: 12 * time.Second, Most: most}) {
				all++
				if strings.Contains(url, "/old/") {
					after[url] = i + 1
				}
			}
		})
		c.now = c.now.Add(12 * time.Second)
	}
	c.run(func(*State) {})
	return after, all
}

// TestExplore: with a share that goes by turns no URL starves; the bound is that of explore.go.
func TestExplore(t *testing.T) {
	after, all := starving(t, 0.1, 80)
	if all < 80*35 {
		t.Errorf("%d URLs were handed out, want 40 in a batch", all)
	}
	// 40 URLs in a batch, so 4 by turns; 21 hosts with URLs, and some new ones that wait for their
	// first turn: 7 batches a round. The one that failed has its turn in a long batch, the second one,
	// which comes behind 26 of 12 s.
	const round = 7
	for url, rounds := range map[string]int{"http://alone.test/old/0": 1, "http://alone.test/old/1": 2,
		"http://alone.test/old/2": 3, // one band
		"http://h3.test/old/0":    4, "http://h3.test/old/1": 8, "http://h3.test/old/2": 12,
		"http://h3.test/old/failed": 4} {
		// The share begins with the second batch.
		if n := after[url]; n == 0 || n > 1+rounds*round {
			t.Errorf("%s was handed out in batch %d, want one of the first %d", url, n, 1+rounds*round)
		}
	}
	t.Log(after)
	after, _ = starving(t, 0, 80)
	delete(after, "http://alone.test/old/0") // the hosts with better URLs could not fill a batch
	if len(after) != 0 {
		t.Errorf("without a share the test starves none: %v", after)
	}
}

// TestExploreShare: the share is that of all that is handed out, by hosts in turn, and no host has
// more than there is time for.
func TestExploreShare(t *testing.T) {
	c := newCrawl(t)
	c.rules.Explore = 0.25
	c.run(func(s *State) {
		for h := range 100 {
			c.add(s, 0, urlsOf(fmt.Sprintf("h%d.test", h), 30)...)
			c.add(s, 20, fmt.Sprintf("http://h%d.test/last", h))
		}
	})
	all, last := 0, 0
	for range 10 {
		c.run(func(s *State) {
			count := map[string]int{}
			for _, url := range c.compose(s, Plan{Longest: 10 * time.Second, Most: 80}) {
				host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
				if count[host]++; count[host] > 9 {
					t.Errorf("%d URLs of %s in 10 s", count[host], host)
				}
				all++
				if path == "last" {
					last++
				}
			}
		})
		c.now = c.now.Add(10 * time.Second)
	}
	// A host has turns in both bands, first in band 20 and then in band 0; from the second batch on
	// 20 go by turns: 180, of 100 hosts.
	if all != 800 || last != 100 {
		t.Errorf("%d URLs, %d of band 20; want 800 and 100", all, last)
	}
}

// TestExploredHasItsTurn: a host from which a URL went out by turns has the rest of its time in the
// order, no more, and in its lane.
func TestExploredHasItsTurn(t *testing.T) {
	c := newCrawl(t)
	c.rules.Explore, c.rules.Slow = 0.5, 10*time.Second
	c.run(func(s *State) {
		for _, host := range []string{"a.test", "b.test", "slow.test"} {
			c.add(s, 0, urlsOf(host, 100)...)
		}
		for _, host := range []string{"a.test", "b.test"} {
			c.visit(s, visits.Visit{Host: host, Asked: 1, Answered: 1, Pause: time.Second})
		}
		c.visit(s, visits.Visit{Host: "slow.test", Asked: 1, Answered: 1, Pause: 20 * time.Second})
	})
	for i := range 5 {
		count := map[string]int{}
		for lane, longest := range map[Lane]time.Duration{Main: 10 * time.Second, Slow: 100 * time.Second} {
			c.run(func(s *State) {
				for _, url := range c.compose(s, Plan{Lane: lane, Longest: longest, Most: 100}) {
					count[fmt.Sprint(lane, strings.Split(url, "/")[2])]++
				}
			})
		}
		want := map[string]int{"0a.test": 10, "0b.test": 10, "2slow.test": min(max(count["2slow.test"], 1), 5)}
		if !maps.Equal(count, want) {
			t.Errorf("batch %d: %v, want 10 of each, and up to 5 of the slow host", i, count)
		}
		c.now = c.now.Add(105 * time.Second) // a run of the slow host, and what a run costs
	}
}

// TestRoomForDoubtful: hosts that did not answer are asked again though others fill each batch.
func TestRoomForDoubtful(t *testing.T) {
	const hosts, most = 100, 40
	c := newCrawl(t)
	c.run(func(s *State) {
		for h := range hosts {
			host := fmt.Sprintf("h%d.test", h)
			c.visit(s, visits.Visit{Host: host, Asked: 1, Answered: 1, Pause: time.Second})
			c.add(s, 0, urlsOf(host, 1000)...)
		}
		for h := range 20 {
			host := fmt.Sprintf("silent%d.test", h)
			c.visit(s, visits.Visit{Host: host, Asked: 1})
			c.add(s, 0, urlsOf(host, 10)...)
		}
	})
	began, silent, others := c.now, 0, 0
	for c.now.Sub(began) < 11*time.Minute {
		c.run(func(s *State) {
			urls := c.compose(s, Plan{Longest: time.Minute, Most: most})
			if len(urls) > most {
				t.Errorf("%d URLs in a batch, want %d at most", len(urls), most)
			}
			for _, url := range urls {
				if strings.Contains(url, "silent") {
					silent++
				} else {
					others++
				}
			}
		})
		c.now = c.now.Add(2 * time.Second)
	}
	// Two long batches, five minutes apart, with an eighth for what is doubtful.
	if silent < 2*most/8 || others < 325*most {
		t.Errorf("%d URLs of silent hosts and %d of others, want %d and %d at least", silent, others, 2*most/8,
			325*most)
	}
}

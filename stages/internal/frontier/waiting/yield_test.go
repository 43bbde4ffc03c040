package waiting

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/traffic/visits"
)

// judge tells the state what answers of a host were worth.
func (c *crawl) judge(s *State, host, worth string, n int) {
	c.t.Helper()
	for i := range n {
		rec := urlbatch.New(fmt.Sprintf("http://%s/judged/%d", host, i))
		rec.Set(urlbatch.Worth, worth)
		if ok, err := s.Judged(rec); !ok || err != nil {
			c.t.Fatal(ok, err)
		}
	}
}

// TestYield: the mean goes by the last answers, over runs, and halves the turn of a host step by
// step.
func TestYield(t *testing.T) {
	c := newCrawl(t)
	for _, step := range []struct {
		worth    string
		n        int
		yield    float64
		halvings int
	}{
		{"1", 100, 1, 0},
		{"0.75", 1000, 0.75, 0},
		{"0.5", 1000, 0.5, 0},
		{"1", 1000, 1, 0},
		{"0", 21, 0.51, 0}, // (31/32)^21
		{"0", 2, 0.48, 1},
		{"0", 22, 0.24, 2},
		{"0", 22, 0.12, 3},
		{"0", 10_000, 0, mostHalvings},
		{"1", 100, 0.96, 0},
	} {
		c.run(func(s *State) {
			c.judge(s, "others.test", "1", 5000)
			c.judge(s, "a.test", step.worth, step.n)
			s.meta.worth = full
		})
		c.run(func(s *State) {
			hosts, _, err := s.Find("http://a.test/")
			if h := hosts["a.test"]; err != nil || math.Abs(h.Yield-step.yield) > 0.01 || h.Share != 1<<step.halvings {
				t.Errorf("%d answers worth %s: yield %.3f, one part of %d; want %.2f, and one of %d; %v", step.n,
					step.worth,
					h.Yield, h.Share, step.yield, 1<<step.halvings, err)
			}
		})
	}
}

// TestNoYield: what has no host has no yield.
func TestNoYield(t *testing.T) {
	c := newCrawl(t)
	c.run(func(s *State) {
		if ok, err := s.Judged(urlbatch.New("mailto:a")); ok || err != nil {
			t.Error(ok, err)
		}
	})
}

// TestTrap: in as many requests a crawl has more of the pages that are wanted where the traps are
// judged. A page of a trap leads to three more, one of another host to two.
func TestTrap(t *testing.T) {
	const healthy, traps, requests = 30, 15, 9000
	crawl := func(judged bool, plan Plan) (wanted int) {
		c := newCrawl(t)
		c.run(func(s *State) {
			for h := range healthy + traps {
				c.add(s, 0, fmt.Sprintf("http://h%d.test/1", h))
			}
		})
		for asked := 0; asked < requests; c.now = c.now.Add(plan.Longest) {
			c.run(func(s *State) {
				count := map[string]int64{}
				for _, url := range c.compose(s, plan) {
					asked++
					var h, page int
					if _, err := fmt.Sscanf(url, "http://h%d.test/%d", &h, &page); err != nil {
						t.Fatal(url, err)
					}
					host, links, worth := fmt.Sprintf("h%d.test", h), 2, "1"
					if h >= healthy {
						links, worth = 3, "0"
					} else {
						wanted++
					}
					depth := uint8(min(bits.Len(uint(page)), 60))
					for i := range links {
						c.add(s, depth, fmt.Sprintf("http://%s/%d", host, 2*page+i))
					}
					if judged {
						c.judge(s, host, worth, 1)
					}
					count[host]++
				}
				for host, n := range count {
					c.visit(s, visits.Visit{Host: host, Asked: n, Answered: n, Pause: 900 * time.Millisecond,
						Took: 100 * time.Millisecond})
				}
			})
		}
		return wanted
	}
	for _, plan := range []Plan{{Longest: 10 * time.Second, Most: 10_000}, {Longest: 10 * time.Second, Most: 100}} {
		without, with := crawl(false, plan), crawl(true, plan)
		t.Logf("at most %d URLs in a batch: %d of %d requests gave a wanted page, %d where traps are judged", plan.Most,
			without, requests, with)
		if 10*without > 7*requests || 100*with < 75*requests {
			t.Errorf("at most %d URLs in a batch: %d of %d requests gave a wanted page, and %d; want 70 %% at most,"+
				" and 75", plan.Most, without, requests, with)
		}
	}
}

// TestFewAreWanted: where one page of twenty is wanted everywhere, chance halves no host's turn,
// but for the host that has none.
func TestFewAreWanted(t *testing.T) {
	c, random := newCrawl(t), rand.New(rand.NewPCG(5, 6))
	c.run(func(s *State) {
		for range 1500 {
			for h := range 20 {
				worth := "0"
				if h > 0 && random.IntN(20) == 0 {
					worth = "1"
				}
				c.judge(s, fmt.Sprintf("h%d.test", h), worth, 1)
			}
		}
	})
	c.run(func(s *State) {
		for _, h := range c.hosts(s) {
			if h.Share > 1 != (h.Name == "h0.test") {
				t.Errorf("%s: a yield of %.3f, one part of %d of a turn", h.Name, h.Yield, h.Share)
			}
		}
	})
	c.run(func(s *State) { // a host that is new begins where all are
		c.judge(s, "new.test", "0", 20)
		for _, h := range c.hosts(s) {
			if h.Name == "new.test" && (h.Share > 1 || h.Yield > 0.1) {
				t.Errorf("%s: a yield of %.3f, one part of %d of a turn", h.Name, h.Yield, h.Share)
			}
		}
	})
}

// TestLowYieldAlone: hosts whose yield is low have their whole turns where no other has URLs.
func TestLowYieldAlone(t *testing.T) {
	c := newCrawl(t)
	c.run(func(s *State) {
		for _, host := range []string{"good.test", "low.test", "lower.test"} {
			c.visit(s, visits.Visit{Host: host, Asked: 1, Answered: 1, Pause: time.Second})
			c.add(s, 0, urlsOf(host, 30)...)
		}
		c.judge(s, "good.test", "1", 2000)
		c.judge(s, "low.test", "0", 30)
		c.judge(s, "lower.test", "0", 200)
	})
	var got []string
	lower := 0
	for range 4 {
		c.run(func(s *State) {
			count := map[byte]int{}
			for _, url := range c.compose(s, Plan{Longest: 10 * time.Second, Most: 100}) {
				count[url[len("http://")+3]]++ // d, . and e
			}
			if count['d'] > 0 {
				lower += count['e']
				count['e'] = 0
			}
			got = append(got, fmt.Sprint(count['d'], "/", count['.'], "/", count['e']))
		})
		c.now = c.now.Add(10 * time.Second)
	}
	if want := "10/5/0 10/5/0 10/5/0 0/10/10"; strings.Join(got, " ") != want || lower > 1 {
		t.Errorf("URLs of the hosts in batches: %q, and %d of lower.test; want %s, and 1 at most", got, lower, want)
	}
}

// TestLowYieldInSome: a host whose share of a turn is less than a URL has one in some of the batches,
// however short these are.
func TestLowYieldInSome(t *testing.T) {
	for _, turns := range []int{1, 2, 5, 20} {
		c := newCrawl(t)
		c.run(func(s *State) {
			for _, host := range []string{"good.test", "low.test"} {
				c.visit(s, visits.Visit{Host: host, Asked: 1, Answered: 1, Pause: time.Second})
				c.add(s, 0, urlsOf(host, 64*turns+1)...)
			}
			c.judge(s, "good.test", "1", 2000)
			c.judge(s, "low.test", "0", 96) // 32·ln(8) = 67, 32·ln(16) = 89: an eighth of its turn, or a 16th
		})
		count := map[byte]int{}
		for range 64 {
			c.run(func(s *State) {
				for _, url := range c.compose(s, Plan{Longest: time.Duration(turns) * time.Second, Most: 100}) {
					count[url[len("http://")]]++
				}
			})
			c.now = c.now.Add(time.Duration(turns) * time.Second)
		}
		if g, l := count['g'], count['l']; g != 64*turns || l < 3*turns || l > 9*turns {
			t.Errorf("turns of %d: %d URLs of good.test, %d of low.test; want %d, and a 16th to an 8th", turns, g, l,
				64*turns)
		}
	}
}

// TestLowYieldRisesLess: links lift a URL of a host whose yield is low by less.
func TestLowYieldRisesLess(t *testing.T) {
	c := newCrawl(t)
	c.orderOf("backlink")
	c.run(func(s *State) {
		c.judge(s, "good.test", "1", 1000)
		c.judge(s, "low.test", "0", 30) // a yield of 0.39: one halving
		for _, host := range []string{"low.test", "good.test"} {
			c.add(s, 63, "http://"+host+"/")
			for i := range 16 {
				c.link(s, fmt.Sprintf("http://%s/\tknown=1\tvia=http://c%d.test/", host, i))
			}
		}
	})
	c.run(func(s *State) {
		_, found, err := s.Find("http://low.test/", "http://good.test/")
		low, good := found["http://low.test/"], found["http://good.test/"]
		// 63·5/20 = 15.75
		if err != nil || len(low) != 1 || len(good) != 1 || good[0].Band != 63-15 || low[0].Band != 63-7 {
			t.Errorf("%+v, %+v, %v", low, good, err)
		}
	})
}

// TestOldRow: a row of version 1 has a yield of 1.
func TestOldRow(t *testing.T) {
	r := &row{name: "a.test", worth: 5}
	old := slices.Delete(r.pack(), 1, 2) // the number of queues, which it has behind the ready list
	old[0] = 1
	old = append(old[:len(old)-8], 0)
	var read row
	if err := read.unpack(old); err != nil || read.worth != 0 || read.name != "a.test" {
		t.Errorf("%+v, %v", read, err)
	}
	old[0] = rowVersion + 1
	if err := read.unpack(old); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("a row of a later version: %v", err)
	}
}

// TestNoneWantedYet: as long as no answer was worth anything, no host has less than the others; and what
// it gave by then does not count.
func TestNoneWantedYet(t *testing.T) {
	c := newCrawl(t)
	halvings := func(s *State) int {
		t.Helper()
		r, err := s.host([]byte("a.test"))
		if err != nil {
			t.Fatal(err)
		}
		return s.halvings(r)
	}
	c.run(func(s *State) {
		c.judge(s, "a.test", "0", 3)
		if n := halvings(s); n != 0 {
			t.Errorf("%d halvings, and nothing was wanted yet", n)
		}
		c.judge(s, "b.test", "1", 10)
		if n := halvings(s); n != 0 {
			t.Errorf("%d halvings after three answers", n)
		}
		c.judge(s, "a.test", "0", 1000)
		c.judge(s, "b.test", "1", 1000)
		if n := halvings(s); n == 0 {
			t.Error("no halving after a thousand answers worth nothing")
		}
	})
}

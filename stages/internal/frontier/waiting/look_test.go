package waiting

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/traffic/visits"
	"multitext/stages/internal/web/canon"
)

// found are the places of a URL, as "band better before", and its host.
func (c *crawl) found(url string) (h *Host, places []string) {
	c.t.Helper()
	c.rules.Now = c.now
	s, err := Open(listOf(c.t, c.Paths...), nil, c.rules)
	if err != nil {
		c.t.Fatal(err)
	}
	defer s.Close()
	hosts, all, err := s.Find(url, "http://a.test/never", "http://b.test/2")
	if err != nil {
		c.t.Fatal(err)
	}
	h = hosts[canon.Hostname(url)]
	for _, f := range all[url] {
		if line, _, _ := strings.Cut(string(f.Line), "\t"); line != url {
			c.t.Errorf("asked for %s, found %s", url, f.Line)
		}
		places = append(places, fmt.Sprint(f.Band, f.Better, f.Before))
	}
	return h, places
}

// TestFind: a URL is found where it waits, and as long as it does.
func TestFind(t *testing.T) {
	c := newCrawl(t)
	c.run(func(s *State) { c.add(s, 3, urlsOf("a.test", 30)...) })
	c.run(func(s *State) {
		c.add(s, 3, "https://a.test/1", "http://a.test:81/1", "http://a.test/2")
		c.add(s, 1, "http://a.test/x", "http://a.test/2")
		c.add(s, 2, "http://a.test/y")
		c.add(s, 70, "http://b.test/2")
	})
	for url, want := range map[string][]string{
		"http://a.test/1":    {"3 3 1"},
		"http://a.test/10":   {"3 3 10"},
		"http://a.test/2":    {"1 0 1", "3 3 2", "3 3 32"},
		"https://a.test/1":   {"3 3 30"},
		"http://a.test:81/1": {"3 3 31"},
		"http://a.test/":     nil,
		"http://b.test/1":    nil,
		"http://b.test/2":    {"70 0 0"},
	} {
		h, got := c.found(url)
		if !slices.Equal(got, want) || h == nil || !strings.Contains(url, h.Name) {
			t.Errorf("%s: host %v, found at %q, want %q", url, h, got, want)
		}
	}
	if h, got := c.found("http://c.test/"); h != nil || got != nil {
		t.Errorf("host %v, found at %q, and nothing of it ever came in", h, got)
	}
	c.run(func(s *State) { c.compose(s, Plan{Longest: 10 * time.Second, Most: 4}) })
	for url, want := range map[string][]string{"http://a.test/1": {"3 0 0"}, "http://a.test/x": nil,
		"http://a.test/2": {"3 0 1", "3 0 31"}} {
		if _, got := c.found(url); !slices.Equal(got, want) {
			t.Errorf("%s: found at %q, want %q", url, got, want)
		}
	}
}

// TestTurn: a URL is handed out for its turn, as it was told beforehand: not after it, and before it
// by no more than three batches take, for two may be planned ahead (Compose).
func TestTurn(t *testing.T) {
	const span = 10 * time.Second
	c := newCrawl(t)
	c.run(func(s *State) {
		c.add(s, 3, urlsOf("a.test", 60)...)
		c.add(s, 5, urlsOf("held.test", 5)...)
		c.visit(s, visits.Visit{Host: "a.test", Asked: 1, Answered: 1, Pause: time.Second,
			Took: 500 * time.Millisecond})
		c.visit(s, visits.Visit{Host: "held.test", Asked: 1, Answered: 1, Pause: time.Second,
			NotBefore: c.now.Add(time.Minute)})
	})
	turn := map[string]time.Time{}
	for _, url := range append(urlsOf("a.test", 60), urlsOf("held.test", 5)...) {
		h, places := c.found(url)
		var band int
		var better, before uint64
		if n, err := fmt.Sscan(strings.Join(places, " "), &band, &better, &before); n != 3 {
			t.Fatal(url, places, err)
		}
		turn[url] = h.After(better + before)
	}
	if at := turn["http://held.test/4"]; !at.Equal(c.now.Add(64 * time.Second)) {
		t.Errorf("the last of the held host has its turn after %v, want 64 s", at.Sub(c.now))
	}
	for began := c.now; len(turn) > 0; c.now = c.now.Add(time.Second) {
		if c.now.Sub(began) > 10*time.Minute {
			t.Fatalf("never handed out: %v", turn)
		}
		c.run(func(s *State) {
			for _, url := range c.compose(s, Plan{Longest: span, Most: 1000}) {
				if early := turn[url].Sub(c.now); early < -time.Second || early > 3*span {
					t.Errorf("%s is handed out %v before its turn", url, early)
				}
				delete(turn, url)
			}
		})
	}
}

// TestHosts: all hosts are shown, with what waits of each and when it is through.
func TestHosts(t *testing.T) {
	c := newCrawl(t)
	c.run(func(s *State) {
		c.add(s, 3, urlsOf("a.test", 3000)...)
		c.add(s, 5, urlsOf("b.test", 2)...)
		c.visit(s, visits.Visit{Host: "a.test", Asked: 9, Answered: 9, Pause: 2 * time.Second, Took: time.Second})
	})
	c.run(func(s *State) {
		c.visit(s, visits.Visit{Host: "c.test", Asked: 1, Failed: 1, Unreached: "head-timeout"})
	})
	s, err := Open(listOf(t, c.Paths...), nil, c.rules)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got []string
	err = s.Hosts(t.Context(), func(h *Host) error {
		got = append(got, fmt.Sprint(h.Name, " ", h.Waiting, h.Asked, h.Step, h.Silent, h.After(h.Waiting).Sub(c.now)))
		return nil
	})
	slices.Sort(got)
	want := []string{"a.test 3000 9 3s 0 2h30m0s", "b.test 2 0 1s 0 2s", "c.test 0 1 1s 1 10s"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, shown are %q, want %q", err, got, want)
	}
	if h := (Host{Step: time.Hour}); h.After(1<<63).Sub(h.Next) != farthest {
		t.Errorf("2^63 hours are %v", h.After(1<<63).Sub(h.Next))
	}
}

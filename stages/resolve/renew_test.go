package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestHostsOfOneAddress has many hosts on one server, which is not asked for more than a few
// robots.txt at once.
func TestHostsOfOneAddress(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{})
	var busy, most atomic.Int64
	slow := func(w http.ResponseWriter, _ *http.Request) {
		now := busy.Add(1)
		defer busy.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		time.Sleep(5 * time.Millisecond) // so that requests meet
	}
	var urls []string
	for i := range 40 {
		host := fmt.Sprintf("h%d.test", i)
		n.robots[host] = slow
		urls = append(urls, "http://"+host+":"+n.port()+"/")
	}
	res := n.resolve(t, strings.Join(urls, "\n"), "-allow-private", loopback, "-per-address-connections", "3")
	for _, u := range urls {
		res.check(t, u, "ready", "")
	}
	if got := most.Load(); got > 3 || got < 1 {
		t.Errorf("%d robots.txt were asked for at once", got)
	}
	most.Store(0)
	n.resolve(t, strings.Join(urls, "\n"), "-allow-private", loopback, "-per-address-connections", "0")
	if got := most.Load(); got < 4 {
		t.Errorf("without a bound %d were asked for at once: the test sees nothing", got)
	}
}

// TestAStuckAddressHoldsNobody has an address at which nobody gets an answer until the hosts of
// another one have theirs, though its own come first.
func TestAStuckAddressHoldsNobody(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{})
	var answered atomic.Int64
	all := make(chan struct{})
	n.listenAlso(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-all:
		case <-r.Context().Done():
		}
		w.WriteHeader(http.StatusNotFound)
	})
	var urls []string
	for i := range 30 {
		host := fmt.Sprintf("h%d.test", i)
		if i < 20 {
			n.leads(host, "127.0.0.2")
		} else {
			n.robots[host] = func(http.ResponseWriter, *http.Request) {
				if answered.Add(1) == 10 {
					close(all)
				}
			}
		}
		urls = append(urls, "http://"+host+":"+n.port()+"/")
	}
	res := n.resolve(t, strings.Join(urls, "\n"), "-allow-private", loopback, "-jobs", "6",
		"-per-address-connections", "2")
	for _, u := range urls {
		res.check(t, u, "ready", "")
	}
}

// TestRate holds that reading waits: at a byte a second no robots.txt comes in time.
func TestRate(t *testing.T) {
	n := newTestNet(t, map[string]http.HandlerFunc{"a.test": text("User-agent: *\n")})
	u := "http://a.test:" + n.port() + "/"
	res := n.resolve(t, u, "-allow-private", loopback, "-rate", "1B/s", "-robots-timeout", "500ms")
	res.check(t, u, "again", "")
	res = n.resolve(t, u, "-allow-private", loopback, "-rate", "1MB/s")
	res.check(t, u, "ready", "")
}

// TestTail holds that a run does not wait for one name after the other whose server drips, and that
// all other names are through.
func TestTail(t *testing.T) {
	t.Parallel()
	n := newTestNet(t, map[string]http.HandlerFunc{})
	n.listenAlso(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, "#")
			w.(http.Flusher).Flush()
			time.Sleep(50 * time.Millisecond)
		}
	})
	var urls []string
	for i := range 60 {
		host := fmt.Sprintf("h%d.test", i)
		if i < 40 {
			n.leads(host, "127.0.0.2")
		}
		urls = append(urls, "http://"+host+":"+n.port()+"/")
	}
	start := time.Now()
	res := n.resolve(t, strings.Join(urls, "\n"), "-allow-private", loopback, "-robots-timeout", "4s", "-tail", "500ms")
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("the run took %v, where ten times four names drip for 4 s", took)
	}
	for i, u := range urls {
		where := "ready"
		if i < 40 {
			where = "again"
		}
		res.check(t, u, where, "")
	}
	for _, m := range regexp.MustCompile(`(?m)^later \S+ (\S+)$`).FindAllStringSubmatch(res.report, -1) {
		if due, err := time.Parse(time.RFC3339, m[1]); err != nil || due.Before(start.Add(9*time.Second)) {
			t.Errorf("due %s, within 9 s of the start, where four names took over a second each", m[1])
		}
	}
	for _, want := range []string{"count no-time 36\n", "count robots-broken 4\n"} {
		if !strings.Contains(res.report, want) {
			t.Errorf("want %q in\n%s", want, res.report)
		}
	}
}

package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestTailCuts(t *testing.T) {
	start := time.Now()
	for _, tt := range []struct {
		after, at   time.Duration
		left, hosts int
		want        bool
	}{
		{30 * time.Second, 30 * time.Second, 49, 100, true},
		{30 * time.Second, 30 * time.Second, 50, 100, false},
		{30 * time.Second, 29 * time.Second, 1, 100, false},
		{30 * time.Second, time.Hour, 1, 3, true},
		{30 * time.Second, time.Hour, 1, 2, false},
		{0, time.Hour, 1, 100, false},
	} {
		if got := (tail{start, tt.after}).cuts(start.Add(tt.at), tt.left, tt.hosts); got != tt.want {
			t.Errorf("-tail %v, after %v, %d of %d hosts left: %v, want %v", tt.after, tt.at, tt.left, tt.hosts, got, tt.want)
		}
	}
}

// TestTailGoesToAgain holds that a run does not wait for the URLs of one slow host of many, and loses none of them, nor a try.
func TestTailGoesToAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	var lines strings.Builder
	for i := range 20 {
		lines.WriteString(s.line(fmt.Sprintf("quick%d.test", i), "/"))
	}
	for i := range 100 {
		lines.WriteString(s.line("slow.test", fmt.Sprint("/", i), "delay=300"))
	}
	res := fetch(t, lines.String(), "-tail", "1s", "-for", "1h")
	res.conserved(t, 120)
	for i := range 20 {
		res.check(t, fmt.Sprintf("http://quick%d.test/", i), "pages", 0, "")
	}
	res.check(t, "http://slow.test/0", "pages", 0, "")
	res.check(t, "http://slow.test/99", "again", 0, "")
	if !strings.Contains(res.report, "\ncount not-started ") || strings.Contains(res.report, "\nlater ") {
		t.Errorf("want URLs that were not started and are due at once in\n%s", res.report)
	}
}

// TestTailWaitsForFirstTurns holds that a host with a long delay is asked in each run, however soon that has nothing else to do.
func TestTailWaitsForFirstTurns(t *testing.T) {
	t.Parallel()
	s := newSite(t, faults)
	var lines strings.Builder
	for i := range 20 {
		lines.WriteString(s.line(fmt.Sprintf("quick%d.test", i), "/ok"))
	}
	for i := range 3 {
		lines.WriteString(s.line("slow.test", fmt.Sprint("/ok?", i), "delay=1500"))
	}
	res := fetch(t, lines.String(), "-tail", "1ms", "-for", "1h")
	res.conserved(t, 23)
	res.check(t, "http://slow.test/ok?0", "pages", 0, "")
	res.check(t, "http://slow.test/ok?2", "again", 0, "")
}

// TestTailWaitsForNoTurn holds that a run ends when -tail has come, not when the turn does that it does not use.
func TestTailWaitsForNoTurn(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "slow.test" {
			time.Sleep(50 * time.Millisecond)
		}
		fmt.Fprint(w, "hello")
	})
	var lines strings.Builder
	for i := range 20 {
		lines.WriteString(s.line(fmt.Sprintf("quick%d.test", i), "/"))
	}
	for i := range 3 {
		lines.WriteString(s.line("slow.test", fmt.Sprint("/", i), "delay=1"))
	}
	start := time.Now()
	res := fetch(t, lines.String(), "-tail", "2s", "-for", "1h", "-slowness", "1e6", "-max-delay", "60s")
	if took := time.Since(start); took > 40*time.Second {
		t.Errorf("the run took %v", took)
	}
	res.conserved(t, 23)
	res.check(t, "http://slow.test/0", "pages", 0, "")
	res.check(t, "http://slow.test/1", "again", 0, "")
}

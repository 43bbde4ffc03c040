package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/traffic/exchange"
)

// due returns how long from now the only part of again is due.
func (res *leavings) due(t *testing.T) time.Duration {
	t.Helper()
	_, line, _ := strings.Cut(res.report, "\nlater ")
	words := strings.Fields(line)
	if len(words) < 2 || strings.Contains(line, "\nlater ") {
		t.Fatalf("want one line later in\n%s", res.report)
	}
	at, err := time.Parse(time.RFC3339, words[1])
	if err != nil {
		t.Fatal(err)
	}
	return time.Until(at)
}

func TestRetryAfterHoldsTheHost(t *testing.T) {
	t.Parallel()
	s := newSite(t, faults)
	res := fetch(t, s.line("h.test", "/busy")+s.line("h.test", "/ok", "tries=1")+s.line("h.test", "/2"), "-for", "200s")
	res.conserved(t, 3)
	res.check(t, "http://h.test/busy", "again", 1, "")
	res.check(t, "http://h.test/ok", "again", 1, "") // not asked: no try charged
	res.check(t, "http://h.test/2", "again", 0, "")
	if got := s.hosts["h.test"].requests; got != 1 {
		t.Errorf("the host was asked %d times though it wanted peace", got)
	}
	if wait := res.due(t); wait < 110*time.Second || wait > 170*time.Second {
		t.Errorf("due in %v, want in 120 s or a little more", wait)
	}
	if want := "count host-held 2\n"; !strings.Contains(res.report, want) {
		t.Errorf("want %q in\n%s", want, res.report)
	}
}

// TestPatienceEnds holds that a URL is given up whose host has wanted to be left alone for too
// long, and that a clock which was wrong costs none.
func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t, faults)
	now := time.Now().Unix()
	lines := s.line("h.test", "/busy")
	for path, held := range map[string]int64{"/old": now - 7200, "/new": now - 60, "/never": now + 1e6, "/none": 0} {
		lines += s.line("h.test", path, fmt.Sprint("held=", held))
	}
	res := fetch(t, lines, "-patience", "1h")
	res.conserved(t, 5)
	res.check(t, "http://h.test/old", "failed", 0, "host-held")
	for path, since := range map[string]int64{"/new": now - 60, "/never": now, "/none": now} {
		u := "http://h.test" + path
		res.check(t, u, "again", 0, "")
		if got := res.record[u].Int(urlbatch.Held); got < since || got > since+600 {
			t.Errorf("%s is held since %d, want %d", u, got, since)
		}
	}
}

// TestShortRetryAfterIsWaitedFor holds that a host that wants peace for a moment gets it, and is
// then asked on by the same run.
func TestShortRetryAfterIsWaitedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	var times []time.Time
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		times = append(times, time.Now())
		if r.URL.Path == "/busy" {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	res := fetch(t, s.line("h.test", "/busy", "tries=3")+s.line("h.test", "/ok"), "-max-delay", "3s")
	res.check(t, "http://h.test/busy", "again", 4, "")
	// 40 s, and not 2: a server that always says so is asked ever more seldom
	if wait := res.due(t); wait < 20*time.Second {
		t.Errorf("due in %v after the fourth try", wait)
	}
	res.check(t, "http://h.test/ok", "pages", 0, "")
	if len(times) != 2 || times[1].Sub(times[0]) < 2*time.Second {
		t.Errorf("asked at %v", times)
	}
}

// TestBusyHostIsSlowed holds that a host that says 503 and no more is asked at half the pace each
// time, and is left alone when that is as slow as can be.
func TestBusyHostIsSlowed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, faults)
	res := fetch(t, crawl(s, []string{"h.test"}, 6), "-delay", "30ms", "-max-delay", "100ms")
	res.conserved(t, 6) // /0 … are not found: not busy
	if got := s.hosts["h.test"].requests; got != 6 {
		t.Errorf("%d requests of a host that is not busy, want 6", got)
	}
	s = newSite(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	res = fetch(t, crawl(s, []string{"h.test"}, 6), "-delay", "30ms", "-max-delay", "2s", "-slowness", "0", "-for",
		"20s")
	res.conserved(t, 6)
	// 30 ms → 1 s → 2 s, which is as slow as can be.
	v := s.hosts["h.test"]
	if v.requests != 2 || v.shortestGap < time.Second {
		t.Errorf("%d requests, a gap of %v at least; want 2, and 1 s", v.requests, v.shortestGap)
	}
	res.check(t, "http://h.test/0", "again", 1, "")
	res.check(t, "http://h.test/1", "again", 1, "")
	for i := 2; i < 6; i++ {
		res.check(t, fmt.Sprint("http://h.test/", i), "again", 0, "")
	}
	if wait := res.due(t); wait < 4*time.Minute || wait > 6*time.Minute {
		t.Errorf("due in %v, want in five minutes", wait)
	}
}

// TestHostIsEased holds that a host some of whose pages answer 503 is not held for it.
func TestHostIsEased(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/0" || r.URL.Path == "/2" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	res := fetch(t, crawl(s, []string{"h.test"}, 4), "-delay", "1ms", "-max-delay", "1500ms", "-slowness", "0")
	for i, place := range []string{"again", "pages", "again", "pages"} {
		res.check(t, fmt.Sprint("http://h.test/", i), place, int64(1-i%2), "")
	}
}

func TestBusy(t *testing.T) {
	for status, want := range map[int]string{200: "", 404: "", 500: "", 429: "too-many-requests",
		503: "service-unavailable"} {
		if got := busy(&exchange.Answer{Status: status}); got != want {
			t.Errorf("%d is busy %q, want %q", status, got, want)
		}
	}
}

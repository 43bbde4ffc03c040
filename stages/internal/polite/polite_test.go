package polite

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// start is the moment at which the runs of these tests begin.
func start() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func at(seconds float64) time.Time {
	return start().Add(time.Duration(seconds * float64(time.Second)))
}

func limits(delay time.Duration) Limits {
	return Limits{Start: start(), Deadline: at(60), Delay: delay}
}

// want asks Next at a second and checks the answer: an item, or "" and when to ask again
// (-1 for never by itself).
func want(t *testing.T, s *Schedule[string], second float64, item string, again float64) {
	t.Helper()
	got, when, ok := s.Next(at(second))
	wantAt := time.Time{}
	if again >= 0 {
		wantAt = at(again)
	}
	if got != item || ok != (item != "") || !ok && !when.Equal(wantAt) {
		t.Fatalf("Next at %v s = %q, at %v, %v; want %q, at %v", second, got, when, ok, item, wantAt)
	}
}

const none = -1

func TestHostCountsAsVisitedAtStart(t *testing.T) {
	s := New[string](limits(2 * time.Second))
	s.Add("a", 0, "a1")
	want(t, s, 0, "", 2)
	want(t, s, 1.9, "", 2)
	want(t, s, 2, "a1", none)
}

func TestDelayRunsFromTheEndOfARequest(t *testing.T) {
	s := New[string](limits(2 * time.Second))
	s.Add("a", 0, "a1")
	s.Add("a", 0, "a2")
	want(t, s, 2, "a1", none)
	want(t, s, 9, "", none) // one connection a host: a2 waits for Done
	s.Done("a", at(10))
	want(t, s, 10, "", 12)
	want(t, s, 12, "a2", none)
}

func TestWithoutDelayNothingWaits(t *testing.T) {
	s := New[string](limits(0))
	s.Add("a", 0, "a1")
	s.Add("a", 0, "a2")
	s.Add("b", 0, "b1")
	want(t, s, 0, "a1", none)
	want(t, s, 0, "b1", none)
	want(t, s, 0, "", none)
	s.Done("a", at(1))
	want(t, s, 1, "a2", none)
}

func TestCrawlDelayIsObeyedWhereLonger(t *testing.T) {
	s := New[string](limits(2 * time.Second))
	s.Add("slow", 5*time.Second, "s1")
	s.Add("quick", time.Second, "q1")
	want(t, s, 2, "q1", none)
	want(t, s, 2, "", 5)
	want(t, s, 5, "s1", none)
}

func TestSeveralConnectionsToAHost(t *testing.T) {
	l := limits(2 * time.Second)
	l.PerHost = 2
	s := New[string](l)
	for _, item := range []string{"a1", "a2", "a3"} {
		s.Add("a", 0, item)
	}
	want(t, s, 2, "a1", none)
	want(t, s, 2, "", 4) // starts are apart as well
	want(t, s, 4, "a2", none)
	want(t, s, 9, "", none) // two under way
	s.Done("a", at(10))
	want(t, s, 11, "", 12)
	s.Done("a", at(11.5)) // while the host waits for its turn: the turn moves
	want(t, s, 12, "", 13.5)
	want(t, s, 13.5, "a3", none)
}

func TestLongestWaitingGoesFirst(t *testing.T) {
	s := New[string](limits(time.Second))
	s.Add("c", 3*time.Second, "c1")
	s.Add("b", 0, "b1")
	s.Add("a", 2*time.Second, "a1")
	for _, item := range []string{"b1", "a1", "c1"} {
		want(t, s, 10, item, none)
	}
}

func TestHeldHostIsNotWaitedForBeyondTheDeadline(t *testing.T) {
	s := New[string](limits(0))
	s.Add("a", 0, "a1")
	s.Add("a", 0, "a2")
	s.Add("b", 0, "b1")
	want(t, s, 0, "a1", none)
	s.Hold("a", at(30))
	s.Done("a", at(1))
	want(t, s, 1, "b1", none)
	s.Done("b", at(2))
	want(t, s, 2, "", 30)
	s.Hold("a", at(60)) // the deadline itself is too late
	want(t, s, 2, "", none)
	if s.Active() != 0 {
		t.Errorf("active = %d, want 0", s.Active())
	}
	for item, when := range s.Rest() {
		if item != "a2" || !when.Equal(at(60)) {
			t.Errorf("rest = %q at %v, want a2 at %v", item, when, at(60))
		}
	}
}

func TestNothingStartsAfterTheDeadline(t *testing.T) {
	s := New[string](limits(0))
	s.Add("a", 0, "a1")
	want(t, s, 60, "", none)
}

func TestGiveUpAndRest(t *testing.T) {
	s := New[string](limits(0))
	for _, item := range []string{"b1", "a1", "b2", "a2"} {
		s.Add(item[:1], 0, item)
	}
	want(t, s, 0, "b1", none)
	if !s.Pending("b") || s.Pending("z") {
		t.Error("Pending is wrong")
	}
	if got := s.GiveUp("b"); !slices.Equal(got, []string{"b2"}) {
		t.Errorf("GiveUp = %q, want b2", got)
	}
	if s.Pending("b") {
		t.Error("the host has requests after GiveUp")
	}
	var rest []string
	for item, held := range s.Rest() {
		rest = append(rest, item)
		if !held.IsZero() {
			t.Errorf("%s is held until %v, but nobody held it", item, held)
		}
	}
	if !slices.Equal(rest, []string{"a1", "a2"}) {
		t.Errorf("Rest = %q, want a1 a2", rest)
	}
}

// TestRules plays random runs and checks the promises from outside: gaps, requests under
// way, the distance from the start, nothing lost.
func TestRules(t *testing.T) {
	for seed := range uint64(200) {
		play(t, rand.New(rand.NewPCG(seed, 1)))
	}
}

type running struct {
	host string
	end  time.Time
}

func play(t *testing.T, r *rand.Rand) {
	l := Limits{Start: start(), Deadline: at(100), Delay: time.Duration(r.IntN(4)) * time.Second, PerHost: 1 + r.IntN(3)}
	s := New[string](l)
	hosts := []string{"a", "b", "c", "d"}
	lastEnd, active := map[string]time.Time{}, map[string]int{}
	items := 20 + r.IntN(60)
	for range items {
		host := hosts[r.IntN(len(hosts))]
		s.Add(host, 0, host)
		lastEnd[host] = start()
	}
	var under []running
	started, now := 0, start()
	for {
		host, when, ok := s.Next(now)
		if ok {
			started++
			active[host]++
			if gap := now.Sub(lastEnd[host]); gap < l.Delay {
				t.Fatalf("%+v: gap of %v to %s", l, gap, host)
			}
			if active[host] > l.PerHost {
				t.Fatalf("%+v: %d requests under way to %s", l, active[host], host)
			}
			under = append(under, running{host, now.Add(time.Duration(r.IntN(5000)) * time.Millisecond)})
			continue
		}
		slices.SortFunc(under, func(a, b running) int { return a.end.Compare(b.end) })
		if len(under) > 0 && (when.IsZero() || under[0].end.Before(when)) {
			now = under[0].end
			s.Done(under[0].host, now)
			active[under[0].host]--
			lastEnd[under[0].host] = now
			under = under[1:]
			continue
		}
		if when.IsZero() {
			break
		}
		now = when
	}
	rest := 0
	for range s.Rest() {
		rest++
	}
	if started+rest != items || s.Active() != 0 {
		t.Fatalf("%+v: %d started, %d left of %d, %d active", l, started, rest, items, s.Active())
	}
}

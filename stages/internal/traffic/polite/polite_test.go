package polite

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// start is the moment at which the runs of these tests begin.
func start() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func at(seconds float64) time.Time {
	return start().Add(time.Duration(seconds*1000+0.5) * time.Millisecond)
}

func limits(delay time.Duration) Limits {
	return Limits{Start: start(), Deadline: at(60), Delay: delay}
}

// want asks Next at a second and checks the answer: an item, or "" and when to ask again
// (none for never by itself).
func want(t *testing.T, s *Schedule[string], second float64, item string, again float64) *Request[string] {
	t.Helper()
	return wantSearch(t, s, second, 1, everything, item, again)
}

func everything(string) bool { return true }

func wantSearch(t *testing.T, s *Schedule[string], second float64, depth int, fits func(string) bool, item string,
	again float64) *Request[string] {
	t.Helper()
	r, when := s.Search(at(second), depth, fits)
	wantWhen := time.Time{}
	if again >= 0 {
		wantWhen = at(again)
	}
	got := ""
	if r != nil {
		got = r.Item
	}
	if got != item || !when.Equal(wantWhen) {
		t.Fatalf("the request at %v s = %q, again at %v; want %q, at %v", second, got, when, item, wantWhen)
	}
	return r
}

// done ends r, which took no time, at a second.
func done(s *Schedule[string], r *Request[string], second float64) { s.Done(r, at(second), 0) }

// add queues requests without an address or a delay of their own, each to the host that its first
// letter names, large or small.
func add(s *Schedule[string], items ...string) {
	for _, item := range items {
		s.Add(strings.ToLower(item[:1]), netip.Addr{}, 0, item)
	}
}

const none = -1

func TestHostCountsAsVisitedAtStart(t *testing.T) {
	s := New[string](limits(2 * time.Second))
	add(s, "a1")
	want(t, s, 0, "", 2)
	want(t, s, 1.9, "", 2)
	want(t, s, 2, "a1", none)
}

func TestDelayRunsFromTheEndOfARequest(t *testing.T) {
	s := New[string](limits(2 * time.Second))
	add(s, "a1", "a2")
	r := want(t, s, 2, "a1", none)
	want(t, s, 9, "", none) // one connection a host: a2 waits for Done
	done(s, r, 10)
	want(t, s, 10, "", 12)
	want(t, s, 12, "a2", none)
}

func TestWithoutDelayNothingWaits(t *testing.T) {
	l := limits(0)
	l.Slowness, l.MaxDelay = 5, time.Minute
	s := New[string](l)
	add(s, "a1", "a2", "b1")
	r := want(t, s, 0, "a1", none)
	want(t, s, 0, "b1", none)
	want(t, s, 0, "", none)
	s.Done(r, at(1), time.Second)
	want(t, s, 1, "a2", none)
}

// TestWithoutDelayAHostKeepsItsPlace holds that one host after the other is asked for all it has
// where none waits, at one address or at several; and that those with a delay are asked in turn.
func TestWithoutDelayAHostKeepsItsPlace(t *testing.T) {
	for _, c := range []struct{ delay, addressDelay time.Duration }{{0, 0}, {0, time.Second}, {time.Second, 0}} {
		for _, addresses := range []int{1, 3} {
			l := limits(c.delay)
			l.AddressDelay = c.addressDelay
			s := New[string](l)
			for page := range 3 {
				for host := range 3 {
					a := netip.AddrFrom4([4]byte{192, 0, 2, byte(host % addresses)})
					s.Add(string(rune('a'+host)), a, 0, fmt.Sprint(string(rune('a'+host)), page))
				}
			}
			var order []string
			for second := 1.; len(order) < 9; second++ {
				r, _ := s.Next(at(second))
				if r == nil {
					t.Fatalf("%+v, %d addresses: nothing starts behind %v", c, addresses, order)
				}
				order = append(order, r.Item)
				done(s, r, second)
			}
			want := "a0 a1 a2 b0 b1 b2 c0 c1 c2"
			if c.delay > 0 || c.addressDelay > 0 && addresses > 1 {
				want = "a0 b0 c0 a1 b1 c1 a2 b2 c2"
			}
			if got := strings.Join(order, " "); got != want {
				t.Errorf("%+v, %d addresses: asked in the order %s, want %s", c, addresses, got, want)
			}
		}
	}
}

// TestWithoutDelayASlowHostHoldsNobodyUp holds that a host which is slow to answer goes behind the
// others, and one that is not does not.
func TestWithoutDelayASlowHostHoldsNobodyUp(t *testing.T) {
	s := New[string](limits(0))
	add(s, "a1", "a2", "a3", "b1", "b2", "c1")
	second := 1.
	for _, step := range []struct {
		item string
		took time.Duration
	}{{"a1", slowAnswer - 1}, {"a2", slowAnswer}, {"b1", time.Minute}, {"c1", 0}, {"a3", 0}, {"b2", 0}} {
		s.Done(want(t, s, second, step.item, none), at(second), step.took)
		second++
	}
}

func TestCrawlDelayIsObeyedWhereLonger(t *testing.T) {
	s := New[string](limits(2 * time.Second))
	s.Add("slow", netip.Addr{}, 5*time.Second, "s1")
	s.Add("quick", netip.Addr{}, time.Second, "q1")
	want(t, s, 2, "q1", none)
	want(t, s, 2, "", 5)
	want(t, s, 5, "s1", none)
}

func TestSlownessOfTheServer(t *testing.T) {
	l := limits(2 * time.Second)
	l.Slowness, l.MaxDelay = 5, 20*time.Second
	s := New[string](l)
	add(s, "a1", "a2", "a3", "a4")
	wantDone := func(r *Request[string], second float64, took, slow time.Duration) {
		t.Helper()
		if got := s.Done(r, at(second), took); got != slow {
			t.Errorf("an answer that took %v: slow by %v, want %v", took, got, slow)
		}
	}
	wantDone(want(t, s, 2, "a1", none), 2.1, 100*time.Millisecond, 0)
	want(t, s, 2.1, "", 4.1) // quick: the delay
	wantDone(want(t, s, 4.1, "a2", none), 5.1, time.Second, 5*time.Second)
	want(t, s, 5.1, "", 10.1) // slow: five times as long as it took
	wantDone(want(t, s, 10.1, "a3", none), 20.1, 10*time.Second, 20*time.Second)
	want(t, s, 20.1, "", 40.1) // but bounded
}

func TestSlow(t *testing.T) {
	l := limits(2 * time.Second)
	l.MaxDelay = 7 * time.Second
	s := New[string](l)
	add(s, "a1", "a2", "a3")
	s.Add("p", netip.Addr{}, 9*time.Second, "p1")
	done(s, want(t, s, 2, "a1", none), 3)
	s.Slow("a", at(3))
	want(t, s, 3, "", 7)
	done(s, want(t, s, 7, "a2", none), 8)
	s.Slow("a", at(8))
	s.Slow("p", at(8))    // more patient than MaxDelay already: stays so
	want(t, s, 8, "", 15) // doubled again, but bounded
	want(t, s, 15, "a3", none)
	want(t, s, 15, "", 17)
}

func TestEase(t *testing.T) {
	l := limits(2 * time.Second)
	l.MaxDelay = time.Minute
	s := New[string](l)
	add(s, "a1", "a2", "a3", "a4")
	r := want(t, s, 2, "a1", none)
	for range 2 {
		s.Slow("a", at(2))
	}
	done(s, r, 2) // 8 s
	r = want(t, s, 10, "a2", none)
	s.Ease("a")
	done(s, r, 10)
	want(t, s, 10, "", 18) // its turn was taken at the old pace
	r = want(t, s, 18, "a3", none)
	for range 5 {
		s.Ease("a")
	}
	done(s, r, 30)
	want(t, s, 30, "", 32) // never below its own delay
}

func TestSlowWithoutDelay(t *testing.T) {
	l := limits(0)
	l.MaxDelay = 7 * time.Second
	s := New[string](l)
	add(s, "a1", "a2")
	done(s, want(t, s, 0, "a1", none), 1)
	s.Slow("a", at(1))
	want(t, s, 1, "", 2)
	s.Ease("a")
	done(s, want(t, s, 2, "a2", none), 3)
	add(s, "a3")
	want(t, s, 3, "a3", none)
}

func TestSeveralConnectionsToAHost(t *testing.T) {
	l := limits(2 * time.Second)
	l.PerHost = 2
	s := New[string](l)
	add(s, "a1", "a2", "a3")
	a1 := want(t, s, 2, "a1", none)
	want(t, s, 2, "", 4) // starts are apart as well
	a2 := want(t, s, 4, "a2", none)
	want(t, s, 9, "", none) // two under way
	done(s, a1, 10)
	want(t, s, 11, "", 12)
	done(s, a2, 11.5) // while the host waits for its turn: the turn moves
	want(t, s, 12, "", 13.5)
	want(t, s, 13.5, "a3", none)
}

// Addresses of the tests.
var one, two = netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::2")

func TestAddressIsSharedByItsHosts(t *testing.T) {
	l := limits(time.Second)
	l.AddressDelay = 3 * time.Second
	s := New[string](l)
	for _, item := range []string{"a1", "b1", "c1"} {
		s.Add(item[:1], one, 0, item)
	}
	s.Add("d", two, 0, "d1")
	want(t, s, 1, "", 3) // an address, too, counts as visited at the start
	a1 := want(t, s, 3, "a1", none)
	want(t, s, 3, "d1", none)
	want(t, s, 3, "", 6)
	want(t, s, 6, "b1", none)
	done(s, a1, 7)
	want(t, s, 7, "", 10)
	want(t, s, 10, "c1", none)
}

func TestConnectionsToAnAddress(t *testing.T) {
	l := limits(0)
	l.PerAddress = 2
	s := New[string](l)
	for _, item := range []string{"a1", "a2", "b1", "c1", "c2"} {
		s.Add(item[:1], one, 0, item)
	}
	add(s, "x1") // of no known address: not counted
	a1 := want(t, s, 0, "a1", none)
	b1 := want(t, s, 0, "b1", none)
	want(t, s, 0, "x1", none)
	want(t, s, 0, "", none)
	done(s, b1, 1)
	want(t, s, 1, "c1", none) // its turn came at the start
	want(t, s, 1, "", none)
	done(s, a1, 2)
	want(t, s, 2, "a2", none)
}

func TestMayKeep(t *testing.T) {
	l := limits(0)
	l.PerAddress = 2
	s := New[string](l)
	for _, item := range []string{"a1", "a2", "b1"} {
		s.Add(item[:1], one, 0, item)
	}
	for _, item := range []string{"d1", "d2", "e1", "e2", "f1", "f2"} {
		s.Add(item[:1], two, 0, item)
	}
	add(s, "x1", "x2", "y1", "Y2") // y has two servers
	for _, item := range []string{"a1", "b1", "d1", "e1", "x1", "y1"} {
		r := want(t, s, 0, item, none)
		if keep := item == "a1" || item == "x1"; r.MayKeep(sameLetter) != keep {
			t.Errorf("MayKeep of %s = %v", item, !keep)
		}
	}
	l.PerHost = 2
	s = New[string](l)
	for _, item := range []string{"a1", "a2", "a3", "b1"} {
		s.Add(item[:1], one, 0, item)
	}
	if want(t, s, 0, "a1", none).MayKeep(sameLetter) {
		t.Error("two hosts keep two connections each, where two are the most")
	}
}

func sameLetter(a, b string) bool { return a[0] == b[0] }

// TestHostOfTwoAddresses holds that a host takes its turn once, wherever it is asked.
func TestHostOfTwoAddresses(t *testing.T) {
	l := limits(time.Second)
	l.AddressDelay = 4 * time.Second
	s := New[string](l)
	s.Add("a", one, 0, "a1")
	s.Add("a", two, 0, "a2")
	s.Add("b", one, 0, "b1")
	done(s, want(t, s, 4, "a1", none), 5)
	want(t, s, 5, "", 6)
	want(t, s, 6, "a2", none)
	want(t, s, 6, "", 9)
	want(t, s, 9, "b1", none)
}

func TestLongestWaitingGoesFirst(t *testing.T) {
	s := New[string](limits(time.Second))
	s.Add("c", one, 3*time.Second, "c1")
	s.Add("b", one, 0, "b1")
	s.Add("a", two, 2*time.Second, "a1")
	for _, item := range []string{"b1", "a1", "c1"} {
		want(t, s, 10, item, none)
	}
}

func TestSearch(t *testing.T) {
	var looked []string
	only := func(wanted string) func(string) bool {
		looked = nil
		return func(item string) bool { looked = append(looked, item); return item == wanted }
	}
	s := New[string](limits(time.Second))
	s.Add("a", one, 0, "a1")
	s.Add("b", one, 0, "b1") // behind a at its address: not looked at
	add(s, "c1", "d1", "e1")
	s.Add("f", two, 9*time.Second, "f1")
	wantSearch(t, s, 1, 2, only("d1"), "", none) // not within the depth
	if !slices.Equal(looked, []string{"a1", "c1"}) {
		t.Errorf("looked at %q", looked)
	}
	wantSearch(t, s, 1, 3, only("d1"), "d1", none)
	wantSearch(t, s, 1, 10, only("f1"), "", 9) // it may fit when its turn has come
	if !slices.Equal(looked, []string{"a1", "c1", "e1"}) {
		t.Errorf("looked at %q", looked)
	}
	for _, item := range []string{"a1", "b1", "c1", "e1"} {
		want(t, s, 1, item, none) // all kept their places
	}
}

// A search sees the requests in the order in which Next would take them, and changes nothing.
func TestSearchLooksInTheOrderOfNext(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := New[int](Limits{Start: start(), Deadline: at(60)})
		hosts := 1 + r.IntN(200)
		for i := range hosts {
			s.Add(fmt.Sprint("h", i), numbered(i), time.Duration(1+r.IntN(9))*time.Second, i)
		}
		depth := 1 + r.IntN(hosts)
		var looked []int
		if request, _ := s.Search(at(30), depth, func(i int) bool {
			looked = append(looked,
				i)
			return false
		}); request != nil {
			t.Fatal("nothing fits, and something was taken")
		}
		var taken []int
		for range depth {
			request, _ := s.Next(at(30))
			taken = append(taken, request.Item)
		}
		if !slices.Equal(looked, taken) {
			t.Fatalf("seed %d: looked at %v, Next took %v", seed, looked, taken)
		}
	}
}

func TestHeldHostIsNotWaitedForBeyondTheDeadline(t *testing.T) {
	s := New[string](limits(0))
	add(s, "a1", "a2", "b1")
	a1 := want(t, s, 0, "a1", none)
	s.Hold("a", at(30))
	done(s, a1, 1)
	done(s, want(t, s, 1, "b1", none), 2)
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
	add(s, "a1")
	want(t, s, 60, "", none)
}

func TestCutAndRest(t *testing.T) {
	s := New[string](limits(0))
	add(s, "b1", "a1", "b2", "a2", "b3", "b4")
	want(t, s, 0, "b1", none)
	if got := s.Cut("b", 1); !slices.Equal(got, []string{"b3", "b4"}) {
		t.Errorf("Cut = %q, want b3 b4", got)
	}
	if got := s.Cut("b", 0); !slices.Equal(got, []string{"b2"}) {
		t.Errorf("Cut = %q, want b2", got)
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
	s.Cut("a", 0) // a host that waited for its turn has none any more
	want(t, s, 0, "", none)
}

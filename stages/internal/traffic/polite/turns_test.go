package polite

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"
)

// A town is crawlers that ask the same hosts, each with a schedule and a clock of its own, and what
// the hosts see of them.
type town struct {
	*testing.T
	*rand.Rand
	limits   Limits
	skew     time.Duration // the most by which two clocks differ
	now      time.Time     // the true time
	crawlers []*townsman
	delays   map[string]time.Duration
	seen     map[string][]sight // by host, in order of time
}

type townsman struct {
	schedule *Schedule[string]
	ahead    time.Duration // of its clock
	wake     time.Time     // true time at which it looks again; zero: not by itself
	under    []underWay
	left     int
}

type underWay struct {
	request *Request[string]
	end     time.Time // true
}

type sight struct {
	crawler int
	at      time.Time
}

// newTown gives each of n crawlers so many URLs of each host.
func newTown(t *testing.T, r *rand.Rand, l Limits, n, urls int, delays map[string]time.Duration) *town {
	w := &town{T: t, Rand: r, limits: l, skew: 10 * time.Millisecond, delays: delays, seen: map[string][]sight{}}
	w.now = start()
	for i := range n {
		l.Peers, l.Turn = n, i
		c := &townsman{ahead: time.Duration(r.Int64N(int64(w.skew)))}
		l.Start, l.Deadline = w.now.Add(c.ahead), w.now.Add(1000*time.Hour)
		c.schedule, c.wake = New[string](l), w.now
		for range urls {
			for host, delay := range delays {
				c.schedule.Add(host, netip.Addr{}, delay, host)
				c.left++
			}
		}
		w.crawlers = append(w.crawlers, c)
	}
	return w
}

// live lets the crawlers crawl until nothing is left. took is how long an answer takes, late how
// much too late a crawler is woken; disturb may do things to a schedule before each look.
func (w *town) live(took, late func() time.Duration, disturb func(*Schedule[string], time.Time)) {
	for {
		i := w.first()
		if i < 0 {
			return
		}
		c := w.crawlers[i]
		own := w.now.Add(c.ahead)
		for len(c.under) > 0 && !c.under[0].end.After(w.now) {
			u := c.under[0]
			c.under = c.under[1:]
			c.schedule.Done(u.request, own, took())
		}
		disturb(c.schedule, own)
		for {
			r, again := c.schedule.Next(own)
			if r == nil {
				c.wake = time.Time{}
				if !again.IsZero() {
					c.wake = again.Add(late() - c.ahead)
				}
				break
			}
			c.left--
			w.seen[r.Item] = append(w.seen[r.Item], sight{i, w.now})
			c.under = append(c.under, underWay{r, w.now.Add(took())})
			slices.SortFunc(c.under, func(a, b underWay) int { return a.end.Compare(b.end) })
		}
	}
}

// first moves the time to the next thing that happens, and tells to whom.
func (w *town) first() (who int) {
	who = -1
	var when time.Time
	for i, c := range w.crawlers {
		next := c.wake
		if len(c.under) > 0 && (next.IsZero() || c.under[0].end.Before(next)) {
			next = c.under[0].end
		}
		if !next.IsZero() && (who < 0 || next.Before(when)) {
			who, when = i, next
		}
	}
	if who >= 0 && when.After(w.now) {
		w.now = when
	}
	return who
}

// inspect checks what the hosts have seen, and returns the least distance of two starts of
// different crawlers in delays of the host.
func (w *town) inspect(urls int) (least float64) {
	w.Helper()
	least = 1e9
	for host, seen := range w.seen {
		delay := max(w.delays[host], w.limits.Delay)
		if len(seen) != urls*len(w.crawlers) {
			w.Errorf("%s was asked %d times, want %d by each of %d", host, len(seen), urls, len(w.crawlers))
		}
		last := map[int]time.Time{}
		for i, s := range seen {
			if before, ok := last[s.crawler]; ok && s.at.Sub(before) < time.Duration(len(w.crawlers)-1)*delay {
				w.Errorf("%s was asked by crawler %d twice within %v", host, s.crawler, s.at.Sub(before))
			}
			last[s.crawler] = s.at
			if i > 0 && seen[i-1].crawler != s.crawler {
				least = min(least, float64(s.at.Sub(seen[i-1].at))/float64(delay))
			}
		}
		for i := len(w.crawlers); i < len(seen); i++ { // any so many intervals in a row
			if mean := seen[i].at.Sub(seen[i-len(w.crawlers)].at) / time.Duration(len(w.crawlers)); mean < delay/2 {
				w.Errorf("%s was asked %d times within %v", host, len(w.crawlers), mean*time.Duration(len(w.crawlers)))
			}
		}
	}
	return least
}

func nothing(*Schedule[string], time.Time) {}

// Sixteen crawlers that say nothing to each other keep half a delay apart, whatever the hosts ask
// for, and though they are woken late and their clocks differ a little.
func TestTurnsKeepTheDistance(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 7))
		delays := map[string]time.Duration{}
		for i := range 12 {
			delays[fmt.Sprint("h", i, ".example")] = time.Duration(r.IntN(20)) * 500 * time.Millisecond
		}
		w := newTown(t, r, Limits{Delay: time.Second, Slowness: 5, MaxDelay: 30 * time.Second}, 16, 10, delays)
		w.live(func() time.Duration { return time.Duration(r.IntN(400)) * time.Millisecond },
			func() time.Duration { return time.Duration(r.IntN(800)) * time.Millisecond },
			func(s *Schedule[string], now time.Time) {
				host := fmt.Sprint("h", r.IntN(12), ".example")
				switch r.IntN(30) {
				case 0:
					s.Slow(host, now)
				case 1:
					s.Ease(host)
				case 2:
					s.Hold(host, now.Add(time.Duration(r.IntN(60_000))*time.Millisecond))
				}
			})
		least := w.inspect(10)
		if bound := 0.5 - float64(w.skew)/float64(time.Second); least < bound {
			t.Errorf("seed %d: two crawlers asked a host %.3f delays apart; want at least %.3f", seed, least, bound)
		}
		if least > 0.9 {
			t.Errorf("seed %d: no two crawlers came nearer than %.3f delays; the bound was not tried", seed, least)
		}
	}
}

// Where the slots are longer than the delay a turn is good for several requests, which are the
// delay apart.
func TestTurnsOfShortDelays(t *testing.T) {
	const n, urls, delay = 16, 30, 20 * time.Millisecond
	r := rand.New(rand.NewPCG(2, 8))
	delays := map[string]time.Duration{"a.example": delay, "b.example": delay, "c.example": delay}
	w := newTown(t, r, Limits{Delay: delay}, n, urls, delays)
	w.live(func() time.Duration { return 2 * time.Millisecond },
		func() time.Duration { return time.Duration(r.IntN(5)) * time.Millisecond }, nothing)
	for host, seen := range w.seen {
		own := map[int]time.Time{}
		for i, s := range seen {
			if before, ok := own[s.crawler]; ok && s.at.Sub(before) < delay {
				t.Errorf("%s was asked twice within %v", host, s.at.Sub(before))
			}
			own[s.crawler] = s.at
			if i > 0 && seen[i-1].crawler != s.crawler && s.at.Sub(seen[i-1].at) < leastSlot/2-w.skew {
				t.Errorf("%s was asked by two within %v", host, s.at.Sub(seen[i-1].at))
			}
		}
		took := seen[len(seen)-1].at.Sub(start())
		if least, most := delay*n*urls, leastSlot*9/8*n*(urls/2+2); took < least || took > most {
			t.Errorf("%s was asked %d times in %v; want from %v to %v", host, len(seen), took, least, most)
		}
	}
}

// While servers answer fast and no crawler is late, each gets each of its turns: all are done after
// as many cycles as there are URLs, and one for the start. The crawlers share a host evenly at
// every moment.
func TestTurnsAreEven(t *testing.T) {
	const n, urls = 16, 20
	delays := map[string]time.Duration{"a.example": 7 * time.Second, "b.example": 30 * time.Second}
	for i := range 40 { // the slots of some are hardly longer than the delay
		delays[fmt.Sprint(i, ".example")] = time.Second
	}
	w := newTown(t, rand.New(rand.NewPCG(1, 8)), Limits{Delay: time.Second}, n, urls, delays)
	w.live(func() time.Duration { return 450 * time.Millisecond }, func() time.Duration { return 0 }, nothing)
	w.inspect(urls)
	for host, seen := range w.seen {
		slot := max(delays[host], time.Second)
		slot += slot / 8 // the longest
		if took, most := seen[len(seen)-1].at.Sub(start()), time.Duration(urls+1)*n*slot; took > most {
			t.Errorf("%s: %d requests of each crawler took %v; want at most %v", host, urls, took, most)
		}
		count := map[int]int{}
		for i, s := range seen {
			if count[s.crawler]++; count[s.crawler] > i/n+2 {
				t.Errorf("%s: crawler %d has made %d of %d requests", host, s.crawler, count[s.crawler], i+1)
			}
		}
	}
}

// Hosts at one address get their turns there, too, though most find another asked: none waits until
// the others have nothing left.
func TestTurnsAtOneAddress(t *testing.T) {
	const hosts, urls, peers = 40, 400, 16
	l := Limits{Start: start(), Deadline: start().Add(24 * time.Hour), Delay: time.Second,
		AddressDelay: 100 * time.Millisecond, PerAddress: 4, Peers: peers, Turn: 5}
	s := New[string](l)
	for range urls {
		for h := range hosts {
			s.Add(fmt.Sprint("h", h), netip.MustParseAddr("192.0.2.1"), 0, fmt.Sprint("h", h))
		}
	}
	count := map[string]int{}
	started := 0
	for now := start(); started < hosts*100; {
		r, again := s.Next(now)
		if r == nil {
			now = again
			continue
		}
		count[r.Item]++
		started++
		s.Done(r, now.Add(20*time.Millisecond), 0)
	}
	for h := range hosts {
		if n := count[fmt.Sprint("h", h)]; n < 50 {
			t.Errorf("host %d was asked %d times where the mean is 100", h, n)
		}
	}
}

// A crawler that is killed and started again keeps to its turns, and does not ask twice in one.
func TestTurnsAfterARestart(t *testing.T) {
	l := Limits{Delay: time.Second, Peers: 4, Turn: 1}
	var asked []time.Time
	for now, begun := start(), 0; begun < 200; begun++ {
		l.Start, l.Deadline = now, now.Add(time.Hour)
		s := New[string](l)
		s.Add("h", netip.Addr{}, 0, "h")
		s.Add("h", netip.Addr{}, 0, "h")
		r, again := s.Next(now)
		for r == nil {
			now = again
			r, again = s.Next(now)
		}
		asked = append(asked, now)
		now = now.Add(10 * time.Millisecond) // killed, and started
	}
	for i := 1; i < len(asked); i++ {
		if gap := asked[i].Sub(asked[i-1]); gap < 3*time.Second {
			t.Fatalf("asked %v apart; its turns are 4 s apart", gap)
		}
	}
}

// A host that says that it is asked too much loses every other of a crawler's requests at once, and
// a slow one is left alone as long as all crawlers together would leave it alone.
func TestTurnsAreMissed(t *testing.T) {
	l := Limits{Start: start(), Deadline: at(3600), Delay: time.Second, Slowness: 5, MaxDelay: 30 * time.Second,
		Peers: 4, Turn: 1}
	s := New[string](l)
	add(s, "a", "a", "a", "a")
	next := func(now time.Time) (*Request[string], time.Time) {
		r, again := s.Next(now)
		for r == nil {
			now = again
			r, again = s.Next(now)
		}
		return r, now
	}
	cycle := 4 * s.hosts["a"].turns.slot
	r, first := next(start())
	s.Done(r, first, 0)
	s.Slow("a", first)
	r, second := next(first)
	if gap := second.Sub(first); gap != 2*cycle {
		t.Errorf("a host that is asked too much is asked again after %v, want %v", gap, 2*cycle)
	}
	s.Ease("a")
	s.Done(r, second, time.Second)
	if _, third := next(second); third.Sub(second) < 20*time.Second || third.Sub(second) > 20*time.Second+cycle {
		t.Errorf("a host that took a second is asked again after %v; want 5 times as much, by 4 crawlers",
			third.Sub(second))
	}
}

// Without turns the crawlers share what a host bears by waiting longer, each by itself.
func TestPeersWithoutTurns(t *testing.T) {
	l := limits(2 * time.Second)
	l.Peers, l.Turn, l.Slowness, l.MaxDelay, l.PerAddress, l.AddressDelay = 4, -1, 5, 20*time.Second, 6,
		500*time.Millisecond
	l.Deadline = at(3600)
	s := New[string](l)
	add(s, "a", "A", "a")
	r := want(t, s, 0, "", 8)
	r = want(t, s, 8, "a", none)
	done(s, r, 9)
	r = want(t, s, 9, "", 17)
	r = want(t, s, 17, "A", none)
	if slow := s.Done(r, at(18), time.Second); slow != 20*time.Second { // 5 times, by 4
		t.Errorf("a slow host is left alone for %v", slow)
	}
	want(t, s, 18, "", 38)
	if s.limits.PerAddress != 1 || s.limits.AddressDelay != 2*time.Second {
		t.Errorf("at an address: %d requests at once, %v apart", s.limits.PerAddress, s.limits.AddressDelay)
	}
	if delay, slowest := s.Slow("a", at(18)); delay != 16*time.Second || slowest {
		t.Errorf("Slow: %v, %v", delay, slowest)
	}
	s.Slow("a", at(18))
	s.Slow("a", at(18))
	if delay, slowest := s.Slow("a", at(18)); delay != 80*time.Second || !slowest {
		t.Errorf("Slow at last: %v, %v", delay, slowest)
	}
}

// One crawler alone takes no turns, and none are taken where there is no delay.
func TestNoTurns(t *testing.T) {
	for name, turns := range map[string]*turns{
		"alone":    newTurns(Limits{Peers: 1, Turn: 0}, "h", time.Second),
		"by hand":  newTurns(Limits{Peers: 9, Turn: -1}, "h", time.Second),
		"no delay": newTurns(Limits{Peers: 9, Turn: 1}, "h", 0),
	} {
		if now := at(0.123); !turns.next(now).Equal(now) {
			t.Errorf("%s: %v is put off to %v", name, now, turns.next(now))
		}
	}
}

// Every moment is in the turn of one crawler or of none, and each crawler's next is found.
func TestEveryTurnIsSomebodys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 2000 {
		l := Limits{Peers: 2 + r.IntN(40)}
		host, delay := fmt.Sprint("h", r.IntN(50)), time.Duration(1+r.Int64N(int64(time.Minute)))
		now := time.Unix(r.Int64N(4e9), r.Int64N(1e9))
		on, nextOf := 0, map[int64]bool{}
		for l.Turn = range l.Peers {
			turns := newTurns(l, host, delay)
			next := turns.next(now)
			if next.Equal(now) {
				on++
			} else if turns.next(next.Add(-1)).Equal(next.Add(-1)) || !turns.next(next).Equal(next) {
				t.Fatalf("%v is not where a turn of %+v begins", next, turns)
			}
			if wait := next.Sub(now); wait < 0 || wait > turns.slot*time.Duration(l.Peers) {
				t.Fatalf("the next turn is in %v of %+v", wait, turns)
			}
			nextOf[int64(next.Sub(now)/turns.slot)] = true
		}
		if on > 1 || len(nextOf) < l.Peers-1 {
			t.Fatalf("%d crawlers have their turn at once, %d of %d slots begin", on, len(nextOf), l.Peers)
		}
	}
}

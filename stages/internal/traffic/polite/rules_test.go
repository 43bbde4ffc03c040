package polite

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"
)

// TestRules plays random runs and checks the promises from outside: gaps, requests under
// way, the distance from the start, nothing lost.
func TestRules(t *testing.T) {
	for seed := range uint64(300) {
		play(t, rand.New(rand.NewPCG(seed, 1)))
	}
}

// A party is a host or an address: what it was promised, and what it got.
type party struct {
	name   string
	gap    time.Duration // the least from an end to a start
	most   int           // requests under way; 0 is any number
	active int
	end    time.Time     // of the last request
	pause  time.Duration // after it, for it was slow
	held   time.Time     // until then it wants to be left alone
}

func (p *party) begin(t *testing.T, l Limits, now time.Time) {
	p.active++
	if gap := now.Sub(p.end); gap < max(p.gap, p.pause) {
		t.Fatalf("%+v: gap of %v to %+v", l, gap, *p)
	}
	if now.Before(p.held) {
		t.Fatalf("%+v: a request at %v to %+v", l, now, *p)
	}
	if p.most > 0 && p.active > p.most {
		t.Fatalf("%+v: too many requests under way to %+v", l, *p)
	}
}

// A visit is a request of the game.
type visit struct {
	host, address *party
	request       *Request[*visit]
	begin, end    time.Time
}

// A game is a random run.
type game struct {
	*testing.T
	*rand.Rand
	limits  Limits
	now     time.Time
	under   []*visit // way, the one that ends first in front
	started int

	hosts, addresses map[int]*party
}

func play(t *testing.T, r *rand.Rand) {
	g := &game{T: t, Rand: r, now: start(), hosts: map[int]*party{}, addresses: map[int]*party{}, limits: Limits{
		Start: start(), Deadline: at(100),
		Delay: time.Duration(r.IntN(4)) * time.Second, PerHost: 1 + r.IntN(3),
		Slowness: float64(r.IntN(3)), MaxDelay: 6 * time.Second,
		AddressDelay: time.Duration(r.IntN(3)) * time.Second, PerAddress: r.IntN(4),
	}}
	s := New[*visit](g.limits)
	items := 20 + r.IntN(60)
	g.fill(s, items)
	for !g.now.After(g.limits.Deadline) {
		if r.IntN(20) == 0 {
			g.disturb(s)
		}
		if v, again := s.Search(g.now, 1+r.IntN(3), func(*visit) bool { return r.IntN(4) > 0 }); v != nil {
			g.begin(v)
		} else if len(g.under) > 0 && (again.IsZero() || g.under[0].end.Before(again)) {
			g.endFirst(s)
		} else if again.IsZero() {
			g.now = g.now.Add(time.Second) // perhaps nothing fitted
		} else {
			g.now = again
		}
	}
	for len(g.under) > 0 {
		g.endFirst(s)
	}
	left := 0
	for range s.Rest() {
		left++
	}
	if g.started+left != items || s.Active() != 0 {
		t.Fatalf("%+v: %d started, %d left of %d, %d active", g.limits, g.started, left, items, s.Active())
	}
}

func (g *game) fill(s *Schedule[*visit], items int) {
	for range items {
		h := g.IntN(6)
		if g.hosts[h] == nil {
			g.hosts[h] = &party{name: fmt.Sprint("host ", h), gap: g.limits.Delay, most: g.limits.PerHost, end: start()}
		}
		g.add(s, &visit{host: g.hosts[h]})
	}
}

// add queues v at any of the addresses.
func (g *game) add(s *Schedule[*visit], v *visit) {
	a := g.IntN(3)
	if g.addresses[a] == nil {
		g.addresses[a] = &party{name: fmt.Sprint("address ", a), gap: g.limits.AddressDelay,
			most: g.limits.PerAddress, end: start()}
	}
	v.address = g.addresses[a]
	s.Add(v.host.name, netip.AddrFrom4([4]byte{192, 0, 2, byte(a)}), 0, v)
}

// disturb does to a host what answers and failures do: it is held, slowed, or asked for at other
// addresses.
func (g *game) disturb(s *Schedule[*visit]) {
	h := g.hosts[g.IntN(6)]
	if h == nil {
		return
	}
	switch g.IntN(4) {
	case 0:
		until := g.now.Add(time.Duration(g.IntN(5000)) * time.Millisecond)
		s.Hold(h.name, until)
		if until.After(h.held) {
			h.held = until
		}
	case 1:
		s.Slow(h.name, g.now)
	case 2:
		s.Ease(h.name)
	case 3:
		for _, v := range s.Cut(h.name, g.IntN(3)) {
			g.add(s, v)
		}
	}
}

func (g *game) begin(r *Request[*visit]) {
	v := r.Item
	v.request, v.begin, v.end = r, g.now, g.now.Add(time.Duration(g.IntN(5000))*time.Millisecond)
	v.host.begin(g.T, g.limits, g.now)
	v.address.begin(g.T, g.limits, g.now)
	g.started++
	g.under = append(g.under, v)
	slices.SortFunc(g.under, func(a, b *visit) int { return a.end.Compare(b.end) })
}

func (g *game) endFirst(s *Schedule[*visit]) {
	v := g.under[0]
	g.under = g.under[1:]
	g.now = v.end
	took := v.end.Sub(v.begin)
	s.Done(v.request, g.now, took)
	for _, p := range []*party{v.host, v.address} {
		p.active--
		p.end = g.now
	}
	if g.limits.Delay > 0 {
		v.host.pause = min(time.Duration(g.limits.Slowness*float64(took)), g.limits.MaxDelay)
	}
}

// TestLeft holds that hosts are counted as long as they have requests, and End ends all starts.
func TestLeft(t *testing.T) {
	s := New[int](Limits{Start: start(), Deadline: at(60)})
	left := func(hosts, unasked int) {
		t.Helper()
		if h, u := s.Left(); h != hosts || u != unasked {
			t.Errorf("%d hosts are left, %d unasked; want %d, %d", h, u, hosts, unasked)
		}
	}
	left(0, 0)
	for i := range 6 {
		s.Add(fmt.Sprint("h", i/2), netip.Addr{}, 0, i)
	}
	left(3, 3)
	s.Cut("h0", 1)
	left(3, 3)
	s.Cut("h0", 0)
	s.Cut("h0", 0)
	left(2, 2)
	r, _ := s.Next(at(1))
	left(2, 2) // one of which waits for the end of its first
	s.Done(r, at(2), 0)
	left(2, 1)
	r, _ = s.Next(at(2))
	s.Done(r, at(3), 0)
	s.Add("h0", netip.Addr{}, 0, 7)
	if r, _ = s.Next(at(3)); r == nil {
		t.Fatal("nothing starts")
	}
	s.Done(r, at(4), 0)
	h, u := s.Left()
	total := 0
	for range s.Rest() {
		total++
	}
	if total != 2 || h < 1 || u > h {
		t.Errorf("%d requests of %d hosts are left, %d unasked", total, h, u)
	}
	left(h, u)
	s.Add("h9", netip.Addr{}, 0, 8)
	left(h+1, u+1)
	s.Hold("h9", at(9)) // is waited for no more
	left(h+1, u)
	for h := range 3 {
		s.Cut(fmt.Sprint("h", h), 0)
	}
	if s.Due(at(8.9)) || !s.Due(at(9)) {
		t.Error("the turn of a host that is held until 9 s has come at 8.9 s, or not at 9 s")
	}
	h, u = 0, 0
	s.Add("h9", netip.Addr{}, 0, 9)
	s.Cut("h9", 0)
	left(h, u)
	s.End()
	if r, again := s.Next(at(5)); r != nil || !again.IsZero() {
		t.Errorf("after the end %v starts, or will at %v", r, again)
	}
	for i := range 3 {
		s.Cut(fmt.Sprint("h", i), 0)
	}
	left(0, 0)
}

// TestUnreached holds that a host which has not heard of its first request is still to be asked for
// the first time, but not if it is held.
func TestUnreached(t *testing.T) {
	s := New[string](limits(0))
	left := func(hosts, unasked int) {
		t.Helper()
		if h, u := s.Left(); h != hosts || u != unasked {
			t.Errorf("%d hosts are left, %d unasked; want %d, %d", h, u, hosts, unasked)
		}
	}
	add(s, "a1", "a2", "a3", "b1")
	done(s, want(t, s, 1, "a1", none), 1)
	left(2, 1)
	s.Unreached("a")
	s.Unreached("a") // no matter how often
	left(2, 2)
	done(s, want(t, s, 2, "a2", none), 2)
	left(2, 1)
	s.Hold("a", at(9))
	s.Unreached("a")
	left(2, 1)
	r := want(t, s, 3, "b1", none)
	left(1, 1) // it may come back with another address
	done(s, r, 3)
	left(1, 0)
	s.Unreached("b")
	left(1, 0)
	add(s, "b2")
	left(2, 1)
}

// BenchmarkNext is a request of a batch of many hosts on a tenth as many addresses.
func BenchmarkNext(b *testing.B) {
	for _, hosts := range []int{10, 100_000} {
		b.Run(fmt.Sprint(hosts, " hosts"), func(b *testing.B) {
			s := New[int](Limits{Start: start(), Deadline: start().AddDate(100, 0, 0), Delay: time.Second,
				AddressDelay: 100 * time.Millisecond, PerAddress: 4})
			name := make([]string, hosts)
			where := make([]netip.Addr, hosts)
			for i := range hosts {
				name[i], where[i] = fmt.Sprint("h", i), netip.AddrFrom4([4]byte{10, byte(i / 10 >> 16),
					byte(i / 10 >> 8), byte(i / 10)})
				s.Add(name[i], where[i], 0, i)
			}
			now := start()
			b.ReportAllocs()
			for b.Loop() {
				r, again := s.Next(now)
				if r == nil {
					now = again
					continue
				}
				s.Done(r, now, 10*time.Millisecond)
				s.Add(name[r.Item], where[r.Item], 0, r.Item)
			}
		})
	}
}

// BenchmarkBatch is a batch's whole way through a schedule: 200,000 requests, to few hosts or to
// many. What one costs in time and memory should not hang on that.
func BenchmarkBatch(b *testing.B) {
	const requests = 200_000
	for _, hosts := range []int{100, 1000, 100_000} {
		b.Run(fmt.Sprint("hosts=", hosts), func(b *testing.B) {
			names := make([]string, hosts)
			for i := range names {
				names[i] = fmt.Sprint("h", i)
			}
			b.ReportAllocs()
			for b.Loop() {
				s := New[int](Limits{Start: start(), Deadline: start().AddDate(1, 0, 0), Delay: time.Second,
					AddressDelay: time.Millisecond, PerAddress: 4})
				for i := range requests {
					s.Add(names[i%hosts], numbered(i%hosts/10), 0, i)
				}
				now := start()
				for done := 0; done < requests; {
					r, again := s.Next(now)
					if r == nil {
						now = again
						continue
					}
					s.Done(r, now.Add(time.Millisecond), time.Millisecond)
					done++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*requests), "ns/request")
		})
	}
}

func numbered(i int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
}

// BenchmarkSearch is a search in vain, among 10,000 hosts that could be asked.
func BenchmarkSearch(b *testing.B) {
	for _, depth := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint("depth ", depth), func(b *testing.B) {
			s := New[int](Limits{Start: start(), Deadline: at(60)})
			for i := range 10_000 {
				s.Add(fmt.Sprint("h", i), numbered(i), time.Duration(i*7919%10_000), i)
			}
			b.ReportAllocs()
			for b.Loop() {
				s.Search(at(30), depth, func(int) bool { return false })
			}
		})
	}
}

// BenchmarkMissedTurns is a search in vain among hosts of which nearly all have missed their turn,
// as when nothing could start for longer than a cycle of turns.
func BenchmarkMissedTurns(b *testing.B) {
	for _, hosts := range []int{1000, 30_000, 300_000} {
		b.Run(fmt.Sprint("hosts ", hosts), func(b *testing.B) {
			s := New[int](Limits{Start: start(), Deadline: start().AddDate(1, 0, 0), Delay: time.Second, Peers: 16})
			for i := range hosts {
				s.Add(fmt.Sprint("h", i), numbered(i), 0, i)
			}
			now := start()
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(time.Minute) // all have had a turn since
				s.Search(now, hosts, func(int) bool { return false })
			}
		})
	}
}

// TestPause holds that Pause is what lies between two requests to a host as things stand.
func TestPause(t *testing.T) {
	start := time.Unix(1795400000, 0)
	limits := Limits{Start: start, Deadline: start.Add(time.Hour), Delay: time.Second, Slowness: 5,
		MaxDelay: 30 * time.Second}
	peers, turns := limits, limits
	peers.Peers, peers.Turn = 4, -1
	turns.Peers, turns.Turn = 4, 1
	for name, tt := range map[string]struct {
		limits Limits
		delay  time.Duration // of robots.txt
		took   time.Duration
		slow   int // times that it is
		want   time.Duration
	}{
		"delay":       {limits, 0, 0, 0, time.Second},
		"crawl-delay": {limits, 3 * time.Second, 10 * time.Millisecond, 0, 3 * time.Second},
		"slow":        {limits, 0, 2 * time.Second, 0, 10 * time.Second},
		"slowest":     {limits, 0, time.Minute, 0, 30 * time.Second},
		"busy":        {limits, 0, 0, 2, 4 * time.Second},
		"peers":       {peers, 0, 0, 0, 4 * time.Second},
		"turns":       {turns, 0, 0, 0, newTurns(turns, "a.test", time.Second).cycle()},
		"slow turns":  {turns, 0, time.Second, 0, 20 * time.Second},
	} {
		s := New[string](tt.limits)
		s.Add("a.test", netip.Addr{}, tt.delay, "/")
		r, again := s.Next(start)
		for r == nil {
			r, again = s.Next(again)
		}
		s.Done(r, again, tt.took)
		for range tt.slow {
			s.Slow("a.test", again)
		}
		if got, ok := s.Pause("a.test"); got != tt.want || !ok {
			t.Errorf("%s: a pause of %v, %v, want %v", name, got, ok, tt.want)
		}
	}
	if pause, ok := New[string](limits).Pause("a.test"); pause != 0 || ok {
		t.Errorf("a host without requests: a pause of %v, %v", pause, ok)
	}
}

// TestNeeds: a run needs the time of its longest host, of those whose delay is not as long as nobody
// waits for.
func TestNeeds(t *testing.T) {
	s := New[int](Limits{Delay: time.Second})
	for i := range 3 {
		s.Add("a.test", netip.Addr{}, 0, i)
		s.Add("far.test", netip.Addr{}, time.Minute, i)
	}
	for patience, want := range map[time.Duration]time.Duration{time.Hour: 3 * time.Minute,
		time.Minute: 3 * time.Second,
		time.Second: 0} {
		if got := s.Needs(patience); got != want {
			t.Errorf("with a patience of %v the run needs %v, want %v", patience, got, want)
		}
	}
}

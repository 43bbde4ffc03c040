package load

import (
	"fmt"
	"testing"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/segment"
)

// noon is the beginning of a slot.
func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// A store is a state in memory.
type store map[uint64][]byte

func (s store) get(key uint64) ([]byte, bool, error) {
	value, ok := s[key]
	return value, ok, nil
}

// run is a run at now that has URLs of the hosts: do gets its ledger, and what it changed is kept.
func (s store) run(t *testing.T, hash *keyed.Hash, now time.Time, share float64, hosts []string, do func(*Ledger)) {
	t.Helper()
	l, err := New(now, share, 1, hash, s.get)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range hosts {
		if err := l.Meet(host); err != nil {
			t.Fatal(err)
		}
	}
	do(l)
	var b segment.Entries
	l.Entries(&b)
	for i, key := range b.Keys {
		s[key] = b.Values[i]
	}
}

func names(n int) (hosts []string) {
	for i := range n {
		hosts = append(hosts, fmt.Sprint("h", i))
	}
	return hosts
}

func TestRule(t *testing.T) {
	for _, c := range []struct {
		name  string
		hosts int
		each  int // requests of each in the last hour
		share float64
		room  int
	}{
		{"one host", 1, 3000, 0.002, 83_333 - 3000},
		{"three hosts", 3, 3000, 0.002, 27_777 - 3000},
		{"twenty", 20, 1000, 0.002, 4166 - 1000},
		{"a thousand, few requests", 1000, 10, 0.002, 83 - 10},
		{"three thousand, as many as in the paper", 3000, 14, 0.002, 84 - 14}, // 42,000 · 0.002
		{"two thousand, twice as many", 2000, 42, 0.002, 168 - 42},
		{"another share", 2000, 42, 0.01, 840 - 42},
		{"no bound", 1000, 100, 0, 1<<30 - 100},
		{"nearly all is used up", 1000, 80, 0.002, 160 - 80},
	} {
		s, hosts := store{}, names(c.hosts)
		s.run(t, nil, noon(), c.share, hosts, func(l *Ledger) {
			for _, host := range hosts {
				for range c.each {
					l.Count(host, noon())
				}
			}
		})
		s.run(t, nil, noon().Add(time.Minute), c.share, hosts, func(l *Ledger) {
			if n, _ := l.Room("h0", noon().Add(time.Minute)); n != c.room {
				t.Errorf("%s: room for %d, want %d", c.name, n, c.room)
			}
		})
	}
}

// TestPeers holds that crawlers together give a host what one alone would, each its part: of what
// they are reckoned to make, and of what they make.
func TestPeers(t *testing.T) {
	for _, c := range []struct{ peers, each, room int }{
		{1, 0, 83}, {16, 0, 5}, {16, 2, 5 - 2}, {2, 30, 60 - 30}, {100_000, 0, 1},
	} {
		s, hosts := store{}, names(1000)
		l, err := New(noon(), 0.002, c.peers, nil, s.get)
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range hosts {
			if err := l.Meet(host); err != nil {
				t.Fatal(err)
			}
			for range c.each {
				l.Count(host, noon())
			}
		}
		if n, _ := l.Room("h0", noon()); n != c.room {
			t.Errorf("%+v: room for %d", c, n)
		}
	}
}

// TestRoomReturns holds that a host has room again when the hour has passed, and is told so.
func TestRoomReturns(t *testing.T) {
	s, hosts := store{}, names(1000)
	s.run(t, nil, noon(), 0.002, hosts, func(l *Ledger) {
		for range 50 {
			l.Count("h0", noon())
		}
		for range 50 {
			l.Count("h0", noon().Add(6*time.Minute))
		}
	})
	for _, c := range []struct {
		minutes float64
		room    int
		wait    time.Duration
	}{
		{10, 0, Longest},
		{54, 0, 6 * time.Minute},
		{59, 0, time.Minute},
		{60, 33, Longest},
		{64.5, 33, Longest},
		{65, 83, Longest},
	} {
		now := noon().Add(time.Duration(c.minutes * float64(time.Minute)))
		s.run(t, nil, now, 0.002, hosts, func(l *Ledger) {
			if n, wait := l.Room("h0", now); n != c.room || wait != c.wait {
				t.Errorf("after %v minutes: room for %d, wait %v; want %d, %v", c.minutes, n, wait, c.room, c.wait)
			}
		})
	}
}

// TestHold holds that a host that wants to be left alone is, by the next run, too.
func TestHold(t *testing.T) {
	s := store{}
	s.run(t, nil, noon(), 0.002, []string{"a", "b"}, func(l *Ledger) {
		l.Hold("a", noon().Add(20*time.Minute+time.Millisecond))
		l.Hold("a", noon().Add(10*time.Minute)) // does not shorten it
	})
	s.run(t, nil, noon(), 0.002, []string{"a", "b"}, func(l *Ledger) {
		if until := l.Held("a"); until.Before(noon().Add(20*time.Minute+time.Millisecond)) ||
			until.After(noon().Add(20*time.Minute+2*time.Second)) {
			t.Errorf("held until %v", until)
		}
		if until := l.Held("b"); !until.IsZero() {
			t.Errorf("b is held until %v", until)
		}
	})
}

// TestBigHostAmongMany plays four hours of a crawl that has more URLs of one host than of its 600
// others together: in no hour does that get more than the rule says, and it gets most of it.
func TestBigHostAmongMany(t *testing.T) {
	s, hosts := store{}, append(names(600), "big")
	var asked []time.Time // when the big one was
	for minute := 0; minute < 240; minute += 6 {
		now := noon().Add(time.Duration(minute) * time.Minute)
		s.run(t, nil, now, 0.002, hosts, func(l *Ledger) {
			n, _ := l.Room("big", now)
			for range min(n, 5000) {
				l.Count("big", now)
				asked = append(asked, now)
			}
			for _, host := range hosts[:600] {
				for range 8 { // 48,000 an hour in all
					l.Count(host, now)
				}
			}
		})
	}
	const limit = 48_200 * 2 / 601
	for i, from := range asked {
		in := 0
		for _, at := range asked[i:] {
			if at.Sub(from) < 55*time.Minute {
				in++
			}
		}
		if in > limit {
			t.Fatalf("%d requests to one host in the hour from %v, want at most %d", in, from, limit)
		}
	}
	if len(asked) < 4*limit*8/10 {
		t.Errorf("only %d requests in four hours, of %d an hour", len(asked), limit)
	}
}

// TestCrawlThatNarrows holds that a crawl of which but one host is left is not held up for an hour.
func TestCrawlThatNarrows(t *testing.T) {
	s, hosts := store{}, names(200)
	s.run(t, nil, noon(), 0.002, hosts, func(l *Ledger) {
		for _, host := range hosts {
			for range 20 {
				l.Count(host, noon())
			}
		}
		for range 400 {
			l.Count("h0", noon())
		}
	})
	for _, c := range []struct {
		minute int
		room   bool
	}{{1, false}, {14, false}, {15, true}} {
		now := noon().Add(time.Duration(c.minute) * time.Minute)
		s.run(t, nil, now, 0.002, hosts[:1], func(l *Ledger) {
			if n, _ := l.Room("h0", now); n > 0 != c.room {
				t.Errorf("after %d minutes there is room for %d", c.minute, n)
			}
		})
	}
	quarter := noon().Add(15 * time.Minute)
	// both are being asked, though not for a quarter of an hour
	s.run(t, nil, quarter, 0.002, hosts[:2], func(l *Ledger) {
		if n, _ := l.Room("h1", quarter); n != 41_666-20 {
			t.Errorf("one of two hosts has room for %d", n)
		}
	})
}

// TestClockPutBack holds that what was noted by a clock that was wrong is forgotten.
func TestClockPutBack(t *testing.T) {
	s := store{}
	wrong := noon().AddDate(1, 0, 0)
	s.run(t, nil, wrong, 0.002, names(1000), func(l *Ledger) {
		for range 60_000 {
			l.Count("h0", wrong)
		}
		l.Hold("h0", wrong.Add(time.Hour))
		l.Hold("h1", wrong.Add(time.Hour))
	})
	s.run(t, nil, noon(), 0.002, names(1000), func(l *Ledger) {
		if n, _ := l.Room("h0", noon()); n != 83 || !l.Held("h0").IsZero() || !l.Held("h1").IsZero() {
			t.Errorf("room for %d, held until %v and %v", n, l.Held("h0"), l.Held("h1"))
		}
		l.Count("h0", noon())
		l.Count("h0", noon().Add(-time.Hour)) // within a run: counted as now
		if n, _ := l.Room("h0", noon()); n != 81 {
			t.Errorf("room for %d", n)
		}
	})
}

// TestNothingToSay holds that a run which asked nobody changes nothing.
func TestNothingToSay(t *testing.T) {
	s := store{}
	s.run(t, nil, noon(), 0.002, names(3), func(*Ledger) {})
	if len(s) > 0 {
		t.Errorf("%d entries", len(s))
	}
}

func BenchmarkMeetAndCount(b *testing.B) {
	hosts := names(1000)
	s := store{}
	for b.Loop() {
		l, err := New(noon(), 0.002, 1, nil, s.get)
		if err != nil {
			b.Fatal(err)
		}
		for _, host := range hosts {
			l.Meet(host)
		}
		for _, host := range hosts {
			l.Room(host, noon())
			l.Count(host, noon())
		}
	}
}

package waiting

import (
	"fmt"
	"testing"
	"time"
)

// TestLength: a batch is as long as it pays to wait for. A large host among small ones makes it no
// longer, nor does a slow one among fast ones.
func TestLength(t *testing.T) {
	const doubtful = 3_600_000                   // it did not answer
	type host struct{ hosts, urls, step uint64 } // step 0: it was never asked
	for name, c := range map[string]struct {
		hosts       []host
		least, most int64
	}{
		"one URL a host":         {[]host{{60, 1, 1000}}, 1000, 1500},
		"and a large host":       {[]host{{60, 1, 1000}, {1, 10_000, 1000}}, 1000, 1500},
		"twenty URLs a host":     {[]host{{60, 20, 1000}}, 16_000, 24_000},
		"some with many":         {[]host{{60, 20, 1000}, {3, 1000, 1000}}, 16_000, 24_000},
		"half with many":         {[]host{{30, 20, 1000}, {30, 1000, 1000}}, 16_000, 60_000},
		"many for all":           {[]host{{60, 1000, 1000}}, 60_000, 60_000},
		"and a full batch":       {[]host{{4000, 1000, 1000}}, 8_000, 12_000},
		"fast ones":              {[]host{{60, 10, 100}}, 1000, 1500},
		"and slow ones":          {[]host{{60, 10, 100}, {60, 10, 10_000}}, 1000, 1500},
		"strangers":              {[]host{{60, 1, 0}}, 1000, 1500},
		"and doubtful ones":      {[]host{{60, 10, 100}, {1000, 10, doubtful}}, 1000, 1500},
		"nothing that is known":  {nil, 1000, 1000},
		"one host and one alone": {[]host{{1, 5000, 1000}}, 60_000, 60_000},
	} {
		s := &State{rules: Rules{Pause: time.Second}}
		for _, h := range c.hosts {
			for range h.hosts {
				r := &row{silent: uint32(h.step / doubtful), asked: min(h.step, 1), pause: uint32(h.step)}
				r.queues = []queue{{tail: h.urls}}
				s.count(r)
			}
		}
		if got := s.lengthOf(Plan{Longest: time.Minute}, 40_000); got < c.least || got > c.most {
			t.Errorf("%s: %d ms, want %d to %d", name, got, c.least, c.most)
		}
	}
}

// TestCrumbs: while a batch is under way, no other is handed out that fetches less than half as much
// in a time; when it is over, one is, and where nothing runs.
func TestCrumbs(t *testing.T) {
	t.Run("over", func(t *testing.T) { crumbs(t, time.Minute, func(*State) {}) })
	t.Run("nothing runs", func(t *testing.T) { crumbs(t, 0, (*State).NothingRuns) })
}

func crumbs(t *testing.T, wait time.Duration, then func(*State)) {
	c := newCrawl(t)
	plan := Plan{Longest: time.Minute, Most: 10_000}
	c.run(func(s *State) {
		for h := range 50 {
			c.add(s, 0, urlsOf(fmt.Sprintf("h%d.test", h), 4)...)
		}
		if n := len(c.compose(s, plan)); n < 50 {
			t.Errorf("%d URLs", n)
		}
	})
	c.now = c.now.Add(time.Second)
	c.run(func(s *State) {
		c.add(s, 0, urlsOf("late.test", 4)...)
		if n := len(c.compose(s, plan)); n != 0 {
			t.Errorf("%d URLs are handed out while the batch is under way", n)
		}
		if at, ok, err := s.Wake(); !ok || err != nil || at.Sub(c.now) < time.Second || at.Sub(c.now) > time.Minute {
			t.Errorf("wake at %v, %v, %v", at.Sub(c.now), ok, err)
		}
	})
	c.now = c.now.Add(wait)
	c.run(func(s *State) {
		then(s)
		if n := len(c.compose(s, plan)); n != 4 {
			t.Errorf("%d URLs when it is over, want 4", n)
		}
	})
}

// TestGrowth: what the first batch brings counts wholly, that of later ones by halves.
func TestGrowth(t *testing.T) {
	m := &meta{entered: 1}
	m.handOut(1)
	for i, want := range []float64{20_000, 11_000, 10_500} {
		m.entered += []uint64{20, 10, 50}[i]
		if m.handOut(5); m.growth() != want {
			t.Errorf("after %d batches %v URLs come in for a thousand, want %v", i+2, m.growth(), want)
		}
	}
}

// TestSlowLength: batches of slow hosts are longer than others would be of the same hosts.
func TestSlowLength(t *testing.T) {
	length := map[Lane]int64{}
	for lane := range map[Lane]bool{Main: true, Slow: true} {
		s := &State{rules: Rules{Pause: time.Second, Slow: time.Second}}
		for i := range 60 {
			r := &row{asked: 1, pause: 1500, slow: lane == Slow}
			if r.queues = []queue{{tail: 1}}; i%6 > 0 {
				r.pause, r.queues[0].tail = 8000, 20
			}
			s.count(r)
		}
		length[lane] = s.lengthOf(Plan{Lane: lane, Longest: 10 * time.Minute}, 10_000)
	}
	if length[Main] > 3000 || length[Slow] < 60_000 {
		t.Errorf("%d ms, and %d ms of slow hosts", length[Main], length[Slow])
	}
}

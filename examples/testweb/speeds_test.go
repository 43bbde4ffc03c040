package main

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestSpeedsAreSpreadOverTheRange(t *testing.T) {
	s := speeds{1000, 1_000_000}
	decades := map[int]int{}
	for host := range 300 {
		v := s.of(1, host)
		if v < 1000 || v > 1_000_000 || v != s.of(1, host) {
			t.Fatalf("host %d has the speed %g, then %g", host, v, s.of(1, host))
		}
		for decade := 1; decade <= 3; decade++ {
			if v < 1000*[]float64{1, 10, 100, 1001}[decade] {
				decades[decade]++
				break
			}
		}
	}
	for decade := 1; decade <= 3; decade++ {
		if decades[decade] < 70 || decades[decade] > 130 {
			t.Errorf("%d of 300 hosts are in decade %d, want about 100", decades[decade], decade)
		}
	}
	if s.of(1, 7) == s.of(2, 7) || (speeds{}).of(1, 7) != 0 {
		t.Error("the seed does not matter, or no speed is one")
	}
}

// TestPacer sends 100,000 bytes at 20,000 a second: they take 5 s, and at no moment
// are more on their way than the speed allows.
func TestPacer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		p, left := &pacer{speed: 20_000, start: start}, 100_000
		for left > 0 {
			n := p.piece(left)
			p.wait(t.Context(), n)
			left -= n
			if sent, most := 100_000-left, 20_000*time.Since(start).Seconds(); float64(sent) > most+1 {
				t.Fatalf("%d bytes are sent after %s", sent, time.Since(start))
			}
		}
		if took := time.Since(start).Round(time.Millisecond); took != 5*time.Second {
			t.Errorf("it took %s, want 5s", took)
		}
	})
}

// TestSlowHostSendsTheWholeBody compares an answer with that of a host without a speed.
func TestSlowHostSendsTheWholeBody(t *testing.T) {
	web := newSynthetic(shape{hosts: 1, pages: 3, seed: 1})
	_, slow := startWith(t, web, &options{faults: newFaults(), speeds: speeds{100_000, 100_000},
		listen: []string{"127.0.0.1:0"}})
	_, fast := start(t, web, newFaults())
	_, want := get(t, fast, "http://h000.test/")
	began := time.Now()
	_, got := get(t, slow, "http://h000.test/")
	if got != want {
		t.Errorf("the slow host sends %d bytes, the fast one %d", len(got), len(want))
	}
	if least := time.Duration(len(got)) * time.Second / 100_000; time.Since(began) < least {
		t.Errorf("%d bytes at 100,000 a second took %s", len(got), time.Since(began))
	}
}

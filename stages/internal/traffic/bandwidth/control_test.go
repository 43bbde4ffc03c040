package bandwidth

import (
	"net/netip"
	"testing"
	"time"
)

func after(seconds float64) time.Time {
	return noon().Add(time.Duration(seconds * float64(time.Second)))
}

func fits(c Control, now time.Time, server netip.Addr) bool { return c.Search(now)(server) }

func TestMeter(t *testing.T) {
	m := newMeter(time.Second)
	m.add(after(0), 1000)
	m.add(after(0.5), 500)
	for _, test := range []struct{ at, want float64 }{{0.5, 1500}, {0.94, 1500}, {1, 500}, {1.44, 500}, {1.5, 0}, {9,
		0}} {
		if got := m.rate(after(test.at)); got != test.want {
			t.Errorf("at %v s the rate is %v, want %v", test.at, got, test.want)
		}
	}
	m.add(after(9), 700)
	m.add(after(3), 100) // the clock has gone back
	if got := m.rate(after(3)); got != 800 {
		t.Errorf("after the clock has gone back the rate is %v, want 800", got)
	}
	if got := m.rate(after(9.5)); got != 800 {
		t.Errorf("when it comes there again the rate is %v, want 800", got)
	}
}

func TestOnOff(t *testing.T) {
	c := NewOnOff(1000)
	if !fits(c, after(0), address(1)) {
		t.Error("off before anything came")
	}
	c.Received(after(0.1), 1000)
	if fits(c, after(0.2), address(1)) {
		t.Error("on at the limit")
	}
	if !fits(c, after(1.2), address(1)) {
		t.Error("off when a second has passed")
	}
}

// Every download gives 700 bytes a second: 14 of them are 9800.
func TestConnectionsFindTheNumber(t *testing.T) {
	c := NewConnections(10_000, 64)
	active := 0
	for step := range 600 { // a minute
		now := after(float64(step) / 10)
		for fits(c, now, address(1)) {
			c.Start(now, address(1))
			active++
		}
		for active > int(c.allowed) {
			c.End(now, Download{}, 1)
			active--
		}
		c.Received(now, active*70)
	}
	if active < 13 || active > 15 {
		t.Errorf("%d downloads at work, want 14", active)
	}
}

func TestConnectionsAreNotAddedThatAreNotUsed(t *testing.T) {
	c := NewConnections(10_000, 64)
	now := after(0)
	fits(c, now, address(1))
	c.Start(now, address(1)) // the only one there is
	for step := range 300 {
		c.Received(after(float64(step)/10), 10)
		c.Search(after(float64(step) / 10)) // the queue is empty: fits is not called
	}
	if c.allowed > 2 {
		t.Errorf("%v downloads are allowed, where one was ever there", c.allowed)
	}
}

func TestOpen(t *testing.T) {
	var c Control = Open{}
	c.Received(after(0), 1e9)
	if !fits(c, after(0), netip.Addr{}) {
		t.Error("closed")
	}
	c.End(after(1), c.Start(after(0), netip.Addr{}), 1e9)
}

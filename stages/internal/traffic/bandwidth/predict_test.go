package bandwidth

import (
	"net/netip"
	"testing"
	"time"
)

// known returns a predictor with a limit of 100 KB/s that knows the rates of servers 0, 1, ….
func known(t *testing.T, rates ...float64) *Predictor {
	t.Helper()
	table := newTable(t, Defaults())
	for i, rate := range rates {
		for range 100 {
			table.Learn(address(i), noon(), int64(rate), time.Second)
		}
	}
	return NewPredictor(table)
}

func TestSumOfRatesStaysBelowTheLimit(t *testing.T) {
	p := known(t, 60e3, 30e3, 11e3, 9e3)
	now := after(0)
	if !fits(p, now, address(0)) {
		t.Fatal("no room where nothing is under way")
	}
	first := p.Start(now, address(0))
	search := p.Search(now)
	if !search(address(1)) {
		t.Error("90 of 100 KB/s are refused")
	}
	second := p.Start(now, address(1))
	search = p.Search(now)
	if search(address(2)) || !search(address(3)) {
		t.Error("there is room for 9 KB/s and not for 11")
	}
	if got := p.Predicted(); !near(got, 90e3) {
		t.Errorf("predicted %v, want 90 KB/s", got)
	}
	p.End(after(1), second, 30e3)
	if !fits(p, after(1), address(2)) {
		t.Error("the room of a download that has ended is not used")
	}
	p.End(after(1), first, 60e3)
	if got := p.Predicted(); got != 0 {
		t.Errorf("predicted %v with nothing under way", got)
	}
}

func TestWhatWasBookedIsTakenOff(t *testing.T) {
	p := known(t, 30e3)
	var under []Download
	for range 3 {
		under = append(under, p.Start(after(0), address(0)))
	}
	p.End(after(1), under[0], 1e3) // the rate of the server falls
	p.End(after(1), under[1], 1e3)
	if got := p.Predicted(); !near(got, under[2].Rate) {
		t.Errorf("predicted %v, want the %v that were booked for what is under way", got, under[2].Rate)
	}
	p.End(after(1), under[2], 1e3)
	c := p.Start(after(2), address(0))
	if c.Rate > 20e3 || !near(p.Predicted(), c.Rate) {
		t.Errorf("predicted %v, booked %v", p.Predicted(), c.Rate)
	}
}

func TestFirstOfTheQueueGetsCredit(t *testing.T) {
	p := known(t, 90e3, 300e3, 5e3)
	slow := p.Start(after(0), address(0))
	if fits(p, after(0), address(1)) || fits(p, after(0.9), address(1)) {
		t.Fatal("credit before it was passed over for Check")
	}
	if search := p.Search(after(0.9)); search(address(1)) || !search(address(2)) {
		t.Error("what fits behind the first is refused")
	}
	if search := p.Search(after(1)); search(address(0)) || search(address(1)) {
		t.Error("credit for another than the first, or for a new first")
	}
	fits(p, after(1), address(1))
	if !fits(p, after(2), address(1)) {
		t.Fatal("no credit for the first after Check")
	}
	fast := p.Start(after(2), address(1))
	if got := p.Predicted(); !near(got, 390e3) {
		t.Errorf("predicted %v, want 390 KB/s", got)
	}
	if fits(p, after(2), address(2)) {
		t.Error("an eighth of the limit is to be kept free while there is a debt")
	}
	p.End(after(3), slow, 90e3)
	p.End(after(3), fast, 300e3) // 10 KB were free in that second: 290 are owed
	for _, at := range []float64{3, 4, 5.8} {
		if fits(p, after(at), address(1)) {
			t.Errorf("at %v s the first gets credit again, before the debt is paid", at)
		}
	}
	if !fits(p, after(6), address(1)) {
		t.Error("the debt is paid by the free limit, and the first gets no credit")
	}
}

// A limit that every server is above is held by pausing.
func TestSmallLimit(t *testing.T) {
	p := known(t, 400e3, 400e3)
	now, bytes := after(0), int64(0)
	for now.Before(after(100)) {
		if !fits(p, now, address(0)) {
			now = now.Add(Tick)
			continue
		}
		d := p.Start(now, address(0))
		now = now.Add(time.Second / 4)
		p.End(now, d, 100e3)
		bytes += 100e3
	}
	if rate := float64(bytes) / 100; rate < 97e3 || rate > 103e3 {
		t.Errorf("%v bytes a second with a limit of 100 KB/s", rate)
	}
}

// What was paid in advance is not kept for later.
func TestAdvanceIsBounded(t *testing.T) {
	p := known(t, 300e3)
	d := p.Start(after(0), address(0))
	p.End(after(60), d, 1000) // a minute for nothing
	if p.debt.open() || p.debt.bytes < -100e3*Tick.Seconds() {
		t.Errorf("the debt is %v bytes", p.debt.bytes)
	}
}

// BenchmarkPredictor is a search in vain through a thousand servers.
func BenchmarkPredictor(b *testing.B) {
	table := newTable(b, Defaults())
	servers := make([]netip.Addr, 1000)
	for i := range servers {
		servers[i] = netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)})
		table.Learn(servers[i], noon(), 50e3, time.Second)
	}
	p := NewPredictor(table)
	for range 2 {
		p.Start(noon(), servers[0])
	}
	b.ReportAllocs()
	for b.Loop() {
		fits := p.Search(noon())
		for _, server := range servers {
			if fits(server) {
				b.Fatal("there is no room")
			}
		}
	}
}

func BenchmarkLearn(b *testing.B) {
	table := newTable(b, Defaults())
	for b.Loop() {
		table.Learn(address(1), noon(), 50e3, time.Second)
	}
}

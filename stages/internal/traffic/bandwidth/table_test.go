package bandwidth

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"
)

// noon is in the middle of an hour of a Wednesday.
func noon() time.Time { return time.Date(2026, 11, 18, 12, 30, 0, 0, time.UTC) }

func address(i int) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}) }

func newTable(t testing.TB, r Rule) *Table {
	t.Helper()
	table, err := NewTable(100e3, r, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-4*math.Max(math.Abs(a), math.Abs(b)) }

func wantRate(t *testing.T, table *Table, server netip.Addr, now time.Time, want float64) {
	t.Helper()
	if got := table.Rate(server, now); !near(got, want) {
		t.Errorf("rate of %v at %v is %v, want %v", server, now.Format("Mon 15:04"), got, want)
	}
}

func TestUnknownServerHasTheRateOfTheMeanServer(t *testing.T) {
	table := newTable(t, Defaults())
	wantRate(t, table, address(1), noon(), 100e3/8) // Prior
	table.Learn(address(1), noon(), 4000, 2*time.Second)
	wantRate(t, table, address(2), noon(), 2000)
	table.Learn(netip.Addr{}, noon(), 6000, 2*time.Second) // of a server that is not known by address
	if got := table.Rate(address(2), noon()); got <= 2000 || got >= 3000 {
		t.Errorf("the mean of 2000 and 3000 is %v", got)
	}
}

func TestFirstDownloadTellsOfAllHours(t *testing.T) {
	table := newTable(t, Defaults())
	table.Learn(address(1), noon(), 4000, 2*time.Second)
	for hour := range 48 {
		wantRate(t, table, address(1), noon().Add(time.Duration(hour)*time.Hour).AddDate(0, 0, 2), 2000)
	}
}

// What a server's own downloads do not tell yet is taken from the mean server.
func TestTrust(t *testing.T) {
	table := newTable(t, Defaults())
	for range 1000 {
		table.Learn(address(2), noon(), 1000, time.Second)
	}
	table.Learn(address(1), noon(), 4000, time.Second)
	mean := table.Rate(netip.Addr{}, noon())
	wantRate(t, table, address(1), noon(), 0.3*4000+0.7*mean)
	table.Learn(address(1), noon(), 4000, time.Second)
	mean = table.Rate(netip.Addr{}, noon())
	wantRate(t, table, address(1), noon(), 0.51*4000+0.49*mean)
}

func TestLearningFollowsTheGaussian(t *testing.T) {
	c := Defaults()
	c.Alike = true
	table := newTable(t, c)
	server := address(1)
	table.Meet(server)
	for range 100 { // so many that the trust is 1
		table.Learn(server, noon(), 2000, time.Second)
	}
	table.Learn(server, noon(), 4000, time.Second)
	for distance := range 24 {
		away := math.Min(float64(distance), float64(24-distance))
		want := 2000 + 2000*c.Gain*math.Exp(-away*away/2)
		wantRate(t, table, server, noon().Truncate(24*time.Hour).Add(time.Duration((12+distance)%24)*time.Hour), want)
	}
	wantRate(t, table, server, noon().AddDate(0, 0, 3), 2000) // a Saturday
	table.Learn(server, noon().AddDate(0, 0, 4), 4000, time.Second)
	wantRate(t, table, server, noon().AddDate(0, 0, 3), 2000+2000*c.Gain)
}

// What comes of many downloads of one server is foretold by its rate, as their sum of bytes: long
// downloads, which are quicker here, count by their length. The paper's rule is too low.
func TestLengthsWeigh(t *testing.T) {
	foretold := func(alike bool) float64 {
		c := Defaults()
		c.Alike = alike
		table := newTable(t, c)
		r := rand.New(rand.NewPCG(1, 1))
		var booked, brought float64
		for i := range 20_000 {
			size := 10e3 * math.Exp(r.NormFloat64())
			took := time.Duration((0.15 + size/60e3) * float64(time.Second))
			if i > 100 {
				booked += table.Rate(address(1), noon()) * took.Seconds()
				brought += size
			}
			table.Learn(address(1), noon(), int64(size), took)
		}
		return booked / brought
	}
	if share := foretold(false); share < 0.97 || share > 1.03 {
		t.Errorf("%.3f of the bytes were foretold", share)
	}
	if share := foretold(true); share > 0.9 {
		t.Errorf("with all downloads alike %.3f of the bytes were foretold: then the lengths need not weigh", share)
	}
}

// While servers are still half known, quick and slow ones together are foretold right.
func TestTrustIsGrantedEvenly(t *testing.T) {
	table := newTable(t, Defaults())
	var booked, brought float64
	for round := range 6 {
		for server, rate := range []float64{1000, 4000, 16_000} {
			took := time.Duration(10e3 / rate * float64(time.Second))
			if round > 0 {
				booked += table.Rate(address(server), noon()) * took.Seconds()
				brought += 10e3
			}
			table.Learn(address(server), noon(), 10e3, took)
		}
	}
	if share := booked / brought; share < 0.93 || share > 1.07 {
		t.Errorf("%.3f of the bytes were foretold", share)
	}
}

// A server that sends a byte a second until it is cut off tells of itself, and little of others.
func TestOneServerDoesNotTellOfAll(t *testing.T) {
	table := newTable(t, Defaults())
	for range 200 {
		table.Learn(address(1), noon(), 10e3, time.Second)
	}
	table.Learn(address(2), noon(), 120, 2*time.Minute)
	table.Learn(address(2), noon(), 120, 2*time.Minute)
	if got := table.Rate(address(3), noon()); got < 5e3 {
		t.Errorf("after two such downloads others are thought to give %.0f bytes a second, not 10,000", got)
	}
	table.Learn(address(1), noon(), 120, 2*time.Minute)
	if got := table.Rate(address(1), noon()); got > 100 {
		t.Errorf("it is thought to give %.0f bytes a second itself", got)
	}
}

func TestNothingMeasuresNothing(t *testing.T) {
	table := newTable(t, Defaults())
	table.Learn(address(1), noon(), 0, time.Minute)
	table.Learn(address(1), noon(), 100, 0)
	if n := len(learnt(table).Keys); n != 0 {
		t.Errorf("%d entries were learnt of nothing", n)
	}
}

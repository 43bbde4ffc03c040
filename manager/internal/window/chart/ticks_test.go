package chart

import (
	"strings"
	"testing"
	"time"
)

func TestFormat(t *testing.T) {
	for want, got := range map[string]string{
		"0": Count.Format(0), "7": Count.Format(7), "999": Count.Format(999), "1.5k": Count.Format(1500),
		"0.25": Count.Format(0.25), "12M": Count.Format(12e6), "1.23M": Count.Format(1234567), "1k": Count.Format(999.9),
		"121/s": CountPerSecond.Format(121), "0 B": Bytes.Format(0), "13 MB": Bytes.Format(13e6),
		"2.05 GB/s": BytesPerSecond.Format(2.05e9), "50ms": Seconds.Format(0.05), "5s": Seconds.Format(5),
		"2m05s": Seconds.Format(125), "-2k": Count.Format(-2000), "0s": Seconds.Format(0) + "s",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTimeTicks: the marks of a time axis are round times, and few, whatever its length.
func TestTimeTicks(t *testing.T) {
	zone := time.FixedZone("NST", -3*3600-1800)
	from := time.Date(2026, 11, 23, 17, 1, 59, 5e8, zone)
	for _, c := range []struct {
		over time.Duration
		want string
	}{
		{4 * time.Second, "17:01:59.500 17:02:00.000 17:02:00.500 17:02:01.000 17:02:01.500 " +
			"17:02:02.000 17:02:02.500 17:02:03.000 17:02:03.500"},
		{time.Minute, "17:02:00 17:02:10 17:02:20 17:02:30 17:02:40 17:02:50"},
		{time.Hour, "17:10 17:20 17:30 17:40 17:50 18:00"},
		{20 * time.Hour, "18:00 21:00 Nov 24 03:00 06:00 09:00 12:00"},
		{13 * 24 * time.Hour, "2026-11-25 2026-11-27 2026-11-29 2026-12-01 2026-12-03 2026-12-05"},
	} {
		var got []string
		for _, tick := range timeTicks(from, from.Add(c.over)) {
			got = append(got, tick.Label)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %q, want %q", c.over, strings.Join(got, " "), c.want)
		}
	}
	for over := time.Millisecond; over < 50*365*day; over += over / 2 {
		if n := len(timeTicks(from, from.Add(over))); n > mostTicks+1 || over > time.Second && n < 1 {
			t.Errorf("%v: %d marks", over, n)
		}
	}
}

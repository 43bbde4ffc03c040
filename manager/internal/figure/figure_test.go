package figure

import (
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 batches": Count(0, "batch"), "1 batch": Count(1, "batch"), "2 batches": Count(2, "batch"),
		"1 input": Count(1, "input"), "3 inputs": Count(3, "input"), "1 try": Count(1, "try"),
		"4 tries": Count(4, "try"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 13_049_999: "13.0 MB", 5e9: "5.0 GB",
		7e12: "7.0 TB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// A time of another day is told with the day.
func TestClock(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)
	for d, want := range map[time.Duration]string{
		0: "12:00:00", 11 * time.Hour: "23:00:00", 12 * time.Hour: "2026-11-22 00:00:00",
		-13 * time.Hour: "2026-11-20 23:00:00",
	} {
		if got := Clock(noon.Add(d), noon); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0s", 1500 * time.Millisecond: "1.5s", 59 * time.Second: "59s", 61 * time.Second: "1m01s",
		time.Hour - time.Second: "59m59s", 25 * time.Hour: "1d01h", 2*time.Hour + 10*time.Minute: "2h10m",
	} {
		if got := Span(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

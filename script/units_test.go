package script

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	const day = 24 * time.Hour
	good := map[string]time.Duration{
		"30s": 30 * time.Second, "1h30m": 90 * time.Minute, "2d": 2 * day, "1d12h": 36 * time.Hour,
		"250ms": 250 * time.Millisecond, "0s": 0, "0d": 0, "1.5h": 90 * time.Minute, "36500d": 36500 * day,
	}
	for text, want := range good {
		if got, err := parseDuration(text); got != want || err != nil {
			t.Errorf("parseDuration(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "30", "d", "1.5d", "-1s", "-1d", "1d-1h", "1ns", "36501d", "1d 2h", "2dd",
		"36500d2562047h", "9999999h", "1w"} {
		if got, err := parseDuration(text); err == nil {
			t.Errorf("parseDuration(%q) = %v; want an error", text, got)
		}
	}
}

func TestParseSize(t *testing.T) {
	good := map[string]int64{
		"1B": 1, "5kB": 5000, "5KB": 5000, "5MB": 5e6, "5GB": 5e9, "2TB": 2e12, "1 KiB": 1024,
		"1.5GiB": 3 << 29, "1MiB": 1 << 20, "1TiB": 1 << 40, "0.5kB": 500,
	}
	for text, want := range good {
		if got, err := parseSize(text); got != want || err != nil {
			t.Errorf("parseSize(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5", "GB", "5 ", "5gb", "5 Gb", "0GB", "-1GB", "+1GB", "1e3B", "1.2.3GB",
		"9000000TiB", "5GB ", "NaNB", "0x1GB", "..B"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("parseSize(%q) = %v; want an error", text, got)
		}
	}
}

func TestCheckRate(t *testing.T) {
	for text, want := range map[string]bool{"600KB/s": true, "1.5 MiB/s": true, "600KB": false, "/s": false,
		"5Mbit/s": false, "5/s": false} {
		if err := checkRate(text); (err == nil) != want {
			t.Errorf("checkRate(%q) = %v", text, err)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"take", "timeout", "retry", "run", "in", "out"}
	tests := map[string]string{"timout": "timeout", "tkae": "take", "rnu": "run", "Retry": "retry", "RUN": "run",
		"i": "in", "": "", "elephant": "", "x": "", "outt": "out"}
	for written, want := range tests {
		if got := nearest(written, known); got != want {
			t.Errorf("nearest(%q) = %q; want %q", written, got, want)
		}
	}
}

package again

import (
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		value string
		wait  time.Duration
	}{
		{"7", 7 * time.Second},
		{" 7 ", 7 * time.Second},
		{"Sat, 21 Nov 2026 12:01:00 GMT", time.Minute},
		{"Sat, 21 Nov 2026 11:00:00 GMT", 0},
		{"Sat, 21 Nov 9026 11:00:00 GMT", Longest},
		{"86400", Longest},
		{"99999999999999999999999", Longest},
		{"soon", 0},
		{"-1", 0},
		{"7.5", 0},
		{"", 0},
	} {
		if wait := RetryAfter(c.value, now); wait != c.wait {
			t.Errorf("Retry-After: %s is %v, want %v", c.value, wait, c.wait)
		}
	}
}

// FuzzRetryAfter holds that whatever a server says, the wait is none that would hurt.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"7", "Sat, 21 Nov 2026 12:01:00 GMT", "99999999999999999999999", "-1",
		"Sat, 21-Nov-26 12:01:00 GMT"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if wait := RetryAfter(value, time.Unix(1_800_000_000, 0)); wait < 0 || wait > Longest {
			t.Errorf("Retry-After: %q is %v", value, wait)
		}
	})
}

package pace

import (
	"testing"
	"time"
)

// The pace is that of the last half hour, or since the watch began; from it follows what is left.
func TestPace(t *testing.T) {
	begin := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	p := New(begin)
	if p.Rate("fetch", begin) != 0 || p.Left("fetch", 10, begin) != 0 {
		t.Error("something is known of a stage that has not run")
	}
	now := begin
	for range 100 { // 600 records in each of 100 minutes
		now = now.Add(time.Minute)
		p.Add("fetch", now, 600)
		p.Add("fetch", now, -1) // a run without a report
	}
	if rate := p.Rate("fetch", now); rate < 10 || rate > 10.4 {
		t.Errorf("rate %v, want 10", rate)
	}
	if left := p.Left("fetch", 36000, now); left < 57*time.Minute || left > time.Hour {
		t.Errorf("left %v, want an hour", left)
	}
	if n := len(p.stages["fetch"]); n > 62 {
		t.Errorf("%d slots are kept", n)
	}
	if rate := p.Rate("fetch", now.Add(time.Hour)); rate != 0 {
		t.Errorf("an hour later the rate is %v", rate)
	}
	if left := p.Left("fetch", 1<<62, now.Add(29*time.Minute)); left < 99*365*24*time.Hour {
		t.Errorf("left %v", left)
	}
}

package site

import (
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/view"
	"multitext/manager/internal/window/verdict"
)

// TestSlowed: what holds a crawl up is a busy stage before the limit of processes, and that before
// the stage that needs longest.
func TestSlowed(t *testing.T) {
	stage := func(name string, busy, processes float64) share {
		return share{Stage: verdict.Stage{Name: name, Jobs: 1, Busy: busy, Computing: 0.07}, processes: processes}
	}
	late := stage("late", 0.2, 0.2)
	late.row = stageRow{Stage: view.Stage{Waiting: 1200, Left: 60, Pace: 20}, Not: "less than min waits (1 of 4 batches)"}
	long := stage("long", 1, 1)
	long.Computing = -1 // no run of it has ended
	slot := stage("b", 0.5, 0.9)
	slot.row.Slot = true
	soon := late
	soon.row.Left = 9
	many := stage("many", 0.9, 3.6)
	many.Jobs = 4
	for _, c := range []struct {
		shares []share
		jobs   int
		want   string // "" is that nothing is said
	}{
		{nil, 4, ""},
		{[]share{stage("a", 0.1, 0.1)}, 4, ""},
		{[]share{soon}, 4, ""},
		{[]share{stage("a", 0.7, 0.7), stage("b", 0.9, 0.9), late}, 2,
			"The bottleneck is b: it ran for 90 % of the last 1m00s, with 7 % of a processor."},
		{[]share{long}, 4, "The bottleneck is long: it ran for 100 % of the last 1m00s."},
		{[]share{many, late}, 8, "The bottleneck is many: all of its 4 jobs ran for 90 % of"},
		{[]share{stage("a", 0.5, 0.9), stage("b", 0.5, 0.9)}, 2, ""}, // nobody waits for a process
		{[]share{stage("a", 0.5, 0.9), slot, late}, 2,
			"The bottleneck is the limit of processes, jobs = 2: 2 were in use in the mean of the last 1m00s."},
		{[]share{stage("a", 0.5, 0.5), late}, 4, "Most time is left for late. Waiting for it: 1200 records, which need " +
			"1m00s at its " +
			"pace of 20 a second. It does not run now: less than min waits (1 of 4 batches)."},
	} {
		if got := slowed(c.shares, c.jobs, time.Minute); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("it says %q, want %q", got, c.want)
		}
	}
}

package site

import (
	"fmt"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/past"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/verdict"
)

const (
	lately    = 5 * time.Minute // only what happened since counts
	busyLimit = 0.85            // of the processes in use, and a stage waits for one: their limit holds it up
	leastLeft = 10              // seconds that waiting records need
)

// bottleneck says what holds up a crawl that a manager runs; "" if nothing does. Only what happened
// since the manager was started counts.
func bottleneck(v *view.Crawl, p *past.Past, d *overviewData) string {
	if v.Holder == nil {
		return ""
	}
	since, begin := v.Now, v.Now.Add(-lately)
	if from, ok := v.Since(); ok {
		since = from
	}
	if begin.Before(since) {
		begin = since
	}
	last := max(v.Now.Sub(begin), time.Second)
	shares := make([]share, len(d.Stages))
	for i, st := range d.Stages {
		shares[i] = shareOf(v, p, st, last)
	}
	return slowed(shares, v.Script.Limit.Jobs, last)
}

// slowed says which stage holds up the others, and why; "" if none does. jobs is the limit of
// processes. If package verdict sees no bottleneck, it is the stage whose waiting records need the
// longest time at its pace, if that is long.
func slowed(shares []share, jobs int, last time.Duration) string {
	var stages []verdict.Stage
	all, slowest, waiting := 0.0, share{}, false
	for _, s := range shares {
		waiting = waiting || s.row.Slot
		stages = append(stages, s.Stage)
		if all += s.processes; s.row.Left > slowest.row.Left {
			slowest = s
		}
	}
	limited, over := "", verdict.Time{Of: "the last " + figure.Span(last)}
	if waiting && all >= busyLimit*float64(jobs) {
		limited = fmt.Sprintf("%.3g were in use in the mean of %s", all, over.Of)
	}
	said := verdict.Bottleneck(stages, jobs, limited, over)
	if said == "" && slowest.row.Left >= leastLeft {
		said = fmt.Sprintf("No stage is busy all the time. Most time is left for %s%s.", slowest.Name, waits(slowest.row))
		if why := slowest.row.Not; why != "" {
			said += " It does not run now: " + why + "."
		}
	}
	return said
}

// A share is how much of the last time a stage ran.
type share struct {
	verdict.Stage
	row       stageRow
	processes float64 // its runs in progress, in the mean
}

func shareOf(v *view.Crawl, p *past.Past, st stageRow, last time.Duration) share {
	s := share{Stage: verdict.Stage{Name: st.Name, Jobs: 1, More: waits(st)}, row: st}
	if stage := v.Script.Stage(st.Name); stage != nil {
		s.Jobs = max(stage.Jobs, 1)
	}
	sums := p.Stage(st.Name, v.Now.Add(-last), v.Now, 1)[0]
	s.processes = (sums.Wall + unended(v, st.Name, v.Now.Add(-last), v.Now)) / last.Seconds()
	s.Busy = min(s.processes/float64(s.Jobs), 1)
	s.Computing = verdict.Computing(sums.CPU, sums.Wall) // of a run that has not ended it is not known
	return s
}

// unended returns for how many seconds the runs of a stage that are in progress have run between
// two times. The history has only runs that have ended.
func unended(v *view.Crawl, stage string, from, to time.Time) (seconds float64) {
	if v.Holder == nil {
		return 0
	}
	for _, run := range v.Runs {
		begin := run.Start
		if begin.Before(from) {
			begin = from
		}
		if run.Stage == stage {
			seconds += max(to.Sub(begin), 0).Seconds()
		}
	}
	return seconds
}

// waitsForSlot reports whether a free process is all that a stage lacks.
func waitsForSlot(all []sched.Condition) bool {
	slot := false
	for _, c := range all {
		if !c.OK && c.Name != sched.SlotFree {
			return false
		}
		slot = slot || !c.OK
	}
	return slot
}

// waits says what waits for a stage.
func waits(st stageRow) string {
	if st.Waiting == 0 {
		return ""
	}
	waiting := figure.Count(st.Waiting, "record")
	if st.Left == 0 {
		return ". Waiting for it: " + waiting
	}
	return fmt.Sprintf(". Waiting for it: %s, which need %s at its pace of %.3g a second", waiting,
		figure.Seconds(st.Left), st.Pace)
}

package site

import (
	"fmt"
	"slices"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
)

// What is a bottleneck: the time that counts, and the shares of it from which a stage is called
// busy, and the limit of processes is reached.
const (
	lately    = 5 * time.Minute
	busyStage = 0.6
	busyLimit = 0.85
	leastLeft = 10 // seconds that waiting records need
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
// processes. The rules are tried in turn:
//
//   - a stage that ran nearly always, as often as its jobs allow: nothing else makes the crawl faster
//   - the limit of processes, if nearly all were in use
//   - the stage whose waiting records need the longest time at its pace, if that is long
func slowed(shares []share, jobs int, last time.Duration) string {
	if len(shares) == 0 {
		return ""
	}
	all := 0.0
	for _, s := range shares {
		all += s.processes
	}
	busiest := slices.MaxFunc(shares, func(a, b share) int { return int(1e6 * (a.busy - b.busy)) })
	slowest := slices.MaxFunc(shares, func(a, b share) int { return int(1e6 * (a.Left - b.Left)) })
	switch {
	case busiest.busy >= busyStage:
		return fmt.Sprintf("The bottleneck is %s: %s for %.0f %% of the last %s, with %.0f %% of a processor%s.",
			busiest.Name, busiest.runs(), 100*busiest.busy, figure.Span(last), 100*busiest.computing, busiest.waits())
	case all >= busyLimit*float64(jobs):
		return fmt.Sprintf("The bottleneck is the limit of processes, jobs = %d: %.3g were in use in the mean of the "+
			"last %s.", jobs, all, figure.Span(last))
	case slowest.Left >= leastLeft:
		why := ""
		if slowest.Not != "" {
			why = ". It does not run now: " + slowest.Not
		}
		return fmt.Sprintf("No stage is busy all the time. Most time is left for %s%s%s.", slowest.Name, slowest.waits(), why)
	}
	return ""
}

// A share is how much of the last time a stage ran.
type share struct {
	stageRow
	jobs      int
	processes float64 // its runs in progress, in the mean
	busy      float64 // the share of the runs that its jobs allow
	computing float64 // the processors that a run used
}

func shareOf(v *view.Crawl, p *past.Past, st stageRow, last time.Duration) share {
	s := share{stageRow: st, jobs: 1}
	if stage := v.Script.Stage(st.Name); stage != nil {
		s.jobs = max(stage.Jobs, 1)
	}
	sums := p.Stage(st.Name, v.Now.Add(-last), v.Now, 1)[0]
	for _, run := range st.Running { // the history has only runs that have ended
		sums.Wall += min(max(v.Now.Sub(run.Start), 0), last).Seconds()
	}
	s.processes = sums.Wall / last.Seconds()
	s.busy = min(s.processes/float64(s.jobs), 1)
	if sums.Wall > 0 {
		s.computing = sums.CPU / sums.Wall
	}
	return s
}

func (s share) runs() string {
	if s.jobs == 1 {
		return "it ran"
	}
	return fmt.Sprintf("all of its %d jobs ran", s.jobs)
}

// waits says what waits for the stage.
func (s share) waits() string {
	if s.Waiting == 0 {
		return ""
	}
	waiting := figure.Count(s.Waiting, "record")
	if s.Left == 0 {
		return ". Waiting for it: " + waiting
	}
	return fmt.Sprintf(". Waiting for it: %s, which need %s at its pace of %.3g a second", waiting,
		figure.Seconds(s.Left), s.Pace)
}

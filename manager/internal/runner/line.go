package runner

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/view"
	"multitext/script"
)

// status returns the line of progress. What is left comes first, because a terminal cuts the line
// at its width.
func (c *runner) status() string {
	now := time.Now()
	text := fmt.Sprintf("%s  %s  ", now.Sub(c.started).Round(time.Second),
		figure.Count(c.state.Next()-1, "transaction"))
	if c.stopping != "" {
		text += "stopping  "
	}
	running, waiting, resting, left := c.stagesNow(now)
	text += left + c.nearest(now)
	text += "running: " + cmp.Or(strings.Join(running, ", "), "-")
	if waiting != nil {
		text += "  waiting: " + strings.Join(waiting, ", ")
	}
	if resting != nil {
		text += "  resting: " + strings.Join(resting, ", ")
	}
	for _, q := range c.Script.Queues {
		if t := c.state.Queue(q.Name); t.Batches > 0 && crawl.IsProduct(q) {
			text += fmt.Sprintf("  %s: %s (%s)", q.Name, figure.Number(t.Records), figure.Bytes(t.Bytes))
		}
	}
	return text
}

// stagesNow describes the stages that run, for which records wait, and that rest. left is the time
// that the slowest stage needs for its records, and which stage that is.
func (c *runner) stagesNow(now time.Time) (running, waiting, resting []string, left string) {
	atWork := map[*script.Stage]bool{}
	for _, r := range c.runs {
		atWork[r.take.Stage] = true
	}
	most := time.Duration(0)
	for _, st := range c.Script.Stages {
		if atWork[st] {
			running = append(running, st.Name+speed(c.pace.Rate(st.Name, now)))
		}
		if w := c.table.Waiting(st.Name); w.Ready+w.Held > 0 {
			waiting = append(waiting, st.Name+" "+amount(w.Records, w.Uncounted))
			if d := c.pace.Left(st.Name, w.Records, now); d > most {
				most, left = d, fmt.Sprintf("left: %s at least, for %s  ", figure.Span(d), st.Name)
			}
		}
		if rest := c.state.Stage(st.Name).Rest; rest.After(now) {
			resting = append(resting, st.Name+" until "+figure.Clock(rest, now))
		}
	}
	return running, waiting, resting, left
}

// nearest describes the limit of [stop] to which the crawl is nearest, and the time until it is
// reached at the pace of this run. It returns "" if the script has none.
func (c *runner) nearest(now time.Time) (text string) {
	ran, most := now.Sub(c.started), -1.0
	near := func(share float64, what string, left time.Duration) {
		if share <= most {
			return
		}
		most, text = share, fmt.Sprintf("limit: %s of %s", figure.Percent(min(share, 1)), what)
		if left > 0 {
			text += ", " + figure.Span(left) + " left"
		}
		text += "  "
	}
	if limit := c.Script.Stop.Time; limit > 0 {
		near(ran.Seconds()/limit.Seconds(), figure.Span(limit), limit-ran)
	}
	for _, l := range view.Limits(c.Script, c.state) {
		left := time.Duration(0)
		if made := float64(l.Now - l.Of(c.before[l.Queue])); made > 0 { // in this run
			left = time.Duration(min(float64(l.Limit-l.Now)/made*ran.Seconds(), 1e9) * float64(time.Second))
		}
		near(float64(l.Now)/float64(l.Limit), l.Amount(l.Limit)+" in "+l.Queue, left)
	}
	return text
}

// speed writes records per second after a stage's name, or "" if the speed is unknown.
func speed(rate float64) string {
	switch {
	case rate == 0:
		return ""
	case rate < 10:
		return fmt.Sprintf(" %.1f/s", rate)
	}
	return fmt.Sprintf(" %.0f/s", rate)
}

// amount writes how much waits: the number of records, and the number of batches with an unknown
// number of records.
func amount(records int64, uncounted int) string {
	switch {
	case uncounted == 0:
		return figure.Count(records, "record")
	case records == 0:
		return figure.Count(uncounted, "batch")
	}
	return figure.Count(records, "record") + " and " + figure.Count(uncounted, "batch")
}

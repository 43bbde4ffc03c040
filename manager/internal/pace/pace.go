// Package pace computes how many records a second the stages of a crawl read, from their recent
// commits. From that it estimates how long they need for the waiting records.
package pace

import "time"

const (
	window = 30 * time.Minute // the recent past; a run of fetch may take ten minutes and reports nothing before its end
	grain  = 30 * time.Second
)

// A Pace is the pace of a crawl. Use New to create one.
type Pace struct {
	since  time.Time // no data from before this time
	stages map[string][]slot
}

// A slot counts what was read within one grain of time.
type slot struct {
	begin   time.Time
	records int64
}

// New returns a Pace without data from before now.
func New(since time.Time) *Pace { return &Pace{since, map[string][]slot{}} }

// Add records the end of a run that read n records. It ignores a number below 1.
func (p *Pace) Add(stage string, end time.Time, records int64) {
	if records < 1 {
		return
	}
	slots, begin := p.stages[stage], end.Truncate(grain)
	if n := len(slots); n > 0 && slots[n-1].begin.Equal(begin) {
		slots[n-1].records += records
		return
	}
	for len(slots) > 0 && end.Sub(slots[0].begin) > window {
		slots = slots[1:]
	}
	p.stages[stage] = append(slots, slot{begin, records})
}

// Rate returns how many records a second a stage has read recently.
func (p *Pace) Rate(stage string, now time.Time) float64 {
	var records int64
	for _, s := range p.stages[stage] {
		if now.Sub(s.begin) <= window {
			records += s.records
		}
	}
	if span := min(now.Sub(p.since), window); span > 0 {
		return float64(records) / span.Seconds()
	}
	return 0
}

// Left returns how long a stage needs for the records that wait for it, or 0 if that is unknown.
func (p *Pace) Left(stage string, waiting int64, now time.Time) time.Duration {
	const most = 100 * 365 * 24 * time.Hour
	rate := p.Rate(stage, now)
	if rate == 0 || waiting == 0 {
		return 0
	}
	return time.Duration(min(float64(waiting)/rate, most.Seconds()) * float64(time.Second))
}

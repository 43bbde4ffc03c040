// Package pace tells how many records a second the stages of a crawl read, by what they committed
// of late, and how long what waits for them takes at that pace.
package pace

import "time"

const (
	window = 30 * time.Minute // what "of late" is; a run of fetch may take ten minutes and tells nothing before its end
	grain  = 30 * time.Second
)

// A Pace is that of a crawl. Use New.
type Pace struct {
	since  time.Time // nothing is known from before
	stages map[string][]slot
}

// A slot is what was read within one grain of time.
type slot struct {
	begin   time.Time
	records int64
}

// New is the pace of a crawl that is watched from then on.
func New(since time.Time) *Pace { return &Pace{since, map[string][]slot{}} }

// Add notes the end of a run that read so many records; fewer than 1 are none.
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

// Rate is how many records a second a stage has read of late.
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

// Left is how long a stage takes for what waits for it, 0 where that cannot be reckoned.
func (p *Pace) Left(stage string, waiting int64, now time.Time) time.Duration {
	const most = 100 * 365 * 24 * time.Hour
	rate := p.Rate(stage, now)
	if rate == 0 || waiting == 0 {
		return 0
	}
	return time.Duration(min(float64(waiting)/rate, most.Seconds()) * float64(time.Second))
}

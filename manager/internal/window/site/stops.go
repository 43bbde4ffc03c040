package site

import (
	"fmt"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
)

// A stop is a limit of [stop], and how near the crawl is to it.
type stop struct {
	Name  string
	Text  string
	Share float64 // 1 is at the limit
	Left  string  // the time that is left, if it can be reckoned
}

// stops returns the limits of the script. The time that is left for records and bytes is reckoned
// at the pace of the last hour.
func stops(v *view.Crawl, p *past.Past) (out []stop) {
	if most := v.Script.Stop.Time; most > 0 {
		s := stop{Name: "time of a run of the manager", Text: "of " + figure.Span(most)}
		if since, ok := v.Since(); ok {
			ran := v.Now.Sub(since)
			s.Text = figure.Span(ran) + " of " + figure.Span(most)
			s.Share, s.Left = float64(ran)/float64(most), figure.Span(max(most-ran, 0))
		}
		out = append(out, s)
	}
	for _, limit := range v.Script.Stop.Records {
		now := v.State.Queue(limit.Queue).Records
		out = append(out, near("records in "+limit.Queue, now, limit.Limit, fmt.Sprintf("%d of %d", now, limit.Limit),
			grew(v, p, limit.Queue, func(o past.Change) float64 { return o.Records })))
	}
	for _, limit := range v.Script.Stop.Bytes {
		now := v.State.Queue(limit.Queue).Bytes
		out = append(out, near("bytes in "+limit.Queue, now, limit.Limit, figure.Bytes(now)+" of "+figure.Bytes(limit.Limit),
			grew(v, p, limit.Queue, func(o past.Change) float64 { return o.Bytes })))
	}
	return out
}

func near(name string, now, limit int64, text string, perSecond float64) stop {
	s := stop{Name: name, Text: text, Share: float64(now) / float64(max(limit, 1))}
	if perSecond > 0 && now < limit {
		s.Left = figure.Span(time.Duration(float64(limit-now) / perSecond * float64(time.Second)))
	}
	return s
}

// grew returns by how much a queue grew in a second of the last hour, while a manager runs.
func grew(v *view.Crawl, p *past.Past, queue string, of func(past.Change) float64) float64 {
	begin, _ := p.Bounds()
	if v.Holder == nil || begin.IsZero() {
		return 0
	}
	last := min(time.Hour, v.Now.Sub(begin))
	return of(p.Made(queue, v.Now.Add(-last), v.Now)) / max(last.Seconds(), 1)
}

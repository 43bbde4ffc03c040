package site

import (
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
	for _, l := range view.Limits(v.Script, v.State) {
		s := stop{Name: l.Name(), Text: l.Progress(), Share: float64(l.Now) / float64(max(l.Limit, 1))}
		if pace := grew(v, p, l); pace > 0 && !l.Reached() {
			s.Left = figure.Span(time.Duration(min(float64(l.Limit-l.Now)/pace, 1e9) * float64(time.Second)))
		}
		out = append(out, s)
	}
	return out
}

// grew returns what was written to the queue of a limit in a second of the last hour, or since the
// manager was started that runs the crawl; 0 if none does.
func grew(v *view.Crawl, p *past.Past, l view.Limit) float64 {
	since, ok := v.Since()
	if !ok {
		return 0
	}
	last := max(min(time.Hour, v.Now.Sub(since)), time.Second)
	made := p.Made(l.Queue, v.Now.Add(-last), v.Now)
	if l.Unit == "bytes" {
		return made.Bytes / last.Seconds()
	}
	return made.Records / last.Seconds()
}

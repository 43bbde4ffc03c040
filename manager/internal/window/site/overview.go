package site

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
	"multitext/manager/internal/window/verdict"
	"multitext/manager/internal/workdir"
)

// overviewData is what the overview of a crawl shows.
type overviewData struct {
	*view.Status
	State      string // whether the crawl runs, or how it ended
	Sentence   string // what it is doing
	Damage     error  // why a part of the history is not in the sums
	Missing    int    // transactions of which the history has nothing
	Resume     string // the command that goes on with it; "" if a manager runs or nothing is left
	Resumed    string // that this manager is not the first; "" otherwise
	Bottleneck string // which stage holds up the others, and why; "" if none does
	Free       int64  // bytes on the disk
	Share      float64
	Stages     []stageRow
	Stops      []stop
	Waiting    int64 // records
	Failures   int64
	Now        time.Time
	Base       string
}

// A stageRow is a stage with its pace over three pieces of time, in records and bytes a second.
type stageRow struct {
	view.Stage
	Minute, Hour, Life past.Sums // a second; Minute and Hour are zero if no manager runs
	Busy               float64   // the share of the last minute in which it ran as often as its jobs allow
	Slot               bool      // only a free process is missing for it to start
	Not                string    // why it has work and does not run; "" otherwise
}

func overview(l *look) (string, []page.Part, error) {
	data, err := summarize(l.Crawl, l.Past)
	if err != nil {
		return "", nil, err
	}
	data.Base = l.Base
	var parts []page.Part
	for _, name := range []string{"now", "panes", "stages", "limits", "trouble"} {
		if name == "panes" {
			err = l.panesPart(&parts, "")
		} else {
			err = l.part(&parts, name, "overview-"+name, data)
		}
		if err != nil {
			return "", nil, err
		}
	}
	return "", parts, nil
}

// summarize computes the overview of a crawl.
func summarize(v *view.Crawl, p *past.Past) (*overviewData, error) {
	status, err := p.Status(v)
	if err != nil {
		return nil, err
	}
	d := &overviewData{Status: status, Free: workdir.Free(v.Root), Share: p.Share(), Now: v.Now}
	begin, end := p.Life(v)
	for _, st := range status.Stages {
		conditions := v.Why(st.Name, "").Conditions
		row := stageRow{Stage: st, Not: notNow(v, st, conditions), Slot: waitsForSlot(conditions)}
		row.Life = perSecond(p, st.Name, begin, end, end.Sub(begin))
		if v.Holder != nil {
			row.Minute = perSecond(p, st.Name, begin, v.Now, time.Minute)
			row.Hour = perSecond(p, st.Name, begin, v.Now, time.Hour)
			row.Busy = shareOf(v, p, row, max(min(time.Minute, v.Now.Sub(begin)), time.Second)).Busy
		}
		d.Stages = append(d.Stages, row)
		d.Waiting += st.Waiting
		d.Failures += st.Failures
	}
	d.Stops, d.State = stops(v, p), verdict.State(v, len(d.Cut))
	d.Sentence, d.Resumed, d.Damage, d.Missing = sentence(v, d), resumed(v, p.Ran()), p.Damage(), p.Missing(v)
	d.Bottleneck = bottleneck(v, p, d)
	if done, _ := v.Done(); v.Holder == nil && !done {
		d.Resume = "manager run " + v.Script.Path
	}
	return d, nil
}

// perSecond returns what a stage did in a second, as a mean over the last time before end. What was
// before the begin of the crawl does not count.
func perSecond(p *past.Past, stage string, begin, end time.Time, last time.Duration) past.Sums {
	last = max(min(last, end.Sub(begin)), time.Second)
	s := p.Stage(stage, end.Add(-last), end, 1)[0].Sums
	n := last.Seconds()
	return past.Sums{Records: s.Records / n, Bytes: s.Bytes / n, Wall: s.Wall / n}
}

// sentence says what the crawl is doing.
func sentence(v *view.Crawl, d *overviewData) string {
	if !v.Begun || v.Holder == nil {
		return d.State
	}
	var run []string
	for _, st := range d.Stages {
		if len(st.Running) > 0 {
			run = append(run, st.Name)
		}
	}
	if len(run) > 0 {
		return "The crawl runs: " + strings.Join(run, ", ") + "."
	}
	return "The crawl waits: " + waitsFor(d)
}

// resumed says that the manager goes on with a crawl whose first stage ran before it; "" otherwise.
func resumed(v *view.Crawl, begin time.Time) string {
	since, ok := v.Since()
	if !ok || begin.IsZero() || !begin.Before(since) {
		return ""
	}
	return fmt.Sprintf("The crawl was resumed %s ago, %s after it began.", figure.Span(v.Now.Sub(since)),
		figure.Span(since.Sub(begin)))
}

// waitsFor says what a crawl waits for in which nothing runs.
func waitsFor(d *overviewData) string {
	for _, st := range d.Stages {
		if st.Not != "" {
			return st.Name + " does not run: " + st.Not + "."
		}
	}
	return "nothing is due."
}

// status answers with what manager status -json prints.
func (s *Site) status(w http.ResponseWriter, r *http.Request) {
	c, err := s.crawl(r.PathValue("crawl"))
	var text []byte
	if err == nil {
		err = c.With(func(v *view.Crawl, p *past.Past) error {
			status, err := p.Status(v)
			if err == nil {
				text, err = json.MarshalIndent(status, "", "  ")
			}
			return err
		})
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(text, '\n'))
}

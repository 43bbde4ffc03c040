package site

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
	"multitext/script/draw"
)

// A condition tells of a stage whether it runs, or why it does not.
type condition struct {
	view.Stage
	*view.Why
	Text string
	Now  time.Time
}

// flowPage shows the graph of the script with what runs and what waits, and says of each stage why
// it does not run.
func flowPage(l *look) (string, []page.Part, error) {
	status, err := l.Past.Status(l.Crawl)
	if err != nil {
		return "", nil, err
	}
	var picture bytes.Buffer
	if err := l.crawl.Layout(l.Script).Marked(&picture, marks(l.Base, status)); err != nil {
		return "", nil, err
	}
	data := map[string]any{"SVG": template.HTML(picture.Bytes()), "Base": l.Base, "Now": l.Now, "Status": status}
	var all []condition
	for _, st := range status.Stages {
		all = append(all, l.condition(st))
	}
	data["Conditions"] = all
	var parts []page.Part
	if err := l.part(&parts, "picture", "flow-picture", data); err != nil {
		return "", nil, err
	}
	err = l.part(&parts, "why", "flow-why", data)
	return "Flow", parts, err
}

// condition says in words whether a stage runs.
func (l *look) condition(st view.Stage) condition {
	c := condition{Stage: st, Why: l.Why(st.Name, "manager run"), Now: l.Now}
	switch {
	case len(st.Running) > 0:
		c.Text = "It has run for " + figure.Age(st.Running[0].Start, l.Now) + "."
	case l.Holder == nil && st.State == "idle":
		c.Text = "Nothing waits for it, and no manager runs the crawl."
	case l.Holder == nil:
		c.Text = "It does not run: no manager runs the crawl."
	case c.Why.Starts:
		c.Text = "It starts when its turn comes."
	default:
		c.Text = "It does not run: " + unmet(c.Conditions, l.Now) + "."
	}
	return c
}

// unmet says in words which condition is the first that is not met. It returns "" if all are.
func unmet(all []sched.Condition, now time.Time) string {
	i := slices.IndexFunc(all, func(k sched.Condition) bool { return !k.OK })
	if i < 0 {
		return ""
	}
	text := all[i].Not + " (" + all[i].Figure + ")"
	if !all[i].Until.IsZero() {
		text += ", until " + figure.Until(all[i].Until, now)
	}
	return text
}

// notNow says why a stage does not run that has work.
func notNow(v *view.Crawl, st view.Stage, all []sched.Condition) string {
	switch {
	case len(st.Running) > 0 || st.State == "idle":
		return ""
	case v.Holder == nil:
		return "no manager runs the crawl"
	}
	return unmet(all, v.Now)
}

// marks are what the picture shows of a crawl: stages that run, rest or wait, and how full queues
// are. A queue is full at its limit; one without a limit is compared with the largest.
func marks(base string, s *view.Status) *draw.Marks {
	m := &draw.Marks{Stages: map[string]draw.Mark{}, Queues: map[string]draw.Mark{}}
	for _, st := range s.Stages {
		mark := draw.Mark{Link: base + "stage/" + st.Name, Title: "stage " + st.Name + ": " + st.State}
		if st.Why != "" {
			mark.Title += ", " + st.Why
		}
		switch st.State {
		case "running":
			mark.Class = "lit"
		case "resting":
			mark.Class = "rests"
		case "waiting":
			mark.Class = "waits"
		}
		if st.Waiting > 0 {
			mark.Text = figure.Count(st.Waiting, "record")
		}
		m.Stages[st.Name] = mark
	}
	most := int64(1)
	for _, q := range s.Queues {
		most = max(most, q.Bytes)
	}
	for _, q := range s.Queues {
		m.Queues[q.Name] = queueMark(base, q, most)
	}
	return m
}

func queueMark(base string, q view.Queue, most int64) draw.Mark {
	mark := draw.Mark{Link: base + "queue/" + q.Name, Title: fmt.Sprintf("queue %s: %s, %s, %d owed", q.Name,
		figure.Count(q.Batches, "batch"), figure.Size(q.Bytes), q.Owed)}
	if q.Batches == 0 {
		return mark
	}
	mark.Text = fmt.Sprintf("%d · %s", q.Batches, figure.Size(q.Bytes))
	if q.Owed > 0 {
		// From one byte to the largest queue in four steps, each ten times the one before it.
		mark.Weight = max(1, 4-int(math.Log10(float64(most)/float64(max(q.Bytes, 1)))))
	}
	if mark.Fill = q.Fill; q.Fill >= 1 {
		mark.Class = "full-now"
	}
	return mark
}

// style serves the style sheet of the picture.
func style(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	fmt.Fprint(w, draw.Style())
}

package site

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/chart"
	"multitext/manager/internal/window/page"
)

// lastRuns is how many runs the page of a stage lists.
const lastRuns = 8

// stagePage shows one stage: what it does now, why it does not start, and its figures over time.
func stagePage(l *look) (string, []page.Part, error) {
	st := l.Script.Stage(l.PathValue("stage"))
	if st == nil {
		return "", nil, notFound("The script of the crawl has no stage of this name.")
	}
	status, err := l.Past.Status(l.Crawl)
	if err != nil {
		return "", nil, err
	}
	i := slices.IndexFunc(status.Stages, func(s view.Stage) bool { return s.Name == st.Name })
	stage := status.Stages[i]
	list, _, err := l.Past.List(past.Filter{Stage: st.Name}, nil, lastRuns)
	if err != nil {
		return "", nil, err
	}
	runs := map[string]any{"Base": l.Base, "Stage": st.Name, "Rows": txRows(list)}
	var parts []page.Part
	err = cmp.Or(
		l.part(&parts, "stage", "stage", map[string]any{"Stage": stage, "Condition": l.condition(stage), "In": st.In,
			"Out": st.Out, "Base": l.Base, "Now": l.Now}),
		l.panesPart(&parts, st.Name),
		l.part(&parts, "charts", "charts", l.charts(st.Name)),
		l.part(&parts, "runs", "stage-runs", runs),
		l.part(&parts, "counts", "stage-counts", stage))
	return "Stage " + st.Name, parts, err
}

// A lines is one figure of a stage over time.
type lines struct {
	name, title string
	unit        chart.Unit
	of          func(past.Bucket) float64
	named       func(past.Bucket) map[string]float64 // in place of of: a line for each name
}

// mostNamed is the maximum number of lines of a figure; those with the greatest sums are drawn.
const mostNamed = 6

// stageLines are the pictures of a stage, by their names in addresses.
func stageLines() []lines {
	second := func(of func(past.Bucket) float64) func(past.Bucket) float64 {
		return func(b past.Bucket) float64 { return of(b) / b.Width.Seconds() }
	}
	one := func(name, title string, unit chart.Unit, of func(past.Bucket) float64) lines {
		return lines{name: name, title: title, unit: unit, of: of}
	}
	many := func(name, title string, of func(past.Bucket) map[string]float64) lines {
		return lines{name: name, title: title, unit: chart.CountPerSecond, named: of}
	}
	return []lines{
		one("records", "records read a second", chart.CountPerSecond, second(func(b past.Bucket) float64 { return b.Records })),
		one("bytes", "bytes written a second", chart.BytesPerSecond, second(func(b past.Bucket) float64 { return b.Bytes })),
		one("busy", "runs in progress", chart.Count, second(func(b past.Bucket) float64 { return b.Wall })),
		one("cpu", "processors used", chart.Count, second(func(b past.Bucket) float64 { return b.CPU })),
		one("memory", "peak memory of its processes", chart.Bytes, func(b past.Bucket) float64 { return float64(b.Peak) }),
		one("failed", "failed runs a second", chart.CountPerSecond, second(func(b past.Bucket) float64 { return b.Failed })),
		many("reasons", "records that went no further, a second", func(b past.Bucket) map[string]float64 { return b.Reasons }),
		many("counters", "its counters but those of bytes, a second", func(b past.Bucket) map[string]float64 {
			maps.DeleteFunc(b.Counts, func(name string, _ float64) bool { return strings.Contains(name, "bytes") })
			return b.Counts
		}),
	}
}

// A span is a piece of time that a picture can show.
type span struct {
	name string        // in addresses
	last time.Duration // 0: all the life of the crawl
}

func spans() []span {
	return []span{{"10min", 10 * time.Minute}, {"hour", time.Hour}, {"day", 24 * time.Hour}, {"life", 0}}
}

// span returns the piece of time with a name. Without a name it is the life of the crawl if that is
// short, else the last hour. It ends with the last transaction if no manager runs.
func (l *look) span(name string) (from, to time.Time, chosen string) {
	from, to = l.Past.Life(l.Crawl)
	if name == "" {
		if name = "hour"; to.Sub(from) < time.Hour {
			name = "life"
		}
	}
	for _, s := range spans() {
		if s.name == name && s.last > 0 {
			from = to.Add(-s.last)
		}
	}
	if l.Holder != nil { // the pictures move in steps, because each one costs as much as a page
		to = to.Truncate(min(max(to.Sub(from)/chartSteps, leastStep), mostStep))
	}
	if least := from.Add(time.Second); to.Before(least) {
		to = least
	}
	return from, to, name
}

// A picture is an image of a page.
type picture struct {
	Source, Text  string
	Width, Height int
}

const (
	chartWidth, chartHeight = 560, 190
	chartSteps              = 60 // a picture changes when this part of its time has passed
	leastStep, mostStep     = 2 * time.Second, 5 * time.Minute
)

// charts lists the pictures of a stage.
func (l *look) charts(stage string) map[string]any {
	at := "stage/" + stage
	from, to, chosen := l.span(l.URL.Query().Get("span"))
	type choice struct {
		Name, Link string
		Chosen     bool
	}
	var choices []choice
	for _, s := range spans() {
		choices = append(choices, choice{s.name, l.Base + at + "?span=" + s.name, s.name == chosen})
	}
	var pictures []picture
	for _, line := range stageLines() {
		drawn := l.draw(stage, line, from, to)
		if len(drawn.Lines) == 0 { // it has no reasons, or no counters
			continue
		}
		pictures = append(pictures, picture{l.Base + "chart/" + at + "/" + line.name + ".svg?span=" + chosen + "&to=" +
			to.UTC().Format("150405"), drawn.Text(), chartWidth, chartHeight})
	}
	return map[string]any{"Charts": pictures, "Spans": choices}
}

// draw draws a figure of a stage.
func (l *look) draw(stage string, line lines, from, to time.Time) *chart.Lines {
	n := min(chart.MaxPoints/2, max(1, int(to.Sub(from)/time.Second))) // no bucket is shorter than a second
	buckets := l.Past.Stage(stage, from, to, n)
	for i, b := range buckets { // the history has only runs that have ended
		buckets[i].Wall += unended(l.Crawl, stage, b.Begin, b.Begin.Add(b.Width))
	}
	return &chart.Lines{Title: line.title, Width: chartWidth, Height: chartHeight, From: from, To: to, Unit: line.unit,
		Lines: line.over(buckets)}
}

// over returns the lines of a figure over buckets.
func (f lines) over(buckets []past.Bucket) []chart.Line {
	if f.named == nil {
		values := make([]float64, len(buckets))
		for i, b := range buckets {
			values[i] = f.of(b)
		}
		return []chart.Line{{Name: f.name, Values: values}}
	}
	sums := map[string]float64{}
	for _, b := range buckets {
		for name, n := range f.named(b) {
			sums[name] += n
		}
	}
	names := slices.SortedFunc(maps.Keys(sums), func(a, b string) int {
		return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b))
	})
	var all []chart.Line
	for _, name := range names[:min(len(names), mostNamed)] {
		values := make([]float64, len(buckets))
		for i, b := range buckets {
			values[i] = f.named(b)[name] / b.Width.Seconds()
		}
		all = append(all, chart.Line{Name: name, Values: values})
	}
	return all
}

// chart answers with a picture of a stage.
func (s *Site) chart(w http.ResponseWriter, r *http.Request) {
	c, err := s.crawl(r.PathValue("crawl"))
	var drawn *chart.Lines
	if err == nil {
		err = c.With(func(v *view.Crawl, p *past.Past) error {
			l := &look{Request: r, Crawl: v, Past: p}
			i := slices.IndexFunc(stageLines(), func(k lines) bool { return k.name+".svg" == r.PathValue("line") })
			if i < 0 {
				return notFound("There is no picture of this name.")
			}
			from, to, _ := l.span(r.URL.Query().Get("span"))
			drawn = l.draw(r.PathValue("stage"), stageLines()[i], from, to)
			return nil
		})
	}
	var picture []byte
	if err == nil {
		s.feeds.throttle.charge(func() { picture, err = drawn.SVG() })
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Write(picture)
}

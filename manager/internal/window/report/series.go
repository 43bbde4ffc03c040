package report

import (
	"fmt"
	"slices"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/chart"
	"multitext/manager/internal/window/verdict"
)

// series are values over the life of a crawl, in equal intervals.
type series struct {
	records, bytes       []chart.Line // of each stage: read and written a second
	processors           []chart.Line // of each stage: CPU seconds a second
	batches, queuedBytes []chart.Line // of each queue
	used                 map[string]used
}

// used is what all runs of a stage took, in seconds.
type used struct{ wall, cpu float64 }

// computing is the share of its time in which a stage used a processor.
func (s *series) computing(stage string) float64 {
	return verdict.Computing(s.used[stage].cpu, s.used[stage].wall)
}

// intervals is the number of values of a line, or fewer if the crawl has not so many seconds.
const intervals = 240

// readSeries reads them. Stages and queues at which nothing ever was are left out.
func readSeries(v *view.Crawl, p *past.Past, queues []view.Queue, from, to time.Time) *series {
	s := &series{used: map[string]used{}}
	n := intervals
	if seconds := int(to.Sub(from).Seconds()); seconds < n {
		n = max(seconds, 1) // a bucket is a second long
	}
	for _, name := range v.StageNames() {
		var records, bytes, processors []float64
		for _, b := range p.Stage(name, from, to, n) {
			width := b.Width.Seconds()
			records, bytes = append(records, b.Records/width), append(bytes, b.Bytes/width)
			processors = append(processors, b.CPU/width)
			u := s.used[name]
			s.used[name] = used{u.wall + b.Wall, u.cpu + b.CPU}
		}
		s.records, s.bytes = add(s.records, name, records), add(s.bytes, name, bytes)
		s.processors = add(s.processors, name, processors)
	}
	for _, q := range queues {
		var batches, bytes []float64
		now := past.Change{Batches: float64(q.Batches), Bytes: float64(q.Bytes)}
		for _, l := range p.Levels(q.Name, now, from, to, n) {
			batches, bytes = append(batches, max(l.Batches, 0)), append(bytes, max(l.Bytes, 0))
		}
		s.batches, s.queuedBytes = add(s.batches, q.Name, batches), add(s.queuedBytes, q.Name, bytes)
	}
	for _, lines := range []*[]chart.Line{&s.records, &s.bytes, &s.processors, &s.batches, &s.queuedBytes} {
		*lines = most(*lines)
	}
	return s
}

// add adds a line that is not 0 from end to end.
func add(lines []chart.Line, name string, values []float64) []chart.Line {
	if slices.Max(values) <= 0 {
		return lines
	}
	return append(lines, chart.Line{Name: name, Values: values})
}

// mostLines are in one picture; the rest is one line.
const mostLines = 16

// most keeps the lines with the greatest sums, in their order, and adds up the others.
func most(lines []chart.Line) []chart.Line {
	if len(lines) <= mostLines {
		return lines
	}
	var sums []float64
	for _, l := range lines {
		sums = append(sums, sum(l.Values))
	}
	sorted := slices.Sorted(slices.Values(sums))
	least := sorted[len(sorted)-mostLines+1]
	var kept []chart.Line
	rest := make([]float64, len(lines[0].Values))
	for i, l := range lines {
		if sums[i] >= least && len(kept) < mostLines-1 {
			kept = append(kept, l)
			continue
		}
		for j, v := range l.Values {
			rest[j] += v
		}
	}
	return append(kept, chart.Line{Name: fmt.Sprintf("%d others", len(lines)-len(kept)), Values: rest})
}

func sum(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

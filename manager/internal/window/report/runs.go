package report

import (
	"math"
	"time"

	"multitext/txlog"
)

// runs are the single runs of a crawl, as far as they are shown.
type runs struct {
	stages   map[string]*sample
	failures []failure // the newest, oldest first
	failed   int       // all
	n        uint64    // transactions in the history
}

// A failure is a run that did not commit.
type failure struct {
	Tx          uint64
	Stage       string
	When        time.Time
	Why, Stderr string
}

const (
	mostFailures = 50
	mostStderr   = 2000 // bytes of a failed run
)

func (r *runs) add(record txlog.Record) {
	r.n++
	switch a := record.(type) {
	case *txlog.Commit:
		r.take(a.Stage, a.Run)
	case *txlog.Abort:
		r.take(a.Stage, a.Run)
		if !a.Failed() {
			return
		}
		r.failed++
		r.failures = append(r.failures, failure{a.Tx, a.Stage, a.Run.End, a.Why, tail(a.Run.Stderr, mostStderr)})
		if len(r.failures) > 2*mostFailures {
			r.failures = append(r.failures[:0], r.failures[mostFailures:]...)
		}
	}
}

// newest are the failures that are shown, the newest first.
func (r *runs) newest() (shown []failure) {
	for i := len(r.failures) - 1; i >= 0 && len(shown) < mostFailures; i-- {
		shown = append(shown, r.failures[i])
	}
	return shown
}

func (r *runs) take(stage string, run txlog.Run) {
	if stage == "" || run.Start.IsZero() {
		return // a request, which ran nothing
	}
	s := r.stages[stage]
	if s == nil {
		s = newSample()
		r.stages[stage] = s
	}
	s.add([measures]float64{max(run.End.Sub(run.Start), 0).Seconds(), run.CPU.Seconds(), float64(run.Memory)})
}

// What is measured of a run.
const (
	wall   = iota // seconds
	cpu           // seconds
	memory        // bytes
	measures
)

// A sample is each n-th run of a stage, so that there are at most mostRuns of them, and the least
// and the greatest of all.
type sample struct {
	n, step     int
	kept        [][measures]float64
	least, most [measures]float64
}

const mostRuns = 2000

func newSample() *sample {
	s := &sample{step: 1}
	for m := range measures {
		s.least[m], s.most[m] = math.Inf(1), math.Inf(-1)
	}
	return s
}

func (s *sample) add(v [measures]float64) {
	for m := range measures {
		s.least[m], s.most[m] = min(s.least[m], v[m]), max(s.most[m], v[m])
	}
	if s.n++; (s.n-1)%s.step != 0 {
		return
	}
	if s.kept = append(s.kept, v); len(s.kept) < mostRuns {
		return
	}
	half := s.kept[:0]
	for i := 0; i < len(s.kept); i += 2 {
		half = append(half, s.kept[i])
	}
	s.kept, s.step = half, 2*s.step
}

// values are those of one measure.
func (s *sample) values(measure int) (values []float64) {
	if s == nil {
		return nil
	}
	for _, v := range s.kept {
		values = append(values, v[measure])
	}
	return append(values, s.least[measure], s.most[measure])
}

// tail is the end of a text.
func tail(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}

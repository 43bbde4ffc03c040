// Package again writes URLs that cannot be processed now to batches that are due later.
//
// The due time belongs to the batch, not to the URL: each part of the output has one due time. The
// report has it as
//
//	later FILE TIME
//
// A crawl has thousands of URLs that wait for different times, and a file for each would be too
// small. So waits are rounded up to one of 5 s, 10 s, 20 s … 2560 s, 1 h, with one part for each. A
// run writes at most twelve parts, including the one that is due at once. A part is due when the
// last of its records is due. No wait is longer than an hour.
//
// Standard output has no parts, and no URL waits there.
//
// A waiting record loses the attributes from resolve (addr, until, delay), because they are stale
// when the record is due.
package again

import (
	"errors"
	"maps"
	"slices"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
)

// Bounds of a wait.
const (
	Shortest = 5 * time.Second
	Longest  = time.Hour
)

// After returns how long a URL waits after its tries-th failed try, counted from 1. The first wait
// is first. It doubles after each try, up to Longest.
func After(first time.Duration, tries int64) time.Duration {
	wait := first
	for ; tries > 1 && wait > 0 && wait < Longest; tries-- {
		wait *= 2
	}
	return min(wait, Longest)
}

// Writer writes one output of waiting URLs.
type Writer struct {
	parts  *output.Parts
	stdout bool
	rep    *report.Report
	rungs  map[time.Duration]*rung
}

// rung is the part for records whose waits are rounded up to the same length.
type rung struct {
	w   *urlbatch.Writer
	due time.Time
}

// NewWriter returns a Writer for the output whose first part is path. The Writer adds its parts and
// their due times to rep.
func NewWriter(files *output.Run, path string, rep *report.Report) *Writer {
	return &Writer{
		parts:  files.Parts(path),
		stdout: path == output.Stdout,
		rep:    rep,
		rungs:  map[time.Duration]*rung{},
	}
}

// Add writes rec, without its pin, to a part that is due when wait has passed since now, or a
// little later. With a wait of 0 or less it is due at once. Add modifies rec.
func (w *Writer) Add(rec *urlbatch.Record, now time.Time, wait time.Duration) error {
	wait = round(wait)
	if w.stdout {
		wait = 0
	}
	rec.Del(urlbatch.Addr, urlbatch.Until, urlbatch.Delay)
	r := w.rungs[wait]
	if r == nil {
		r = &rung{w: urlbatch.NewPartsWriter(w.parts, w.rep.Out)}
		w.rungs[wait] = r
	}
	if due := now.Add(wait); wait > 0 && due.After(r.due) {
		r.due = due
	}
	return r.w.Write(rec)
}

// round rounds wait up to a rung of the ladder.
func round(wait time.Duration) time.Duration {
	if wait <= 0 {
		return 0
	}
	for rung := Shortest; rung < Longest; rung *= 2 {
		if wait <= rung {
			return rung
		}
	}
	return Longest
}

// Close closes every part, in the order of waits, and reports its due time, rounded up to whole
// seconds.
func (w *Writer) Close() error {
	var errs []error
	byDue := func(a, b *rung) int { return a.due.Compare(b.due) }
	for _, r := range slices.SortedFunc(maps.Values(w.rungs), byDue) {
		path := r.w.Path()
		errs = append(errs, r.w.Close())
		if !r.due.IsZero() {
			w.rep.Later(path, r.due.Add(time.Second-1).Truncate(time.Second))
		}
	}
	return errors.Join(errs...)
}

// Package report writes what one run of a stage did: the file the manager commits.
//
// stages/README.md describes its lines, in "The contract". They are written in the order of the
// table there, and reasons and counts sorted by name. So the same run writes the same bytes.
//
// The law is in = Σ out + Σ reason: no record is lost silently. WriteFile and Summary check it, so
// that a stage that violates the law fails instead of committing. A run writes its report last,
// after every output is closed.
package report

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Report collects what a run did. It is safe for concurrent use.
type Report struct {
	mu       sync.Mutex
	in       int64
	out      []part
	made     []part
	reasons  map[string]int64
	counts   map[string]int64
	gauges   map[string]int64
	because  map[string]because
	replaces []string
	later    []due
	notes    []string

	open   int64            // number of the current record, from 1; 0: none
	blamed map[int64]string // reasons of the records to skip, by number
}

type part struct {
	path          string
	records, size int64
	sum           uint64
}

type because struct {
	n               int64
	example, remedy string
}

// maxExample is the maximum size of an example, in bytes.
const maxExample = 200

type due struct {
	word string // later or latest
	path string
	at   time.Time
}

// New returns an empty report.
func New() *Report {
	return &Report{reasons: map[string]int64{}, counts: map[string]int64{},
		gauges: map[string]int64{}, because: map[string]because{}}
}

// In adds n records read.
func (r *Report) In(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.in += n
}

// Blame sets the input records that Begin skips. records maps their numbers, from 1, to the reasons
// to report.
func (r *Report) Blame(records map[int64]string) { r.blamed = records }

// Begin counts one input record and reports whether to read it, that is, whether it is not blamed.
// The record is the current one until End.
func (r *Report) Begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.in++
	if reason, ok := r.blamed[r.in]; ok {
		r.reasons[reason]++
		return false
	}
	r.open = r.in
	return true
}

// End marks the end of the record of the last Begin.
func (r *Report) End() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = 0
}

// UnderWay returns the number of the record between Begin and End, or 0.
func (r *Report) UnderWay() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open
}

// Out adds a part of an output: records of the input's unit. It is an output.Done.
func (r *Report) Out(path string, records, size int64, sum uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out = append(r.out, part{path, records, size, sum})
}

// Made adds a part whose records are of another unit than those of the input. It is an output.Done.
func (r *Report) Made(path string, records, size int64, sum uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made = append(r.made, part{path, records, size, sum})
}

// Reason adds n records that end here with the reason name. If n is 0, nothing is added.
func (r *Report) Reason(name string, n int64) {
	if n == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reasons[name] += n
}

// Count adds n to the counter name.
func (r *Report) Count(name string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[name] += n
}

// Gauge sets the number name as it is after the run, such as the size of a state. Over several runs
// the last one counts, where a Count is summed.
func (r *Report) Gauge(name string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gauges[name] = n
}

// Because adds n records that go no further with the reason name. example is one of them. remedy
// says what the user can do about it, and is usually "". The first example of a run is kept. These
// records do not count in the law; call Reason or Out too.
func (r *Report) Because(name string, n int64, example, remedy string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, ok := r.because[name]
	if !ok {
		b.example, b.remedy = example[:min(len(example), maxExample)], remedy
	}
	b.n += n
	r.because[name] = b
}

// Replaces reports that the new segment replaces segment, a path in the list of the state. Only the
// newest segments may be replaced.
func (r *Report) Replaces(segment string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replaces = append(r.replaces, segment)
}

// Later reports that the output part at path is not due before at.
func (r *Report) Later(path string, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.later = append(r.later, due{"later", path, at})
}

// Latest reports that the output part at path is not due before at, unless nothing runs and nothing else
// can start.
func (r *Report) Latest(path string, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.later = append(r.later, due{"latest", path, at})
}

// Note adds a sentence for people.
func (r *Report) Note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, text)
}

// check verifies the law, in = Σ out + Σ reason, and the form of names. The caller holds the lock.
func (r *Report) check() error {
	//failpoint:report-unchecked return nil
	for _, name := range slices.Concat(keys(r.reasons), keys(r.counts), keys(r.gauges), keys(r.because)) {
		if !ValidName(name) {
			return fmt.Errorf("report: name %q may contain only a-z, 0-9 and -", name)
		}
	}
	out, reasons := records(r.out), int64(0)
	for _, n := range r.reasons {
		reasons += n
	}
	if r.in != out+reasons {
		return fmt.Errorf("report: %d records read, but %d written and %d accounted for by reasons: %d are missing",
			r.in, out, reasons, r.in-out-reasons)
	}
	return nil
}

// records returns the number of records in parts.
func records(parts []part) (n int64) {
	for _, p := range parts {
		n += p.records
	}
	return n
}

func keys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// ValidName reports whether s is a valid NAME in a report.
func ValidName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return s != ""
}

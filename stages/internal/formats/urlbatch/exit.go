package urlbatch

import (
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
)

// An Exit takes the records of a run that go no further. It sets the attribute reason and writes
// the record to a separate output. Without an output the record ends here with that reason. An Exit
// is not safe for concurrent use.
type Exit struct {
	Counter string                                  // how the counters of the output's records begin
	Remedy  func(rec *Record, reason string) string // what a user may do about it; nil: nothing

	rep     *report.Report
	out     *Writer // nil: there is no output
	reasons map[string]*exited
}

// exited counts the records with one reason.
type exited struct {
	n               int64
	example, remedy string // of the first
}

// NewExit returns an Exit. path is the first part of its output; "" means no output.
func NewExit(files *output.Run, path string, rep *report.Report) *Exit {
	e := &Exit{rep: rep, reasons: map[string]*exited{}}
	if path != "" {
		e.out = NewWriter(files, path, rep.Out)
	}
	return e
}

// Take takes a record.
func (e *Exit) Take(rec *Record, reason string) error {
	all := e.reasons[reason]
	if all == nil {
		all = &exited{example: rec.URL()}
		if e.Remedy != nil {
			all.remedy = e.Remedy(rec, reason)
		}
		e.reasons[reason] = all
	}
	all.n++
	if e.out == nil {
		return nil
	}
	rec.Set(Reason, reason)
	return e.out.Write(rec)
}

// TakeBad takes the record that Each makes for a line that is not a record.
func (e *Exit) TakeBad(rec *Record) error { return e.Take(rec, BadLine) }

// Close closes the output, and reports the number of records for each reason.
func (e *Exit) Close() error {
	for reason, all := range e.reasons {
		if e.out == nil {
			e.rep.Reason(reason, all.n)
		} else {
			e.rep.Count(e.Counter+reason, all.n)
		}
		e.rep.Because(reason, all.n, all.example, all.remedy)
	}
	if e.out == nil {
		return nil
	}
	return e.out.Close()
}

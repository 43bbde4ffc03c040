package stage

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"syscall"
	"time"
)

// A record is untrusted and may break the code that reads it. Without this file its whole batch
// would fail and be set aside. Instead the run begins again and skips the record, which ends with a
// separate reason. The new attempt shares nothing with the broken one, whose files are removed.
// Only records between Begin and End of the report are watched, and only in runs that can begin
// again: with -report, and without standard input and output.
//
// Other limits protect against what a Go program cannot survive: running out of memory or stack.

// Reasons of records that broke the program.
const (
	reasonPanic = "panicked"
	reasonTime  = "out-of-time"
)

const (
	// longestRecord is the CPU time that a record may use. The largest page uses a second.
	longestRecord = 20 * time.Second
	// maxBlamed is the maximum number of blamed records in a run. If there are more, the program
	// itself is broken.
	maxBlamed = 16
)

func (t Tool) recordTime() time.Duration {
	if t.longest > 0 {
		return t.longest
	}
	return longestRecord
}

// A recordError says that a record broke the program.
type recordError struct {
	record int64 // number of the record, from 1
	reason string
	how    string
}

func (e *recordError) Error() string {
	return fmt.Sprintf("record %d: %s: %s", e.record, e.reason, e.how)
}

// repeatable reports whether the run can begin again: it uses neither standard input nor output.
func (e *Env) repeatable() bool { return !slices.Contains(e.Inputs, "-") && !e.Files.Streams() }

// shielded runs body. If body panics, it blames the current record.
func shielded(ctx context.Context, body Body, env *Env) (err error) {
	defer func() {
		n := env.Report.UnderWay()
		if n == 0 {
			return // a panic goes on
		}
		if p := recover(); p != nil {
			err = &recordError{n, reasonPanic, fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	return body(ctx, env)
}

// A watch checks from time to time whether one record takes too long.
type watch struct {
	env     *Env
	longest time.Duration
	record  int64         // the current record at the last check
	since   time.Duration // CPU time of the process when it was first seen
}

func (w *watch) look() error {
	n, now := w.env.Report.UnderWay(), cpuTime()
	if n == 0 || n != w.record {
		w.record, w.since = n, now
		return nil
	}
	if now-w.since < w.longest {
		return nil
	}
	return &recordError{n, reasonTime, fmt.Sprintf("no end after %v of CPU", now-w.since)}
}

// cpuTime returns the CPU time of the process. It does not grow while the machine is suspended or
// busy with other programs.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

package runner

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

const (
	stderrKept = 64 << 10 // bytes kept of the stderr of a run whose input is set aside
	maxWait    = time.Hour
	breakAfter = 5 // failures in a row on different batches, after which the stage rests
	breakFor   = 5 * time.Minute
)

// abort ends a run that does not commit. It prints what waits, and how long.
func (c *runner) abort(r *run, why cause) error {
	st := r.take.Stage
	memory := c.state.Stage(st.Name)
	rec := &txlog.Abort{Tx: r.number, Stage: st.Name, Run: r.record, Inputs: r.inputs, Why: why.reason,
		Row: memory.Row, Rest: memory.Rest}
	switch {
	case why.later:
		c.putOff(rec, r)
	case why.charged:
		c.charge(rec, r)
	case why.command:
		c.streak(st.Name).refused++
		rec.Row++
		rec.Rest = r.record.End.Add(breakFor)
	}
	for _, b := range r.take.Batches() {
		if m := b.Mark(st.Name); slices.Contains(why.gone, b.Name) {
			m.Aside = true
			rec.Marks = append(rec.Marks, m)
		}
	}
	stderr := ""
	if r.process != nil {
		stderr = workdir.Tail(r.tx.File("stderr"), stderrKept)
	}
	if err := c.appendAbort(rec); err != nil {
		return err
	}
	if r.process != nil && slices.ContainsFunc(rec.Marks, func(m txlog.Mark) bool { return m.Aside }) {
		c.keepStderr(rec.Tx, stderr)
	}
	now := time.Now()
	if why.machine {
		rec.Why += fmt.Sprintf("; it is retried in %s", c.refuse(r.take, now))
	} else {
		c.table.Aborted(r.take, now)
	}
	c.out.Aborted(rec)
	switch {
	case why.later && c.hopeless(st):
		c.lose(r, "said \"try later\"", c.streak(st.Name).laters)
	case why.command && c.streak(st.Name).refused > st.Retry && !c.Script.Stop.Never:
		c.lose(r, "refused its command", c.streak(st.Name).refused)
	}
	return nil
}

// lose lets the crawl end without a stage. The inputs of the stage wait for the next start.
func (c *runner) lose(r *run, did string, times int) {
	c.table.Lose(r.take)
	c.out.Line(fmt.Sprintf("%s has %s %s in a row; when nothing else is left to do the crawl ends without it",
		r.take.Stage.Name, did, figure.Count(times, "time")))
}

// hopeless reports whether a stage that the clock starts has said "try later" even after the
// longest rest. This takes hours unless its wait is long. In a crawl that never ends no stage is
// hopeless.
func (c *runner) hopeless(st *script.Stage) bool {
	n := c.streak(st.Name).laters
	return !c.Script.Stop.Never && len(st.In) == 0 && n > 1 && doubling(st.Wait, n-1) == maxWait
}

// appendAbort writes the abort line and removes the files of the run. It removes the files first,
// because on a full disk this makes room for the line. It removes the directory last. Until the
// line is written, only the directory keeps the number from being used again.
func (c *runner) appendAbort(rec *txlog.Abort) error {
	if err := c.Dir.Empty(rec.Tx); err != nil {
		return err
	}
	if err := c.Log.Append(rec); err != nil {
		return err
	}
	return c.Dir.Clear(rec.Tx)
}

// refuse makes a stage rest after a failure that counts against no input. Each rest is longer than
// the previous one.
func (c *runner) refuse(k *sched.Take, now time.Time) time.Duration {
	streak := c.streak(k.Stage.Name)
	streak.refused++
	wait := min(doubling(time.Second, streak.refused), breakFor)
	//failpoint:short-rests wait = min(wait/100, 50*time.Millisecond)
	c.table.Refused(k, now, now.Add(wait))
	return wait
}

// putOff makes the inputs of a run wait that exited with "try later", longer each time. If the run
// has no inputs, the stage rests.
func (c *runner) putOff(rec *txlog.Abort, r *run) {
	for _, b := range r.take.Batches() {
		m := b.Mark(rec.Stage)
		m.Laters++
		m.Until = r.record.End.Add(doubling(r.take.Stage.Wait, m.Laters))
		rec.Marks = append(rec.Marks, m)
	}
	if len(r.inputs) == 0 {
		c.streak(rec.Stage).laters++
		rec.Rest = r.record.End.Add(doubling(r.take.Stage.Wait, c.streak(rec.Stage).laters))
	}
}

// charge records a failure. If there are several inputs, it is unknown which of them caused the
// failure. Then the failure counts against none of them, and each is run alone.
func (c *runner) charge(rec *txlog.Abort, r *run) {
	st := r.take.Stage
	batches := r.take.Batches()
	if len(batches) == 0 || c.streak(st.Name).last != batches[0].Name {
		rec.Row++
	}
	for _, b := range batches {
		c.streak(st.Name).last = b.Name
		m := b.Mark(st.Name)
		switch {
		case len(batches) > 1:
			m.Alone = true
		case m.Fails >= st.Retry:
			m.Fails++
			m.Aside = true
		default:
			m.Fails++
			m.Until = r.record.End.Add(doubling(st.Wait, m.Fails))
		}
		rec.Marks = append(rec.Marks, m)
	}
	switch {
	case len(batches) == 0:
		rec.Rest = r.record.End.Add(doubling(st.Wait, rec.Row))
	case rec.Row >= breakAfter:
		rec.Rest = r.record.End.Add(breakFor)
		//failpoint:short-rests rec.Rest = r.record.End.Add(50 * time.Millisecond)
	}
}

// doubling returns the n-th wait; the first one is n = 1.
func doubling(first time.Duration, n int) time.Duration {
	wait := first
	for ; n > 1 && wait < maxWait; n-- {
		wait *= 2
	}
	return min(wait, maxWait)
}

// keepStderr stores the end of the stderr of a run whose input was set aside. It runs after the
// abort line is written, because no start removes the file of a run without an abort line. The file
// is not essential, so keepStderr only prints an error.
func (c *runner) keepStderr(tx uint64, text string) {
	if err := c.Dir.Write(c.Dir.FailedPath(tx), []byte(text+"\n")); err != nil {
		c.out.Line("stderr of the failed run could not be stored: " + err.Error())
	}
}

// cannotStart returns the cause for a program that could not be started. The failure counts against
// no input, and the stage rests, longer each time. If an input is missing, it is set aside.
func cannotStart(err error) cause {
	why := cause{reason: "cannot start: " + err.Error(), machine: true}
	if l := (*lost)(nil); errors.As(err, &l) {
		why.gone, why.machine = l.inputs, len(l.inputs) == 0
	}
	return why
}

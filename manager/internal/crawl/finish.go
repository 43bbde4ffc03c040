package crawl

import (
	"fmt"
	"os"
	"slices"
	"time"

	"multitext/manager/internal/sched"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const (
	stderrInLog = 4 << 10  // of stderr, what a line of the log holds
	stderrKept  = 64 << 10 // of stderr, what is kept of a run whose input is set aside
	tryLater    = 75       // exit code (EX_TEMPFAIL): not now, and nobody's fault
	maxWait     = time.Hour
	breakAfter  = 5 // failures in a row on different batches rest the stage
	breakFor    = 5 * time.Minute
)

// handle decides what becomes of a run that has ended.
func (ev *ended) handle(c *Crawl) error {
	r := ev.run
	delete(c.runs, r.tx.Number)
	r.record.Exit, r.record.CPU, r.record.Memory = ev.result.Exit, ev.result.CPU, ev.result.Memory
	r.record.Stderr = workdir.Tail(r.tx.File("stderr"), stderrInLog)
	var err error
	if why := c.judgeExit(ev); why.reason == "" {
		err = c.commit(ev)
	} else {
		err = c.abort(r, why)
	}
	if err != nil {
		return err
	}
	if err := c.letGo(r); err != nil {
		return err
	}
	if c.Log.Full() {
		return c.Log.Checkpoint()
	}
	return nil
}

// A cause says why a run does not count.
type cause struct {
	reason  string
	later   bool // exit 75
	machine bool // it was no fault of the run
	charged bool
}

// judgeExit tells how the run ended; the zero cause is a commit.
func (c *Crawl) judgeExit(ev *ended) cause {
	switch {
	case ev.result.Code == 0 && ev.err == nil && ev.machine == nil:
		return cause{}
	case c.killed && ev.result.Code != 0:
		return cause{reason: "stopped"}
	case !c.table.Disk(c.environment()).OK:
		return cause{reason: "the disk is full", machine: true}
	case ev.machine != nil:
		return cause{reason: "its files could not be made durable: " + ev.machine.Error(), machine: true}
	case ev.run.timedOut.Load():
		ev.run.record.Exit = "timeout"
		return cause{reason: fmt.Sprintf("not done after its timeout of %s", ev.run.take.Stage.Timeout), charged: true}
	case ev.err != nil:
		return cause{reason: ev.err.Error(), charged: true}
	case ev.result.Code == tryLater:
		return cause{reason: "try later", later: true}
	}
	return cause{reason: "exit " + ev.result.Exit, charged: true}
}

// commit makes the run count, then carries out what follows from it.
func (c *Crawl) commit(ev *ended) error {
	r, v := ev.run, ev.verdict
	rec := &txlog.Commit{Tx: r.tx.Number, Stage: r.take.Stage.Name, Run: r.record, Inputs: r.inputs, Read: v.Read,
		Outputs: v.Outputs, Segments: v.Segments, Replaced: v.Replaced,
		Reasons: v.Reasons, Counts: v.Counts, Notes: v.Notes}
	if len(v.Segments) > 0 {
		rec.State = r.take.Stage.State
	}
	for i, b := range r.take.Batches() {
		rec.Inputs[i].Gone = !owed(c.Script.Queue(b.Name.Dir()), b, r.take.Stage.Name)
	}
	if err := c.apply(rec); err != nil {
		return err
	}
	delete(c.last, r.take.Stage.Name)
	delete(c.refused, r.take.Stage.Name)
	delete(c.laters, r.take.Stage.Name)
	c.replaced = append(c.replaced, rec.Replaced...)
	c.table.Committed(r.take)
	now := time.Now()
	for _, o := range rec.Outputs {
		if b := c.state.Batches[o.Name]; b != nil {
			c.table.Add(b, now)
		}
	}
	c.out.Committed(rec)
	return c.Dir.Clear(rec.Tx)
}

// apply appends a commit and carries out its redo actions: outputs are renamed
// into their queues, then what left the live set is removed.
func (st *Store) apply(rec *txlog.Commit) error {
	forgotten := st.forgottenSegments(rec)
	if err := st.Log.Append(rec); err != nil {
		return err
	}
	for _, outputs := range [][]txlog.Output{rec.Outputs, rec.Segments} {
		for _, o := range outputs {
			if err := st.Dir.Place(rec.Tx, o.Name); err != nil {
				return fmt.Errorf("transaction %d is committed and will be finished by the next start: %w", rec.Tx, err)
			}
			st.Log.Done(o.Name)
		}
	}
	for _, in := range rec.Inputs {
		if in.Gone {
			if err := st.remove(in.Name); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Concat(rec.Gone, forgotten) {
		if err := st.remove(name); err != nil {
			return err
		}
	}
	return nil
}

// forgottenSegments are those of the states that a record lets go of. No run was
// handed them: the script does not name their state.
func (st *Store) forgottenSegments(rec *txlog.Commit) (names []txlog.Name) {
	for _, f := range rec.Forget {
		if f.Kind != "state" {
			continue
		}
		for _, seg := range st.Log.State.Segments[f.Name] {
			names = append(names, seg.Name)
		}
	}
	return names
}

func (st *Store) remove(name txlog.Name) error {
	if err := st.Dir.Remove(name); err != nil {
		return fmt.Errorf("%s was read and will be removed by the next start: %w", name, err)
	}
	st.Log.Done(name)
	return nil
}

// letGo gives up the segments that a run was handed, and removes those that were
// replaced and that no run was handed any more. After a crash no run is left, and
// recovery removes them all.
func (c *Crawl) letGo(r *run) error {
	for _, name := range r.segments {
		if c.inUse[name]--; c.inUse[name] == 0 {
			delete(c.inUse, name)
		}
	}
	used := c.replaced[:0]
	for _, name := range c.replaced {
		if c.inUse[name] > 0 {
			used = append(used, name)
		} else if err := c.remove(name); err != nil {
			return err
		}
	}
	c.replaced = used
	return nil
}

// abort ends a run that does not count and says what waits how long for it.
func (c *Crawl) abort(r *run, why cause) error {
	st := r.take.Stage
	rec := &txlog.Abort{Tx: r.tx.Number, Stage: st.Name, Run: r.record, Inputs: r.inputs, Why: why.reason}
	memory := c.state.Stage(st.Name)
	rec.Row, rec.Rest = memory.Row, memory.Rest
	switch {
	case why.later:
		c.putOff(rec, r)
	case why.charged:
		c.charge(rec, r)
	}
	stderr := workdir.Tail(r.tx.File("stderr"), stderrKept)
	if err := c.appendAbort(rec); err != nil {
		return err
	}
	if slices.ContainsFunc(rec.Marks, func(m txlog.Mark) bool { return m.Aside }) {
		c.keepStderr(rec.Tx, stderr)
	}
	now := time.Now()
	if why.machine {
		rec.Why += fmt.Sprintf("; it is tried again in %s", c.refuse(r.take, now))
	} else {
		c.table.Aborted(r.take, now)
	}
	c.out.Aborted(rec)
	return nil
}

// appendAbort makes the abort known and removes what the run left: its files
// first, for on a full disk they make the room that the line needs, and its
// directory last, for until the line is there it alone keeps the number from
// being used again.
func (c *Crawl) appendAbort(rec *txlog.Abort) error {
	if err := c.Dir.Empty(rec.Tx); err != nil {
		return err
	}
	if err := c.Log.Append(rec); err != nil {
		return err
	}
	return c.Dir.Clear(rec.Tx)
}

// refuse rests a stage that nobody can be charged for, longer each time.
func (c *Crawl) refuse(k *sched.Take, now time.Time) time.Duration {
	c.refused[k.Stage.Name]++
	wait := min(doubling(time.Second, c.refused[k.Stage.Name]), breakFor)
	c.table.Refused(k, now, now.Add(wait))
	return wait
}

// putOff holds the inputs of a run that asked for it, longer each time; a stage
// that has none rests.
func (c *Crawl) putOff(rec *txlog.Abort, r *run) {
	for _, b := range r.take.Batches() {
		m := b.Mark(rec.Stage)
		m.Laters++
		m.Until = r.record.End.Add(doubling(r.take.Stage.Wait, m.Laters))
		rec.Marks = append(rec.Marks, m)
	}
	if len(r.inputs) == 0 {
		c.laters[rec.Stage]++
		rec.Rest = r.record.End.Add(doubling(r.take.Stage.Wait, c.laters[rec.Stage]))
	}
}

// charge notes a failure. Of several inputs nobody knows whose fault it was:
// none is charged, and each will be run alone.
func (c *Crawl) charge(rec *txlog.Abort, r *run) {
	st := r.take.Stage
	batches := r.take.Batches()
	if len(batches) == 0 || c.last[st.Name] != batches[0].Name {
		rec.Row++
	}
	for _, b := range batches {
		c.last[st.Name] = b.Name
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
	}
}

// doubling is the n-th wait, n from 1.
func doubling(first time.Duration, n int) time.Duration {
	wait := first
	for ; n > 1 && wait < maxWait; n-- {
		wait *= 2
	}
	return min(wait, maxWait)
}

// keepStderr keeps the end of stderr of a run whose input was set aside, after
// the line that says so: no start would ever take it away of a run without one.
// Losing it loses no data, so a failure is only said.
func (c *Crawl) keepStderr(tx uint64, text string) {
	if err := os.WriteFile(c.Dir.FailedPath(tx), []byte(text+"\n"), 0o666); err != nil {
		c.out.Line("stderr of the failed run could not be kept: " + err.Error())
	}
}

// cannotStart ends a transaction whose program could not be started. Nobody is
// charged: the stage rests, longer each time.
func (c *Crawl) cannotStart(r *run, number uint64, cause error) error {
	st := r.take.Stage
	now := time.Now()
	rec := &txlog.Abort{Tx: number, Stage: st.Name, Run: txlog.Run{Start: now, End: now}, Inputs: r.inputs,
		Why: "cannot start: " + cause.Error(), Row: c.state.Stage(st.Name).Row, Rest: c.state.Stage(st.Name).Rest}
	if err := c.appendAbort(rec); err != nil {
		return err
	}
	rec.Why += fmt.Sprintf("; it is tried again in %s", c.refuse(r.take, now))
	c.out.Aborted(rec)
	return nil
}

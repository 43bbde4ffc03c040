package runner

import (
	"fmt"
	"strings"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/fault"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const (
	stderrInLog = 4 << 10 // of stderr, what a line of the log holds
	tryLater    = 75      // exit code (EX_TEMPFAIL): not now, and nobody's fault
	badCommand  = 2       // exit code: the command is wrong, whatever the inputs are
)

// handle commits or aborts a run that has ended.
func (ev *ended) handle(c *runner) error {
	r := ev.run
	delete(c.runs, r.number)
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
	if err := c.removeReplaced(); err != nil {
		return err
	}
	if !c.Log.Full() {
		return nil
	}
	if err := c.Log.Checkpoint(); err != nil {
		return err
	}
	return c.Trim()
}

// A cause says why a run does not count.
type cause struct {
	reason  string
	later   bool // exit 75
	machine bool // it was no fault of the run
	charged bool
	command bool         // exit 2: the command's fault
	gone    []txlog.Name // inputs that are to be set aside
}

// judgeExit tells how the run ended; the zero cause is a commit.
func (c *runner) judgeExit(ev *ended) cause {
	switch {
	case ev.result.Code == 0 && ev.err == nil && ev.machine == nil:
		return cause{}
	case c.killed && ev.result.Code != 0:
		return cause{reason: txlog.WhyStopped}
	case !c.table.Disk(c.environment()).OK:
		return cause{reason: "the disk is full", machine: true}
	case ev.machine != nil:
		return cause{reason: "its files could not be made durable: " + ev.machine.Error(), machine: true}
	case ev.run.timedOut.Load():
		ev.run.record.Exit = "timeout"
		return cause{reason: fmt.Sprintf("not done after its timeout of %s", ev.run.take.Stage.Timeout), charged: true}
	case c.stopping != "" && c.stopCode == crawl.ExitStopped:
		return cause{reason: txlog.WhyStopped} // by what stopped the manager; see awaitSignal
	case ev.err != nil:
		machine := fault.Machine(ev.err)
		return cause{reason: ev.err.Error(), machine: machine, charged: !machine}
	case ev.result.Code == tryLater:
		return cause{reason: txlog.WhyLater, later: true}
	case ev.result.Code == badCommand && !ev.run.crashed():
		return cause{command: true,
			reason: "exit 2: its command is wrong, or a file that it names; no input is charged"}
	}
	reason := "exit " + ev.result.Exit
	if ev.run.take.Stage.Program == "bash" && ev.result.Code == 1 && ev.run.record.Stderr == "" {
		reason += foundNothing
	}
	return cause{reason: reason, charged: true}
}

// crashed reports whether an exit code 2 may be due to the inputs. That of bash is the code of any
// command in it. A Go program exits with 2 when its runtime gives up, as for a stack that has
// grown too deep; then each frame of its trace ends with the offset in a function.
func (r *run) crashed() bool {
	said := r.record.Stderr
	return r.take.Stage.Program == "bash" || strings.Contains(said, ".go:") && strings.Contains(said, " +0x")
}

// foundNothing is what an exit code 1 with an empty stderr mostly means in a shell stage.
const foundNothing = " without a word (in a shell stage that is mostly a grep that found nothing; " +
	"sed -n /…/p and awk end with 0 then)"

// commit makes the run count, puts its outputs in their place, and removes what it leaves.
func (c *runner) commit(ev *ended) error {
	r, rec := ev.run, &ev.verdict.Commit
	rec.Run = r.record
	c.leaveOutKnown(rec)
	for i, b := range r.take.Batches() {
		rec.Inputs[i].Gone = !crawl.Owed(c.Script.Queue(b.Name.Queue()), b, r.take.Stage.Name)
	}
	if err := c.Settle(rec); err != nil {
		return err
	}
	delete(c.streaks, r.take.Stage.Name)
	c.replaced = append(c.replaced, rec.Replaced...)
	c.table.Committed(r.take)
	now := time.Now()
	for _, o := range rec.Outputs {
		if b := c.state.Batch(o.Name); b != nil {
			c.table.Add(b, now)
		}
	}
	c.pace.Add(rec.Stage, rec.Run.End, rec.Read)
	c.out.Committed(rec)
	for queue, what := range ev.verdict.Misnamed {
		if !c.misnamed[queue] {
			c.misnamed[queue] = true
			c.out.Line(what + ": programs that go by the name fail there; " +
				"say what they are, as ext = \"txt\" in [queue." + queue + "], " +
				"or make them what they are called, as by | zstd")
		}
	}
	return nil
}

// leaveOutKnown leaves examples out where the log has one already, for it is never cut short.
func (c *runner) leaveOutKnown(rec *txlog.Commit) {
	known := c.state.Stage(rec.Stage).Because
	for i, b := range rec.Because {
		if known[b.Name].Example != "" {
			rec.Because[i].Example, rec.Because[i].Remedy = "", ""
		}
	}
}

// removeReplaced removes the replaced segments that no run is reading any more. After a crash
// no run is left, and recovery removes them all.
func (c *runner) removeReplaced() error {
	used := c.replaced[:0]
	for _, name := range c.replaced {
		if c.readerOf(name) > 0 {
			used = append(used, name)
		} else if err := c.Remove(name); err != nil {
			return err
		}
	}
	c.replaced = used
	return nil
}
